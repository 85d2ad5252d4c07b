package documents

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"inglenook/app/documents"
	"inglenook/documents/shape"
)

// legible is a text as people read it: without the marks of its format, the cells of a table
// with the names of their columns, and a line end only where a line ends for the reader.
type legible struct {
	text string
	at   []int // where each byte of what was written stands in text, and the end
}

// legibleOf makes one of a text in a format, as documents.File has it. header is the first row
// of the table that it is from; "": it is from none, or begins with that row.
func legibleOf(written, format, header string) legible {
	return legibleBy(written, format, header, betweenCells)
}

// sentOf is a passage for a reader who sees it without its document: with strokes between cells
// that models read as such.
func sentOf(r documents.Result) string {
	format := ""
	if len(r.Files) > 0 {
		format = r.Files[0].Format
	}
	sent := strings.TrimSpace(legibleBy(r.Text, format, shape.Header(r.Context), "; ").text)
	names, rows, more := strings.Cut(sent, "\n")
	if format == "csv" && more && !strings.Contains(names, ": ") {
		return rows // each names its columns
	}
	return sent
}

func legibleBy(written, format, header, between string) legible {
	p := &plainer{written: written, at: make([]int, 0, len(written)+1), quotes: format == "csv", between: between}
	switch format {
	case "csv":
		p.records(header)
	case "markdown":
		p.markdown()
	case "source", "json":
		p.keep(len(written))
	default:
		p.paragraphs(header)
	}
	p.keep(len(written))
	return legible{p.text.String(), append(p.at, p.text.Len())}
}

// marks are places of what was written, as they are in the text from a byte on. One of which
// nothing is left is left out.
func (l legible) marks(spans []documents.Span, from int) (list [][2]int) {
	for _, s := range spans {
		if s.Start < 0 || s.End < s.Start || s.End >= len(l.at) {
			continue
		}
		if start, end := l.at[s.Start], l.at[s.End]; start >= from && end > start {
			list = append(list, [2]int{start - from, end - from})
		}
	}
	return list
}

// plainer makes a legible text, from the beginning on.
type plainer struct {
	written string
	text    strings.Builder
	at      []int // of the bytes that are done
	quotes  bool  // two quotes in a cell are one

	between string // cells of a row
}

// keep takes the bytes up to a place as they are.
func (p *plainer) keep(to int) {
	for i := len(p.at); i < to; i++ {
		p.at = append(p.at, p.text.Len())
		p.text.WriteByte(p.written[i])
	}
}

// drop leaves the bytes up to a place out.
func (p *plainer) drop(to int) {
	for len(p.at) < to {
		p.at = append(p.at, p.text.Len())
	}
}

// say puts something in the place of the bytes up to a place.
func (p *plainer) say(words string, to int) {
	p.drop(to)
	p.text.WriteString(words)
}

// betweenCells stands between the cells of a row.
const betweenCells = " · "

// paragraphs reads text whose lines a program may have wrapped, with tables whose cells have
// a stroke between them.
func (p *plainer) paragraphs(header string) {
	names := strings.Split(header, cellStroke)
	ends, at := shape.LineEnds(p.written), 0
	for line := range strings.SplitAfterSeq(p.written, "\n") {
		bare := strings.TrimSuffix(line, "\n")
		if cells := strings.Split(bare, cellStroke); len(cells) > 1 {
			var spans []documents.Span
			for _, c := range cells {
				spans = append(spans, documents.Span{Start: at, End: at + len(c)})
				at += len(c) + len(cellStroke)
			}
			at -= len(cellStroke)
			p.row(spans, names)
		} else {
			at += len(bare)
			p.keep(at)
		}
		if len(bare) < len(line) {
			if !ends[at] {
				p.say(" ", at+1)
			}
			at++
			p.keep(at)
		}
	}
}

// cellStroke is what the readers of documents put between the cells of a row.
const cellStroke = shape.Stroke

// row reads a row of a table: each cell behind the name of its column, where that is known.
// Cells that hold nothing are left out.
func (p *plainer) row(cells []documents.Span, names []string) {
	first := true
	for i, c := range cells {
		trimmed := strings.TrimSpace(p.written[c.Start:c.End])
		if trimmed == "" {
			continue
		}
		start := c.Start + strings.Index(p.written[c.Start:c.End], trimmed)
		p.drop(start)
		if !first {
			p.say(p.between, start)
		}
		if first = false; len(names) > 1 && i < len(names) && names[i] != "" && names[i] != trimmed {
			p.say(names[i]+": ", start)
		}
		for at := 0; at < len(trimmed); at++ {
			switch {
			case trimmed[at] == '\n': // a cell is one line
				p.keep(start + at)
				p.say(" ", start+at+1)
			case p.quotes && strings.HasPrefix(trimmed[at:], `""`):
				p.keep(start + at)
				at++
				p.drop(start + at)
			}
		}
		p.keep(start + len(trimmed))
	}
	if n := len(cells); n > 0 {
		p.drop(cells[n-1].End)
	}
}

// What a line of Markdown begins with.
var (
	ruleLine    = regexp.MustCompile(`^\s*(?:[-=]{3,}|[*_]{3,}|\|?[ :|-]*-[ :|-]*\|[ :|-]*)\s*$`)
	headingMark = regexp.MustCompile(`^\s{0,3}#{1,6}\s+`)
	quoteMark   = regexp.MustCompile(`^\s{0,3}(?:>\s?)+`)
	itemMark    = regexp.MustCompile(`^\s*[-*+]\s+(?:\[[ xX]\]\s+)?`)
	numberMark  = regexp.MustCompile(`^\s*\d{1,3}[.)]\s`)
)

// markdown reads Markdown.
func (p *plainer) markdown() {
	lines, at, fenced := strings.Split(p.written, "\n"), 0, false
	flows := false // the line before goes on
	for i, line := range lines {
		end := at + len(line)
		switch {
		case fenceLine.MatchString(line):
			fenced, flows = !fenced, false
			p.drop(min(end+1, len(p.written)))
		case fenced:
			p.keep(min(end+1, len(p.written)))
		case ruleLine.MatchString(line):
			flows = false
			p.drop(min(end+1, len(p.written)))
		case strings.TrimSpace(line) == "":
			flows = false
			p.drop(min(end+1, len(p.written)))
		default:
			flows = p.markdownLine(line, end, flows)
			if end < len(p.written) {
				p.endLine(lines[i+1], end+1, flows)
			}
		}
		at = end + 1
	}
}

// endLine ends a line of Markdown, by a space where the next one goes on.
func (p *plainer) endLine(next string, to int, flows bool) {
	opens := strings.TrimSpace(next) == "" || strings.HasPrefix(strings.TrimSpace(next), "|")
	for _, mark := range []*regexp.Regexp{ruleLine, headingMark, quoteMark, itemMark, numberMark, fenceLine} {
		opens = opens || mark.MatchString(next)
	}
	if flows && !opens {
		p.say(" ", to)
	} else {
		p.say("\n", to)
	}
}

// markdownLine reads a line that ends at a place, and reports whether the next one may go on
// with it. flows says that this one goes on with the one before.
func (p *plainer) markdownLine(line string, end int, flows bool) bool {
	start := len(p.at)
	if m := quoteMark.FindString(line); m != "" {
		p.drop(start + len(m))
		line, start = line[len(m):], start+len(m)
	}
	switch {
	case strings.HasPrefix(strings.TrimSpace(line), "|"):
		p.tableLine(line, start)
		p.drop(end)
		return false
	case headingMark.MatchString(line):
		p.drop(start + len(headingMark.FindString(line)))
		p.inline(start + len(strings.TrimRight(line, "# ")))
		p.drop(end)
		return false
	case itemMark.MatchString(line):
		p.say("• ", start+len(itemMark.FindString(line)))
	case flows:
		p.drop(start + len(line) - len(strings.TrimLeft(line, " \t")))
	}
	trimmed := strings.TrimRight(line, " ")
	ends := len(line)-len(trimmed) >= 2 || strings.HasSuffix(trimmed, `\`)
	p.inline(start + len(strings.TrimSuffix(trimmed, `\`)))
	p.drop(end)
	return !ends
}

// tableLine reads a row of a table, which begins with a stroke.
func (p *plainer) tableLine(line string, start int) {
	first := true
	for at := 0; at < len(line); {
		cell := line[at:]
		if n := strings.IndexByte(cell, '|'); n >= 0 {
			cell = cell[:n]
		}
		if trimmed := strings.TrimSpace(cell); trimmed != "" {
			from := start + at + strings.Index(cell, trimmed)
			p.drop(from)
			if !first {
				p.say(p.between, from)
			}
			first = false
			p.inline(from + len(trimmed))
		}
		at += len(cell) + 1
	}
}

// What stands within a line of Markdown: pictures, links, addresses, tags, signs by name,
// and signs behind a backslash.
var (
	linkMark   = regexp.MustCompile(`^!?\[([^\]\n]*)\](?:\([^)\n]*\)|\[[^\]\n]*\])`)
	addressOf  = regexp.MustCompile(`^<(https?://[^>\s]+)>`)
	tagMark    = regexp.MustCompile(`^(?:<!--.*?-->|</?[a-zA-Z][^>\n]{0,200}>)`)
	namedSign  = regexp.MustCompile(`^&#?[a-zA-Z0-9]{2,8};`)
	escapeMark = regexp.MustCompile("^\\\\[!-/:-@\\[-`{-~]")
)

// inline reads the marks within a line up to a place.
func (p *plainer) inline(to int) {
	for at := len(p.at); at < to; at = len(p.at) {
		rest := p.written[at:to]
		if m := linkMark.FindStringSubmatchIndex(rest); m != nil {
			p.drop(at + m[2])
			p.inline(at + m[3])
			p.drop(at + m[1])
		} else if m := addressOf.FindStringSubmatchIndex(rest); m != nil {
			p.drop(at + m[2])
			p.keep(at + m[3])
			p.drop(at + m[1])
		} else if m := tagMark.FindString(rest); m != "" {
			p.drop(at + len(m))
		} else if m := namedSign.FindString(rest); m != "" {
			p.say(html.UnescapeString(m), at+len(m))
		} else if m := escapeMark.FindString(rest); m != "" {
			p.drop(at + 1)
			p.keep(at + len(m))
		} else if n := codeSpan(rest); n > 0 {
			ticks := len(rest) - len(strings.TrimLeft(rest, "`"))
			p.drop(at + ticks)
			p.keep(at + n - ticks)
			p.drop(at + n)
		} else if n := p.emphasis(at, to); n > 0 {
			p.drop(at + n)
		} else {
			_, n := utf8.DecodeRuneInString(rest)
			p.keep(at + n)
		}
	}
}

// codeSpan is the length of the code that a text begins with, with its marks; 0: it does not.
func codeSpan(rest string) int {
	ticks := rest[:len(rest)-len(strings.TrimLeft(rest, "`"))]
	if ticks == "" {
		return 0
	}
	n := strings.Index(rest[len(ticks):], ticks)
	if n < 0 {
		return 0
	}
	return 2*len(ticks) + n
}

// emphasis is the length of the marks at a place that make text bold, slanted or struck; 0:
// there are none. A stroke below within a word is a part of it, and a sign among spaces is one.
func (p *plainer) emphasis(at, to int) int {
	sign := p.written[at]
	if sign != '*' && sign != '_' && sign != '~' {
		return 0
	}
	n := 1
	for at+n < to && p.written[at+n] == sign {
		n++
	}
	before, _ := utf8.DecodeLastRuneInString(p.written[:at])
	after, _ := utf8.DecodeRuneInString(p.written[at+n : to])
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	space := func(r rune) bool { return r == utf8.RuneError || unicode.IsSpace(r) }
	switch {
	case sign == '~' && n != 2, n > 3, space(before) && space(after), sign == '_' && word(before) && word(after):
		return 0
	case sign == '*' && n == 1 && unicode.IsDigit(before) && unicode.IsDigit(after): // a product
		return 0
	}
	return n
}
