package formula

import (
	"strconv"
	"sync"
)

// accents are the commands of accents, with their characters.
var accents = sync.OnceValue(func() map[string]rune {
	all := map[string]rune{}
	fields := splitPairs(accentSigns)
	for name, code := range fields {
		r, _ := strconv.ParseUint(code, 16, 32)
		all[name] = rune(r)
	}
	return all
})

// structure parses a command that has a form of its own; false: it is not known.
func (p *parser) structure(name string) (Node, bool) {
	switch name {
	case "frac", "dfrac", "tfrac", "cfrac", "binom", "dbinom", "tbinom":
		return p.fraction(name), true
	case "genfrac":
		return p.genfrac(), true
	case "sqrt":
		r := Root{}
		if degree, ok := p.option(); ok {
			r.Degree = p.within(degree)
		}
		r.Body = p.argument()
		return r, true
	case "left":
		return p.fenced(), true
	case "middle":
		r, _ := p.delimiter()
		return Middle{r}, true
	case "begin":
		return p.environment(), true
	case "overline":
		return Bar{Body: p.argument()}, true
	case "underline", "underbar":
		return Bar{Body: p.argument(), Under: true}, true
	case "widehat":
		return Accent{Rune: '\u0302', Body: p.argument(), Wide: true}, true
	case "widetilde":
		return Accent{Rune: '\u0303', Body: p.argument(), Wide: true}, true
	case "widecheck":
		return Accent{Rune: '\u030C', Body: p.argument(), Wide: true}, true
	case "overset", "stackrel", "underset", "overunderset":
		return p.stack(name), true
	case "operatorname", "operatornamewithlimits":
		return p.operator(p.star() || name == "operatornamewithlimits"), true
	case "mathop":
		return Operator{Body: p.argument()}, true
	case "not":
		return p.not(), true
	case "dots", "mathellipsis":
		return p.dots(), true
	case "substack":
		return p.substack(), true
	case "phantom", "hphantom", "vphantom":
		return Phantom{Body: p.argument(), Width: name != "vphantom", Height: name != "hphantom"}, true
	case "smash":
		p.option()
		return Phantom{Body: p.argument(), Width: true, Shown: true}, true
	case "mathclap", "mathllap", "mathrlap", "mathstrut", "ensuremath":
		return p.argument(), true
	case "boxed", "fbox", "framebox":
		if name == "boxed" {
			return Boxed{p.argument()}, true
		}
		return Boxed{Row{p.textArgument(Roman)}}, true
	case "cancel", "bcancel", "xcancel", "sout":
		return Struck{Body: p.argument(), Up: name == "cancel" || name == "xcancel", Down: name == "bcancel" || name == "xcancel", Across: name == "sout"}, true
	case "ce":
		return p.chemistry(), true
	case "abs":
		return Fenced{Left: '|', Body: p.argument(), Right: '|'}, true
	case "norm":
		return Fenced{Left: '‖', Body: p.argument(), Right: '‖'}, true
	case "pmod", "bmod", "mod", "pod":
		return p.mod(name), true
	case "R", "N", "Z", "Q", "C":
		return Symbol{letter(rune(name[0]), Double), Ord}, true
	}
	return p.invisible(name)
}

// invisible parses commands about how something looks, of which only what it is remains, and
// those that leave room.
func (p *parser) invisible(name string) (Node, bool) {
	switch name {
	case "label":
		p.raw()
		return nil, true
	case "textcolor":
		return Colored{p.color(), p.argument()}, true
	case "colorbox", "style", "class", "href":
		p.raw()
		return p.argument(), true
	case "tag":
		return p.label(), true
	case "hspace", "mspace", "kern", "mkern", "hskip", "mskip":
		p.star()
		amount, ok := p.raw()
		if !ok {
			p.fail(`\%s lacks a length in braces`, name)
		}
		return Space{length(amount)}, true
	case "bra", "Bra":
		return Fenced{Left: '⟨', Body: p.argument(), Right: '|'}, true
	case "ket", "Ket":
		return Fenced{Left: '|', Body: p.argument(), Right: '⟩'}, true
	case "braket", "Braket":
		return Fenced{Left: '⟨', Body: p.argument(), Right: '⟩'}, true
	case "limits", "nolimits":
		return nil, true
	}
	return nil, false
}

// label parses what \tag puts beside a formula: at the end of the whole one for its margin,
// elsewhere behind what comes before.
func (p *parser) label() Node {
	starred := p.star()
	argument := p.textArgument(Roman)
	label, ok := argument.(Text)
	if !ok {
		return Row{Space{2}, argument}
	}
	if !starred {
		label.Text = "(" + label.Text + ")"
	}
	if p.depth == 1 && p.tag.Text == "" && p.peek().kind == endToken {
		p.tag = label
		return nil
	}
	return Row{Space{2}, label}
}

func (p *parser) fraction(name string) Node {
	f := Fraction{Bar: true}
	switch name[0] {
	case 'd':
		f.Style = DisplayStyle
	case 't':
		f.Style = TextStyle
	case 'c':
		f.Style, f.Continued = DisplayStyle, true
		p.option()
	}
	if name[len(name)-1] == 'm' {
		f.Bar, f.Left, f.Right = false, '(', ')'
	}
	f.Above = p.argument()
	f.Below = p.argument()
	return f
}

// genfrac parses a fraction of which everything is said.
func (p *parser) genfrac() Node {
	left, _ := p.raw()
	right, _ := p.raw()
	rule, _ := p.raw()
	style, _ := p.raw()
	bracket := func(s string) rune {
		if s == "" {
			return 0
		}
		inner := &parser{lexer: lexer{source: s}}
		r, ok := inner.delimiter()
		if !ok {
			p.fail("%w", inner.err)
		}
		return r
	}
	f := Fraction{Left: bracket(left), Right: bracket(right), Bar: rule == "" || length(rule) > 0}
	if n, err := strconv.Atoi(style); err == nil && n >= 0 && n <= 3 {
		f.Style = DisplayStyle + Style(n)
	}
	f.Above = p.argument()
	f.Below = p.argument()
	return f
}

// fenced parses \left … \right.
func (p *parser) fenced() Node {
	f := Fenced{}
	f.Left, _ = p.delimiter()
	f.Body, _ = p.row()
	if t := p.next(); p.err == nil && (t.kind != commandToken || t.name != "right") {
		p.fail(`\left has no \right`)
	}
	if p.err == nil {
		f.Right, _ = p.delimiter()
	}
	return f
}

// stack parses a formula with others above and below it.
func (p *parser) stack(name string) Node {
	s := Stack{}
	switch name {
	case "underset":
		s.Under = p.argument()
	case "overunderset":
		s.Over = p.argument()
		s.Under = p.argument()
	default:
		s.Over = p.argument()
	}
	s.Base = p.argument()
	s.Class = classOf(s.Base)
	if name == "stackrel" {
		s.Class = Rel
	}
	return s
}

// classOf is the class of a formula of one sign.
func classOf(row Row) Class {
	if len(row) != 1 {
		return Ord
	}
	switch n := row[0].(type) {
	case Symbol:
		return n.Class
	case Operator:
		return Op
	case Stack:
		return n.Class
	case Classed:
		return n.Class
	case Arrow:
		return Rel
	case Row:
		return classOf(n)
	}
	return Ord
}

// operator parses the name of a function of the writer's own.
func (p *parser) operator(limits bool) Node {
	op := Operator{Limits: Never}
	if limits {
		op.Limits = Display
	}
	source, ok := p.raw()
	if !ok {
		p.fail(`\operatorname lacks a name in braces`)
		return nil
	}
	if name, plain := plainName(source); plain {
		op.Name = name
		return op
	}
	before := p.face
	p.face = Roman
	op.Body = p.within(source)
	p.face = before
	return op
}

// not parses a sign with a stroke through it.
func (p *parser) not() Node {
	row := p.argument()
	if len(row) == 1 {
		if s, ok := row[0].(Symbol); ok {
			if r, ok := negated[s.Rune]; ok {
				return Symbol{r, Rel}
			}
		}
	}
	return Classed{Row{Struck{Body: row, Up: true}}, classOf(row)}
}

// mod parses the commands of remainders.
func (p *parser) mod(name string) Node {
	word := Text{Text: "mod", Face: Roman}
	switch name {
	case "bmod":
		return Classed{Row{word}, Bin}
	case "mod":
		return append(Row{Space{2. / 3}, word, Space{1. / 3}}, p.argument()...)
	case "pod":
		return Row{Space{4. / 9}, Symbol{'(', Open}, p.argument(), Symbol{')', Close}}
	}
	return Row{Space{4. / 9}, Symbol{'(', Open}, word, Space{1. / 3}, p.argument(), Symbol{')', Close}}
}
