package formula

import "strings"

// chemistry parses the argument of \ce, as the package mhchem has it: formulas of substances,
// and arrows between them. What it does not know is an error.
func (p *parser) chemistry() Node {
	source, ok := p.raw()
	if !ok {
		p.fail(`\ce lacks a formula in braces`)
		return nil
	}
	var row Row
	for i, word := range strings.Fields(source) {
		if i > 0 {
			row = append(row, Space{0.2})
		}
		if p.nodes++; p.nodes > maxNodes || p.err != nil {
			p.fail("the formula has more than %d parts", maxNodes)
			return nil
		}
		switch r, known := reactions[word]; {
		case known:
			row = append(row, Classed{Row{Arrow{Rune: r, Over: Row{}}}, Rel})
		case strings.HasPrefix(word, "->["):
			parts := strings.FieldsFunc(word[2:], func(r rune) bool { return r == '[' || r == ']' })
			a := Arrow{Rune: '→', Over: Row{}}
			if len(parts) > 0 {
				a.Over = p.condition(parts[0])
			}
			if len(parts) > 1 {
				a.Under = p.condition(parts[1])
			}
			row = append(row, a)
		case word == "+":
			row = append(row, Symbol{'+', Bin})
		case word == "v":
			row = append(row, Symbol{'↓', Ord})
		case word == "^":
			row = append(row, Symbol{'↑', Ord})
		default:
			row = append(row, p.substance(word))
		}
	}
	return row
}

// reactions are the arrows.
var reactions = map[string]rune{"->": '→', "<-": '←', "<->": '↔', "<=>": '⇌', "<=>>": '⇌', "<<=>": '⇌', "=": '='}

// condition parses what stands at an arrow.
func (p *parser) condition(text string) Row {
	if strings.Contains(text, `\`) {
		return p.within(text)
	}
	return p.substance(text)
}

// substance parses a word of a chemical formula: numbers behind a letter or a bracket are
// lowered, a charge is raised, and what stands before is a count.
func (p *parser) substance(word string) Row {
	var row Row
	attach := func(up bool, scripts Row) {
		n := len(row)
		if n == 0 {
			row, n = append(row, Script{}), 1
		}
		s, ok := row[n-1].(Script)
		if !ok {
			s = Script{Base: row[n-1]}
		}
		if up {
			s.Sup = append(s.Sup, scripts...)
		} else {
			s.Sub = append(s.Sub, scripts...)
		}
		row[n-1] = s
	}
	counts := false // a number here counts atoms
	for i := 0; i < len(word) && p.err == nil; i++ {
		c := word[i]
		switch {
		case c >= '0' && c <= '9':
			end := i
			for end < len(word) && (word[end] >= '0' && word[end] <= '9' || word[end] == '.' && !counts) {
				end++
			}
			digits := Row{}
			for _, r := range word[i:end] {
				digits = append(digits, Symbol{r, Ord})
			}
			if counts {
				attach(false, digits)
			} else {
				row = append(append(row, digits...), Space{0.1})
			}
			i, counts = end-1, false
		case c == '^' || c == '_':
			part := word[i+1:]
			end := strings.IndexFunc(part, func(r rune) bool { return !strings.ContainsRune("0123456789+-.*", r) })
			if end < 0 {
				end = len(part)
			}
			used := end
			if inner, ok := strings.CutPrefix(part, "{"); ok {
				if end = strings.IndexByte(inner, '}'); end < 0 {
					p.fail("a brace is not closed")
					return nil
				}
				part, used = inner, end+2
			}
			attach(c == '^', charge(part[:end]))
			i += used
		case (c == '+' || c == '-') && i+1 == len(word) && i > 0: // a charge at the end
			attach(true, charge(word[i:]))
		case c == '-' || c == '=' || c == '#': // bonds
			row = append(row, Symbol{map[byte]rune{'-': '−', '=': '=', '#': '≡'}[c], Ord})
			counts = false
		case c == '*' || c == '.':
			row = append(row, Symbol{'⋅', Bin})
			counts = false
		case asciiLetter(c):
			row = append(row, Symbol{rune(c), Ord})
			counts = true
		case strings.IndexByte("()[]", c) >= 0:
			row = append(row, Symbol{rune(c), Ord})
			counts = c == ')' || c == ']'
		case c == ',' || c == '/':
			row = append(row, Symbol{rune(c), Ord})
		default:
			p.fail(`%q is not understood in \ce`, word)
		}
	}
	if row == nil {
		row = Row{}
	}
	return row
}

// charge is a small text of numbers and signs.
func charge(text string) Row {
	row := Row{}
	for _, r := range text {
		if r == '-' {
			r = '−'
		}
		row = append(row, Symbol{r, Ord})
	}
	return row
}
