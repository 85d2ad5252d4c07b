package formula

import (
	"errors"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Limits of one formula.
const (
	maxBytes = 16 << 10
	maxDepth = 40
	maxNodes = 6000
)

// Formula is a formula that was parsed.
type Formula struct {
	Body Row
	Ends []int // of each node of Body: the byte of the source where it ends
	Tag  Text  // of \tag at the end of the formula, for its right margin; no text: there is none
}

// Parse parses the LaTeX of a formula, without the signs around it. The error says what is
// wrong with it, or what this package does not know.
func Parse(source string) (Formula, error) {
	if len(source) > maxBytes {
		return Formula{}, fmt.Errorf("the formula has %d bytes, more than %d", len(source), maxBytes)
	}
	if !utf8.ValidString(source) {
		return Formula{}, errors.New("the formula is not UTF-8")
	}
	p := &parser{lexer: lexer{source: source}}
	f := p.whole()
	f.Tag = p.tag
	if p.err != nil {
		return Formula{}, p.err
	}
	if empty(f.Body) {
		return Formula{}, errors.New("the formula is empty")
	}
	return f, nil
}

// empty reports whether a row shows nothing.
func empty(row Row) bool {
	for _, n := range row {
		if _, ok := n.(Space); !ok {
			return false
		}
	}
	return true
}

// parser builds the tree. After the first error it takes no more tokens.
type parser struct {
	lexer
	face  Face
	depth int
	nodes int
	tag   Text // of the whole formula
	err   error
}

// fail keeps the first error.
func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
	p.at = len(p.source)
}

// whole parses all of the source. Lines and columns outside of an environment are those of
// an environment that was left out.
func (p *parser) whole() Formula {
	row, ends := p.row()
	switch t := p.peek(); t.kind {
	case endToken:
		return Formula{Body: row, Ends: ends}
	case lineToken, alignToken:
		p.at = 0
		array := Array{Kind: Gathered, Style: DisplayStyle, Align: "c"}
		if t.kind == alignToken {
			array.Kind, array.Align = Aligned, "rl"
		}
		p.depth++
		if p.cells(&array); p.peek().kind != endToken {
			p.fail("a formula ends with %q, which nothing begins", p.peek().text(p.source))
		}
		for _, r := range array.Rows {
			if len(r) > 1 {
				array.Kind, array.Align = Aligned, "rl"
			}
		}
		return Formula{Body: Row{array}, Ends: []int{len(p.source)}}
	default:
		p.fail("a formula ends with %q, which nothing begins", t.text(p.source))
		return Formula{}
	}
}

func (t token) text(source string) string { return source[t.start:t.end] }

// row parses formulas side by side, up to what ends them: the end, a closing brace, the next
// cell or line, \right, \end. It returns where each of them ends.
func (p *parser) row() (row Row, ends []int) {
	face := p.face
	defer func() { p.face = face }()
	if p.depth++; p.depth > maxDepth {
		p.fail("the formula is nested more than %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	for p.err == nil {
		t := p.peek()
		switch t.kind {
		case endToken, closeToken, alignToken, lineToken:
			return row, ends
		case commandToken:
			switch t.name {
			case "right", "end":
				return row, ends
			case "over", "atop", "choose", "brace", "brack":
				p.next()
				below, _ := p.row()
				f := Fraction{Above: row, Below: below, Bar: t.name == "over"}
				switch t.name {
				case "choose":
					f.Left, f.Right = '(', ')'
				case "brace":
					f.Left, f.Right = '{', '}'
				case "brack":
					f.Left, f.Right = '[', ']'
				}
				return Row{f}, []int{p.at}
			case "color":
				p.next()
				c := p.color()
				rest, _ := p.row()
				return append(row, Colored{c, rest}), append(ends, p.at)
			}
			if s, ok := sizes[t.name]; ok {
				p.next()
				rest, _ := p.row()
				if len(row) == 0 && s == DisplayStyle {
					ends = nil
				}
				return append(row, Styled{s, rest}), append(ends, p.at)
			}
		}
		before := p.at
		if n := p.scripted(); n != nil {
			row, ends = append(row, n), append(ends, p.at)
		}
		if p.at == before {
			p.fail("%q is not understood", t.text(p.source))
		}
	}
	return nil, nil
}

// sizes are the commands that change the size of what follows.
var sizes = map[string]Style{
	"displaystyle": DisplayStyle, "textstyle": TextStyle, "scriptstyle": ScriptStyle, "scriptscriptstyle": ScriptScriptStyle,
}

// scripted parses one formula with its scripts. nil: it shows nothing.
func (p *parser) scripted() Node {
	base := p.nucleus()
	if op, ok := base.(Operator); ok {
		for p.err == nil {
			t := p.peek()
			if t.kind != commandToken || t.name != "limits" && t.name != "nolimits" && t.name != "displaylimits" {
				break
			}
			p.next()
			op.Limits = map[string]Limits{"limits": Always, "nolimits": Never, "displaylimits": Display}[t.name]
		}
		base = op
	}
	s := Script{Base: base}
	for p.err == nil {
		switch t := p.peek(); t.kind {
		case primeToken:
			p.next()
			s.Sup = append(s.Sup, Symbol{'′', Ord})
		case superToken:
			p.next()
			s.Sup = append(s.Sup, p.script()...)
		case subToken:
			p.next()
			s.Sub = append(s.Sub, p.script()...)
		default:
			if digit, up, ok := small(t); ok {
				p.next()
				if up {
					s.Sup = append(s.Sup, digit)
				} else {
					s.Sub = append(s.Sub, digit)
				}
				continue
			}
			if s.Sub == nil && s.Sup == nil {
				return base
			}
			return s
		}
	}
	return nil
}

// small is the sign that a character shows in small, above the line or below it.
func small(t token) (n Node, up, ok bool) {
	const raised, lowered = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙ"
	if t.kind != charToken || t.char < 0x80 {
		return nil, false, false
	}
	for i, list := range []string{raised, lowered} {
		if at := slices.Index([]rune(list), t.char); at >= 0 {
			r := []rune("0123456789+-=()n")[at]
			if r == 'n' {
				return Symbol{letter(r, Normal), Ord}, i == 0, true
			}
			return ofRune(r), i == 0, true
		}
	}
	return nil, false, false
}

// script parses what stands after ^ or _; it is never nil.
func (p *parser) script() Row {
	row := p.argument()
	if row == nil {
		return Row{}
	}
	return row
}

// argument parses the argument of a command: a group, or one formula.
func (p *parser) argument() Row {
	switch t := p.peek(); t.kind {
	case openToken:
		return p.group()
	case charToken, commandToken, spaceToken:
		if t.kind == commandToken && (t.name == "right" || t.name == "end") {
			break
		}
		if p.depth++; p.depth > maxDepth {
			p.fail("the formula is nested more than %d deep", maxDepth)
		}
		defer func() { p.depth-- }()
		if n := p.nucleus(); n != nil {
			return Row{n}
		}
		return Row{}
	}
	p.fail("a command or a script lacks what it is about")
	return nil
}

// group parses a formula in braces.
func (p *parser) group() Row {
	p.next()
	row, _ := p.row()
	if p.err == nil && p.next().kind != closeToken {
		p.fail("a brace is not closed")
	}
	if row == nil {
		row = Row{}
	}
	return row
}

// nucleus parses one formula without scripts. nil: it shows nothing.
func (p *parser) nucleus() Node {
	if p.nodes++; p.nodes > maxNodes {
		p.fail("the formula has more than %d parts", maxNodes)
	}
	switch t := p.peek(); t.kind {
	case openToken:
		return p.group()
	case superToken, subToken, primeToken: // the scripts of nothing
		return nil
	case spaceToken:
		p.next()
		return Space{1. / 3}
	case commandToken:
		p.next()
		return p.command(t)
	case charToken:
		if _, _, ok := small(t); ok {
			return nil
		}
		p.next()
		return p.char(t)
	default:
		p.fail("%q is not understood here", t.text(p.source))
		return nil
	}
}

// char is the formula of a character.
func (p *parser) char(t token) Node {
	switch r := t.char; {
	case r == ',' && p.thousands(t.end):
		return Symbol{r, Ord}
	case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r >= 'Α' && r <= 'ω':
		return Symbol{letter(r, p.face), Ord}
	case r < ' ' || r == utf8.RuneError || r == 0x7f:
		p.fail("the formula has a character that is not text: %U", r)
		return nil
	case r >= 0x80 && unicode.IsLetter(r) && r < 0x1D400 && !unicode.In(r, unicode.Greek) && (r < 0x2100 || r > 0x214F):
		return p.word(t)
	default:
		return ofRune(r)
	}
}

// word gathers the letters of another language than mathematics.
func (p *parser) word(t token) Node {
	end := t.end
	for end < len(p.source) {
		r, n := utf8.DecodeRuneInString(p.source[end:])
		if r < 0x80 || !unicode.IsLetter(r) && !unicode.Is(unicode.M, r) {
			break
		}
		end += n
	}
	p.at = end
	return Text{Text: p.source[t.start:end]}
}

// thousands reports whether three digits follow a comma that follows a digit: it groups the
// digits of a number.
func (p *parser) thousands(at int) bool {
	digit := func(i int) bool { return i >= 0 && i < len(p.source) && p.source[i] >= '0' && p.source[i] <= '9' }
	return digit(at-2) && digit(at) && digit(at+1) && digit(at+2) && !digit(at+3)
}
