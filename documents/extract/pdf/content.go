package pdf

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"unicode"

	"inglenook/documents/extract/format"
)

// matrix is [a b c d e f] of the standard: x' = ax + cy + e, y' = bx + dy + f.
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// times returns the matrix that applies m first, then n.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

func (m matrix) finite() bool {
	for _, x := range m {
		if math.IsNaN(x) || math.Abs(x) > 1e9 {
			return false
		}
	}
	return true
}

// A glyph is a character on a page, in coordinates that have its text run to the
// right: x0 to x1 along the line, y upwards.
type glyph struct {
	text   string // "" where the font does not tell
	x0, x1 float64
	y      float64
	size   float64
	bold   bool
	turn   uint8 // quarter turns of the text against the page, counterclockwise
}

// graphics is the part of the graphics state that text depends on.
type graphics struct {
	ctm                               matrix
	font                              *font
	size, charSpace, wordSpace, scale float64
	leading, rise                     float64
}

// interpreter runs the content of one page.
type interpreter struct {
	file   *File
	glyphs []glyph
	state  graphics
	stack  []graphics
	text   matrix // the text matrix, and that of the line's start
	line   matrix
	marks  []mark // open marked content
	images bool   // the page shows pictures
	steps  int
	draws  int       // forms that the page showed
	forms  []*stream // open ones; none shows itself
}

// A mark is open marked content. With actual text, that stands for all glyphs in
// it.
type mark struct {
	actual string
	has    bool
	used   bool
}

const (
	maxGlyphs = 2_000_000 // of a page
	maxForms  = 16        // forms in forms
	maxDraws  = 50_000    // of a page; forms that show others several times grow by powers
	maxStates = 256       // saved graphics states
)

// run interprets content with its resources.
func (in *interpreter) run(content []byte, resources dict, depth int) {
	l := lexer{data: content}
	var operands array
	for {
		if in.steps++; in.steps%256 == 0 && in.file.ended() {
			return
		}
		o := l.next()
		k, ok := o.(keyword)
		if !ok {
			if len(operands) < 64 {
				operands = append(operands, o)
			}
			continue
		}
		switch k {
		case end:
			return
		case "BI":
			in.images = true
			skipInlineImage(&l)
		case "Do":
			in.draw(operands, resources, depth)
		default:
			in.operator(k, operands, resources)
		}
		operands = operands[:0]
		if len(in.glyphs) > maxGlyphs {
			in.file.failed = format.Errorf(format.TooLarge, "a page of it has more than %d characters", maxGlyphs)
			return
		}
	}
}

// skipInlineImage moves behind the EI that ends an image; its data are no
// operators.
func skipInlineImage(l *lexer) {
	i := bytes.Index(l.data[l.at:], []byte("ID"))
	if i < 0 {
		l.at = len(l.data)
		return
	}
	for l.at += i + 2; l.at < len(l.data); {
		i := bytes.Index(l.data[l.at:], []byte("EI"))
		if i < 0 {
			l.at = len(l.data)
			return
		}
		before, after := l.at+i-1, l.at+i+2
		l.at = after
		if isSpace(l.data[before]) && (after >= len(l.data) || isSpace(l.data[after])) {
			return
		}
	}
}

// draw runs a form, or notes that there is a picture.
func (in *interpreter) draw(operands array, resources dict, depth int) {
	if len(operands) == 0 {
		return
	}
	f := in.file
	key, _ := operands[len(operands)-1].(name)
	form := f.stream(f.dict(resources["XObject"])[key])
	if form == nil {
		return
	}
	if f.name(form.dict["Subtype"]) == "Image" {
		in.images = true
		return
	}
	if depth >= maxForms || slices.Contains(in.forms, form) || f.name(form.dict["Subtype"]) != "Form" {
		return
	}
	if in.draws++; in.draws > maxDraws {
		f.failed = format.Errorf(format.TooLarge, "a page of it has more than %d parts", maxDraws)
		return
	}
	saved, open := in.state, len(in.marks)
	if m := f.numbers(form.dict["Matrix"]); len(m) == 6 {
		in.state.ctm = matrix(m).times(in.state.ctm)
	}
	inner := f.dict(form.dict["Resources"])
	if inner == nil {
		inner = resources
	}
	in.forms = append(in.forms, form)
	in.run(f.formContent(form), inner, depth+1)
	in.forms = in.forms[:len(in.forms)-1]
	in.state = saved
	in.marks = in.marks[:min(open, len(in.marks))]
}

// operator does one operator that text depends on.
func (in *interpreter) operator(k keyword, operands array, resources dict) {
	s := &in.state
	n := func(i int) float64 { // the i-th operand, counted from the last
		if i >= len(operands) {
			return 0
		}
		switch v := operands[len(operands)-1-i].(type) {
		case int64:
			return float64(v)
		case float64:
			return v
		}
		return 0
	}
	switch k {
	case "q":
		if len(in.stack) < maxStates {
			in.stack = append(in.stack, *s)
		}
	case "Q":
		if last := len(in.stack) - 1; last >= 0 {
			*s, in.stack = in.stack[last], in.stack[:last]
		}
	case "cm":
		s.ctm = matrix{n(5), n(4), n(3), n(2), n(1), n(0)}.times(s.ctm)
	case "BT":
		in.text, in.line = identity, identity
	case "Tc":
		s.charSpace = n(0)
	case "Tw":
		s.wordSpace = n(0)
	case "Tz":
		s.scale = n(0) / 100
	case "TL":
		s.leading = n(0)
	case "Ts":
		s.rise = n(0)
	case "Tf":
		if len(operands) >= 2 {
			s.size = n(0)
			key, _ := operands[len(operands)-2].(name)
			s.font = in.file.fontOf(in.file.dict(resources["Font"])[key])
		}
	case "gs":
		in.extend(operands, resources)
	case "Td":
		in.move(n(1), n(0))
	case "TD":
		s.leading = -n(0)
		in.move(n(1), n(0))
	case "Tm":
		in.line = matrix{n(5), n(4), n(3), n(2), n(1), n(0)}
		in.text = in.line
	case "T*":
		in.move(0, -s.leading)
	case "Tj":
		in.show(operands)
	case "'":
		in.move(0, -s.leading)
		in.show(operands)
	case "\"":
		s.wordSpace, s.charSpace = n(2), n(1)
		in.move(0, -s.leading)
		in.show(operands)
	case "TJ":
		if len(operands) > 0 {
			pieces, _ := operands[len(operands)-1].(array)
			in.show(pieces)
		}
	case "BMC":
		in.marks = append(in.marks, mark{})
	case "BDC":
		in.mark(operands, resources)
	case "EMC":
		if last := len(in.marks) - 1; last >= 0 {
			in.marks = in.marks[:last]
		}
	}
}

// extend applies the font of an extended graphics state.
func (in *interpreter) extend(operands array, resources dict) {
	if len(operands) == 0 {
		return
	}
	f := in.file
	key, _ := operands[0].(name)
	if set := f.array(f.dict(f.dict(resources["ExtGState"])[key])["Font"]); len(set) == 2 {
		in.state.font, in.state.size = f.fontOf(set[0]), f.number(set[1])
	}
}

func (in *interpreter) mark(operands array, resources dict) {
	if len(in.marks) >= maxStates || len(operands) == 0 {
		return
	}
	f := in.file
	properties, ok := operands[len(operands)-1].(dict)
	if key, isName := operands[len(operands)-1].(name); isName && !ok {
		properties = f.dict(f.dict(resources["Properties"])[key])
	}
	m := mark{}
	if actual, ok := f.resolve(properties["ActualText"]).(text); ok {
		m.actual, m.has = decodeText(string(actual)), true
	}
	in.marks = append(in.marks, m)
}

func (in *interpreter) move(x, y float64) {
	in.line = matrix{1, 0, 0, 1, x, y}.times(in.line)
	in.text = in.line
}

// show adds the glyphs of strings; numbers between them move in thousandths of the
// size.
func (in *interpreter) show(pieces array) {
	s := &in.state
	if s.font == nil {
		return
	}
	for _, piece := range pieces {
		switch p := piece.(type) {
		case int64:
			in.advance(-float64(p) / 1000 * s.size * s.scale)
		case float64:
			in.advance(-p / 1000 * s.size * s.scale)
		case text:
			s.font.decode(string(p), in.add)
		}
	}
}

func (in *interpreter) advance(x float64) {
	in.text[4] += x * in.text[0]
	in.text[5] += x * in.text[1]
}

// add places one character and moves behind it.
func (in *interpreter) add(c code) {
	s := &in.state
	width := c.width * s.size
	space := s.charSpace
	if c.space {
		space += s.wordSpace
	}
	at := matrix{s.size * s.scale, 0, 0, s.size, 0, s.rise}.times(in.text).times(s.ctm)
	in.advance((width + space) * s.scale)
	if !at.finite() || len(in.glyphs) > maxGlyphs {
		return
	}
	along := math.Hypot(at[0], at[1])
	size := math.Abs(at[0]*at[3]-at[1]*at[2]) / max(along, 1e-9) // the height over the base line
	g := glyph{text: in.actualText(c.text), size: size, bold: s.font.bold, turn: quarterTurns(at[0], at[1])}
	x, y := turned(at[4], at[5], g.turn)
	length := c.width * along
	g.x0, g.x1, g.y = x, x+length, y
	if length < 0 {
		g.x0, g.x1 = g.x1, g.x0
	}
	in.glyphs = append(in.glyphs, g)
}

// quarterTurns is the direction of a line of text, to the nearest quarter.
func quarterTurns(x, y float64) uint8 {
	switch {
	case math.Abs(x) >= math.Abs(y) && x >= 0:
		return 0
	case math.Abs(x) >= math.Abs(y):
		return 2
	case y > 0:
		return 1
	}
	return 3
}

// turned turns a point back so that its text runs to the right.
func turned(x, y float64, turn uint8) (float64, float64) {
	switch turn {
	case 1:
		return y, -x
	case 2:
		return -x, -y
	case 3:
		return -y, x
	}
	return x, y
}

// actualText replaces the text of a glyph by that of the marked content around it:
// the first glyph has all of it.
func (in *interpreter) actualText(text string) string {
	for i := range in.marks {
		if m := &in.marks[i]; m.has {
			if m.used {
				return ""
			}
			m.used = true
			return m.actual
		}
	}
	return text
}

// decodeText reads a text string: UTF-16 or UTF-8 with a mark, else
// PDFDocEncoding, which is close to Latin-1.
func decodeText(s string) string {
	switch {
	case strings.HasPrefix(s, "\xfe\xff"):
		return textOf(text(s[2:]))
	case strings.HasPrefix(s, "\xef\xbb\xbf"):
		return s[3:]
	}
	c := baseCodes("WinAnsiEncoding")
	var b strings.Builder
	for i := range len(s) {
		b.WriteString(c[s[i]])
	}
	return strings.TrimFunc(b.String(), unicode.IsControl)
}
