package formula

import (
	"strconv"
	"strings"
)

// command parses what a command begins.
func (p *parser) command(t token) Node {
	if n, ok := table().byName[t.name]; ok {
		return p.sign(n)
	}
	if em, ok := spaces[t.name]; ok {
		return Space{em}
	}
	if f, ok := faces[t.name]; ok {
		return p.inFace(f)
	}
	if f, ok := switches[t.name]; ok {
		p.face = f
		return nil
	}
	if f, ok := textFaces[t.name]; ok {
		return p.textArgument(f)
	}
	if r, ok := accents()[t.name]; ok {
		return Accent{Rune: r, Body: p.argument()}
	}
	if s, ok := stretched[t.name]; ok {
		s.Body = p.argument()
		return s
	}
	if r, ok := arrows[t.name]; ok {
		return p.arrow(r)
	}
	if size, class, ok := bigSize(t.name); ok {
		r, _ := p.delimiter()
		return Delimiter{r, size, class}
	}
	if c, ok := classes[t.name]; ok {
		return Classed{p.argument(), c}
	}
	if ignored[t.name] {
		return nil
	}
	if n, ok := p.structure(t.name); ok {
		return n
	}
	p.fail(`the command \%s is not known`, t.name)
	return nil
}

// sign is the formula of a command that is one sign.
func (p *parser) sign(n Node) Node {
	s, ok := n.(Symbol)
	if !ok {
		return n
	}
	if s.Rune >= 'Α' && s.Rune <= 'ϵ' { // Greek: small letters are italic
		face := p.face
		if face != Bold && face != BoldItalic && face != Italic {
			face = Normal
		}
		s.Rune = letter(s.Rune, face)
	}
	if s.Rune == '∂' && p.face == Normal {
		s.Rune = letter(s.Rune, Normal)
	}
	return s
}

// dots is \dots: in the middle between operators, else on the line.
func (p *parser) dots() Node {
	switch t := p.peek(); {
	case t.kind == charToken && strings.ContainsRune("+-=<>*", t.char):
		return Symbol{'⋯', Inner}
	case t.kind == commandToken:
		if s, ok := table().byName[t.name].(Symbol); ok && (s.Class == Bin || s.Class == Rel) {
			return Symbol{'⋯', Inner}
		}
	}
	return Symbol{'…', Inner}
}

// spaces are the commands that leave room, in em.
var spaces = map[string]float64{
	",": 3. / 18, "thinspace": 3. / 18, ":": 4. / 18, ">": 4. / 18, "medspace": 4. / 18, ";": 5. / 18, "thickspace": 5. / 18,
	"!": -3. / 18, "negthinspace": -3. / 18, "negmedspace": -4. / 18, "negthickspace": -5. / 18,
	" ": 1. / 3, "\n": 1. / 3, "\t": 1. / 3, "nobreakspace": 1. / 3, "space": 1. / 3, "enspace": 0.5, "enskip": 0.5, "quad": 1, "qquad": 2,
}

// faces are the commands that set their argument in an alphabet.
var faces = map[string]Face{
	"mathrm": Roman, "mathup": Roman, "mathbf": Bold, "mathit": Italic, "mathnormal": Normal, "boldsymbol": BoldItalic, "bm": BoldItalic, "pmb": BoldItalic,
	"mathbfit": BoldItalic, "mathcal": Calligraphic, "mathscr": Calligraphic, "mathfrak": Fraktur, "frak": Fraktur, "mathbb": Double, "Bbb": Double,
	"mathsf": Sans, "mathtt": Mono, "mathds": Double, "mathbbm": Double, "symbf": Bold, "symbb": Double, "symcal": Calligraphic,
}

// switches are the commands that set the rest of their group in an alphabet.
var switches = map[string]Face{"rm": Roman, "bf": Bold, "it": Italic, "cal": Calligraphic, "sf": Sans, "tt": Mono}

// textFaces are the commands whose argument is words.
var textFaces = map[string]Face{
	"text": Roman, "textrm": Roman, "textnormal": Roman, "textup": Roman, "mbox": Roman, "hbox": Roman, "textmd": Roman, "textsc": Roman,
	"textbf": Bold, "textit": Italic, "emph": Italic, "textsl": Italic, "textsf": Sans, "texttt": Mono,
}

var stretched = map[string]Stretched{
	"overbrace": {Rune: '⏞'}, "underbrace": {Rune: '⏟', Under: true}, "overbracket": {Rune: '⎴'}, "underbracket": {Rune: '⎵', Under: true},
	"overrightarrow": {Rune: '→'}, "overleftarrow": {Rune: '←'}, "overleftrightarrow": {Rune: '↔'},
	"underrightarrow": {Rune: '→', Under: true}, "underleftarrow": {Rune: '←', Under: true}, "underleftrightarrow": {Rune: '↔', Under: true},
	"overparen": {Rune: '⏜'}, "underparen": {Rune: '⏝', Under: true}, "overarc": {Rune: '⏜'}, "wideparen": {Rune: '⏜'},
}

var arrows = map[string]rune{
	"xrightarrow": '→', "xleftarrow": '←', "xleftrightarrow": '↔', "xRightarrow": '⇒', "xLeftarrow": '⇐', "xLeftrightarrow": '⇔',
	"xmapsto": '↦', "xhookrightarrow": '↪', "xhookleftarrow": '↩', "xrightleftharpoons": '⇌', "xlongequal": '=',
}

var classes = map[string]Class{
	"mathord": Ord, "mathbin": Bin, "mathrel": Rel, "mathopen": Open, "mathclose": Close, "mathpunct": Punct, "mathinner": Inner,
}

// ignored are commands without an argument that change nothing here.
var ignored = map[string]bool{
	"nonumber": true, "notag": true, "/": true, "allowbreak": true, "nobreak": true, "relax": true, "strut": true, "mathstrut": true, "hfill": true,
	"large": true, "Large": true, "LARGE": true, "huge": true, "Huge": true, "small": true, "normalsize": true, "footnotesize": true, "tiny": true, "scriptsize": true,
	"displaylimits": true, "boldmath": true, "noindent": true, "centering": true, "hfil": true, "limits": true, "nolimits": true,
}

// bigSize reads the name of \big and its like.
func bigSize(name string) (size int, class Class, ok bool) {
	for i, prefix := range []string{"bigg", "Bigg", "big", "Big"} {
		rest, found := strings.CutPrefix(name, prefix)
		if !found {
			continue
		}
		size = []int{3, 4, 1, 2}[i]
		switch rest {
		case "":
			return size, Ord, true
		case "l":
			return size, Open, true
		case "r":
			return size, Close, true
		case "m":
			return size, Rel, true
		}
		return 0, 0, false
	}
	return 0, 0, false
}

// inFace parses an argument in an alphabet.
func (p *parser) inFace(f Face) Node {
	before := p.face
	p.face = f
	row := p.argument()
	p.face = before
	if len(row) == 1 {
		return row[0]
	}
	return row
}

// arrow parses what stands above and below an arrow.
func (p *parser) arrow(r rune) Node {
	a := Arrow{Rune: r}
	if below, ok := p.option(); ok {
		a.Under = p.within(below)
	}
	a.Over = p.argument()
	return a
}

// within parses a part of the source that was taken as it is written.
func (p *parser) within(source string) Row {
	inner := &parser{lexer: lexer{source: source}, face: p.face, depth: p.depth, nodes: p.nodes}
	row, _ := inner.row()
	if inner.err == nil && inner.peek().kind != endToken {
		inner.fail("%q is not understood here", inner.peek().text(source))
	}
	if p.nodes = inner.nodes; inner.err != nil {
		p.fail("%w", inner.err)
	}
	if row == nil {
		row = Row{}
	}
	return row
}

// delimiter parses a bracket; 0: a dot, for none.
func (p *parser) delimiter() (rune, bool) {
	t := p.next()
	switch t.kind {
	case charToken:
		switch t.char {
		case '.':
			return 0, true
		case '<':
			return '⟨', true
		case '>':
			return '⟩', true
		}
		if strings.ContainsRune(`()[]|/‖⟨⟩⌊⌋⌈⌉∣∥`, t.char) {
			return upright(t.char), true
		}
	case commandToken:
		if s, ok := table().byName[t.name].(Symbol); ok && (s.Class == Open || s.Class == Close || strings.ContainsRune(`|‖\↑↓↕⇑⇓⇕∣∥`, s.Rune)) {
			return upright(s.Rune), true
		}
	}
	p.fail("%q is no bracket", t.text(p.source))
	return 0, false
}

// upright is the bracket for a sign that looks like one.
func upright(r rune) rune {
	switch r {
	case '∣':
		return '|'
	case '∥':
		return '‖'
	}
	return r
}

// length reads a length such as 1.5em; what is not understood is no room.
func length(s string) float64 {
	s = strings.TrimSpace(s)
	for unit, em := range map[string]float64{"em": 1, "ex": 0.43, "mu": 1. / 18, "pt": 0.1, "cm": 2.85, "mm": 0.285, "px": 0.075, "in": 7.2} {
		if number, ok := strings.CutSuffix(s, unit); ok {
			v, _ := strconv.ParseFloat(strings.TrimSpace(number), 64)
			return min(max(v*em, -4), 20)
		}
	}
	return 0
}
