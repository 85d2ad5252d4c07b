package formula

import "strings"

// splitPairs reads a list of names, each followed by its value.
func splitPairs(list string) map[string]string {
	fields := strings.Fields(list)
	pairs := map[string]string{}
	for i := 0; i+1 < len(fields); i += 2 {
		pairs[fields[i]] = fields[i+1]
	}
	return pairs
}

// textArgument parses words: an argument in which spaces count.
func (p *parser) textArgument(f Face) Node {
	source, ok := p.raw()
	if !ok {
		row := p.argument() // \text x
		return row
	}
	row := p.words(source, f)
	if len(row) == 1 {
		return row[0]
	}
	return row
}

// words parses words, with formulas between dollars and other faces in them.
func (p *parser) words(source string, f Face) (row Row) {
	if p.depth++; p.depth > maxDepth {
		p.fail("the formula is nested more than %d deep", maxDepth)
		return nil
	}
	defer func() { p.depth-- }()
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			row = append(row, Text{b.String(), f})
			p.nodes++
			b.Reset()
		}
	}
	for i := 0; i < len(source) && p.err == nil; i++ {
		switch c := source[i]; c {
		case '$':
			end := strings.IndexByte(source[i+1:], '$')
			if end < 0 {
				p.fail("a dollar in text is not closed")
				return nil
			}
			flush()
			row = append(row, p.within(source[i+1:i+1+end]))
			i += end + 1
		case '\\':
			used, node := p.textCommand(source[i+1:], &b)
			if node != nil {
				flush()
				row = append(row, node)
			}
			i += used
		case '{', '}':
		case '~':
			b.WriteByte(' ')
		case '\n', '\t', '\r':
			b.WriteByte(' ')
		default:
			b.WriteByte(c)
		}
	}
	flush()
	return row
}

// textCommand parses a command within words, whose backslash was taken. It returns the bytes
// of it, and its node or what it writes.
func (p *parser) textCommand(rest string, b *strings.Builder) (used int, node Node) {
	l := lexer{source: `\` + rest}
	t := l.next()
	switch t.name {
	case "%", "$", "&", "#", "_", "{", "}":
		b.WriteString(t.name)
		return t.end - 1, nil
	case " ", ",", ";", ":", "quad", "!":
		b.WriteByte(' ')
		return t.end - 1, nil
	case "(", "[":
		end := map[string]string{"(": `\)`, "[": `\]`}[t.name]
		if n := strings.Index(l.source[l.at:], end); n >= 0 {
			return l.at - 1 + n + 2, p.within(l.source[l.at : l.at+n])
		}
	case `\`:
		b.WriteByte(' ')
		return t.end - 1, nil
	}
	if f, ok := textFaces[t.name]; ok {
		if inner, ok := l.raw(); ok {
			return l.at - 1, p.words(inner, f)
		}
	}
	if s, ok := table().byName[t.name].(Symbol); ok {
		if l.at < len(l.source) && l.source[l.at] == ' ' {
			l.at++
		}
		return l.at - 1, p.sign(s)
	}
	p.fail(`the command \%s is not known in text`, t.name)
	return len(rest), nil
}

// plainName reads a name of letters, which may have the commands of spaces in it.
func plainName(source string) (string, bool) {
	name := strings.NewReplacer(`\,`, thinSpace, `\ `, thinSpace, `\;`, thinSpace, "~", thinSpace, `\!`, "", `\-`, "-").Replace(strings.TrimSpace(source))
	for _, wrap := range []string{`\mathrm{`, `\text{`, `\textrm{`} {
		if inner, ok := strings.CutPrefix(name, wrap); ok && strings.HasSuffix(inner, "}") {
			name = strings.TrimSuffix(inner, "}")
		}
	}
	return name, name != "" && !strings.ContainsAny(name, `\{}^_$&#%`)
}
