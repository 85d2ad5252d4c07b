package prose

import (
	"math"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/markdown"
	"inglenook/ui/kit"
)

// sizes are those of one message. A line is taller than its text: messages are read,
// not scanned.
type sizes struct {
	text, code   float32
	linePitch    float32 // of body text
	codePitch    float32
	largeHeading float32 // as tall as 20 beside 13
}

// sizesOf returns the sizes for body text of a size.
func sizesOf(text float32) sizes {
	code := kit.Sharp(text-1, fyne.TextStyle{Monospace: true})
	return sizes{text: text, code: code, linePitch: whole(text * 22 / 15), codePitch: whole(code * 20 / 14), largeHeading: whole(text * 20 / 13)}
}

// whole rounds to whole pixels.
func whole(size float32) float32 { return float32(math.Round(float64(size))) }

// Sizes that do not grow with the text.
const (
	blockGap     float32 = 11
	listIndent   float32 = 22
	quoteIndent  float32 = 16
	narrowest    float32 = 48 // what is left for text, however deep it is nested
	headingAbove float32 = 8  // beside the gap
)

// set is a block of a message laid out at one width.
type set struct {
	block  markdown.Block
	height float32
	top    float32 // within the message
	text   string  // what is copied
	pieces []piece // in the order of the text
	shapes []shape // behind the text
	heads  []codeHead
	maths  [][2]int // the bytes of each formula
	moving []movingMath
	colors int  // of its code: grows with each change
	grew   bool // it might have been going on when it was laid out
}

// shape is a plain area, or a tick.
type shape struct {
	x, y, width, height float32
	radius              float32
	fill, stroke        fyne.ThemeColorName // empty: none
	tick                bool
}

// codeHead is the line above code with its language and its button.
type codeHead struct {
	code       *markdown.Code
	x, y, wide float32
}

// setter lays a block out.
type setter struct {
	sizes
	faces faces
	maths maths
	spans func(*markdown.Code) []markdown.Span
	out   *set
	text  strings.Builder
	y     float32
	depth int // of lists
}

// setBlock lays out a block at a width.
func setBlock(b markdown.Block, width float32, z sizes, f faces, m maths, spans func(*markdown.Code) []markdown.Span) *set {
	s := &setter{sizes: z, faces: f, maths: m, spans: spans, out: &set{block: b}}
	s.set(b, 0, max(width, narrowest), theme.ColorNameForeground)
	s.out.height, s.out.text = s.y, s.text.String()
	return s.out
}

// set lays out one block below what is there.
func (s *setter) set(b markdown.Block, x, width float32, color fyne.ThemeColorName) {
	width = max(width, narrowest)
	switch b := b.(type) {
	case *markdown.Heading:
		s.heading(b, x, width, color)
	case *markdown.Paragraph:
		s.paragraph(b.Text, x, width, s.body(color))
	case *markdown.Code:
		s.code(b, x, width)
	case *markdown.Quote:
		from := s.y
		s.stack(b.Blocks, x+quoteIndent, width-quoteIndent, kit.ColorMuted, blockGap, "\n\n")
		s.shape(shape{x: x + 1, y: from, width: 3, height: max(s.y-from, s.linePitch), radius: 1.5, fill: theme.ColorNameInputBorder})
	case *markdown.List:
		s.list(b, x, width, color)
	case *markdown.Table:
		s.table(b, x, width, color)
	case *markdown.Rule:
		s.shape(shape{x: x, y: s.y + blockGap/2, width: width, height: 1, fill: theme.ColorNameInputBorder})
		s.text.WriteString("---")
		s.y += blockGap + 1
	case *markdown.HTML:
		s.mono(b.Text, x, width, kit.ColorMuted)
	}
}

// stack lays blocks out one below the other.
func (s *setter) stack(blocks []markdown.Block, x, width float32, color fyne.ThemeColorName, space float32, between string) {
	for i, b := range blocks {
		if i > 0 {
			s.text.WriteString(between)
			s.y += space + above(b)
		}
		s.set(b, x, width, color)
	}
}

// above is the room that a block wants over it, beside the usual gap.
func above(b markdown.Block) float32 {
	if h, ok := b.(*markdown.Heading); ok && h.Level <= 3 {
		return headingAbove
	}
	return 0
}

func (s *setter) shape(a shape) { s.out.shapes = append(s.out.shapes, a) }

// body is how running text looks.
func (s *setter) body(color fyne.ThemeColorName) look {
	return look{face: s.faces.get(s.sizes.text, fyne.TextStyle{}), color: color}
}

func (s *setter) heading(h *markdown.Heading, x, width float32, color fyne.ThemeColorName) {
	body := s.sizes.text
	size := []float32{s.largeHeading, whole(body * 17 / 13), body + 2, body, body, body}[min(max(h.Level, 1), 6)-1]
	size = kit.Sharp(size, fyne.TextStyle{Bold: true})
	if h.Level > 4 {
		color = kit.ColorMuted
	}
	base := look{face: s.faces.get(size, fyne.TextStyle{Bold: true}), color: color}
	s.flow(h.Text, x, width, base, s.linePitch*size/body*0.95, markdown.AlignDefault)
}

func (s *setter) paragraph(text []markdown.Inline, x, width float32, base look) {
	s.flow(text, x, width, base, s.linePitch, markdown.AlignDefault)
}

// flow breaks inline text into lines below what is there.
func (s *setter) flow(text []markdown.Inline, x, width float32, base look, pitch float32, align markdown.Align) {
	before, formula, after := s.apart(text, base)
	if formula == nil {
		s.running(text, x, width, base, pitch, align)
		return
	}
	if len(before) > 0 {
		s.running(before, x, width, base, pitch, align)
		s.write(&breaker{}, "\n", base)
	}
	s.display(*formula, x, width, base)
	if len(after) > 0 {
		s.write(&breaker{}, "\n", base)
		s.flow(after, x, width, base, pitch, align)
	}
}

// running breaks inline text without formulas of their own line into lines.
func (s *setter) running(text []markdown.Inline, x, width float32, base look, pitch float32, align markdown.Align) {
	var b breaker
	start := s.text.Len()
	s.inlines(&b, text, base)
	whole := s.text.String()
	pieces := b.lines(whole, x, s.y, width, pitch, 0)
	some, first := goesLeft(whole[start:])
	for i := range pieces {
		pieces[i].arrange(whole, x, width, align, some, first)
	}
	s.out.pieces = append(s.out.pieces, pieces...)
	s.y += heightOf(pieces)
}

// heightOf is the height of lines one below the other.
func heightOf(pieces []piece) (height float32) {
	for i := range pieces {
		height += pieces[i].height
	}
	return height
}

// mono lays out text of which every line counts, such as code.
func (s *setter) mono(text string, x, width float32, color fyne.ThemeColorName) {
	var b breaker
	l := look{face: s.faces.get(s.sizes.code, fyne.TextStyle{Monospace: true}), color: color}
	b.add(text, s.text.Len(), l)
	s.text.WriteString(text)
	pieces := b.lines(s.text.String(), x, s.y, width, s.codePitch, 2*l.face.width("00"))
	s.out.pieces = append(s.out.pieces, pieces...)
	s.y += s.codePitch * float32(len(pieces))
}

// inlines writes inline text and splits it into atoms.
func (s *setter) inlines(b *breaker, text []markdown.Inline, base look) {
	for _, n := range text {
		switch n := n.(type) {
		case markdown.Text:
			s.write(b, n.Text, s.styled(base, n.Style))
		case markdown.Link:
			s.anchor(b, &n, base)
		case markdown.Image:
			image := s.styled(base, markdown.Emphasis)
			image.color, image.tinted = kit.ColorMuted, true
			s.write(b, imageLabel(n), image)
		case markdown.Math:
			s.math(b, n, base)
		case markdown.Break:
			s.write(b, "\n", base)
		case markdown.Ref:
			s.ref(b, n, base)
		}
	}
}

// anchor writes a link. One that does not lead into the web cannot be followed:
// it is text, with the address behind it.
func (s *setter) anchor(b *breaker, n *markdown.Link, base look) {
	if n.Web {
		base.link, base.color = n, kit.ColorAccent
		s.inlines(b, n.Text, base)
		return
	}
	s.inlines(b, n.Text, base)
	if n.Address != "" && !strings.HasSuffix(n.Address, markdown.PlainText(n.Text)) {
		base.color = kit.ColorMuted
		s.write(b, " ("+n.Address+")", base)
	}
}

// ref writes a reference of the program's own, so that it stays with the word before it.
func (s *setter) ref(b *breaker, n markdown.Ref, base look) {
	s.write(b, "\u00a0", base)
	sign := look{face: s.faces.get(kit.TextSmall, fyne.TextStyle{Bold: true}), color: kit.ColorAccent, ref: true}
	if strings.Trim(n.Label, "0123456789") != "" {
		sign.color = theme.ColorNameWarning
	}
	sign.link = &markdown.Link{Address: n.Address}
	s.write(b, "["+n.Label+"]", sign)
}

// imageLabel returns the text in the place of a picture.
func imageLabel(n markdown.Image) string {
	label := "Image"
	if n.Description != "" {
		label += ": " + n.Description
	}
	if n.Host != "" {
		label += " (" + n.Host + ")"
	}
	return label
}

func (s *setter) write(b *breaker, text string, l look) {
	b.add(text, s.text.Len(), l)
	s.text.WriteString(text)
}

// styled is base with a style on top.
func (s *setter) styled(base look, style markdown.Style) look {
	if style == 0 {
		return base
	}
	l, font, size := base, base.face.style, base.face.size
	font.Bold = font.Bold || style&markdown.Strong != 0
	font.Italic = font.Italic || style&markdown.Emphasis != 0
	if style&markdown.CodeSpan != 0 {
		font, size = fyne.TextStyle{Monospace: true, Bold: font.Bold}, size*s.sizes.code/s.sizes.text
		l.tinted = true
	}
	l.struck = l.struck || style&markdown.Strike != 0
	l.doubted = l.doubted || style&markdown.Doubted != 0
	l.face = s.faces.get(size, font)
	return l
}

func (s *setter) list(l *markdown.List, x, width float32, color fyne.ThemeColorName) {
	space, between := float32(3), "\n"
	if !l.Tight {
		space, between = blockGap-3, "\n\n"
	}
	base := s.body(color)
	indent := listIndent
	if l.Ordered {
		last := strconv.Itoa(l.Start + len(l.Items) - 1)
		indent = max(indent, base.face.width(last+".")+kit.Gap)
	}
	s.depth++
	for i, item := range l.Items {
		if i > 0 {
			s.text.WriteString(between)
			s.y += space
		}
		s.text.WriteString(strings.Repeat("  ", s.depth-1))
		s.marker(l, i, x, indent, base)
		from := s.y
		inner := "\n\n"
		if l.Tight {
			inner = "\n"
		}
		s.stack(item.Blocks, x+indent, width-indent, color, max(space, 4), inner)
		s.y = max(s.y, from+s.linePitch)
	}
	s.depth--
}

// marker draws what an item begins with.
func (s *setter) marker(l *markdown.List, i int, x, indent float32, base look) {
	switch task := l.Items[i].Task; {
	case task != markdown.NoTask:
		s.checkbox(task == markdown.DoneTask, x+indent-20)
		return
	case !l.Ordered:
		s.bullet(x + indent - kit.GapWide)
		return
	}
	base.color = kit.ColorMuted
	label := strconv.Itoa(l.Start+i) + "."
	start, wide := s.text.Len(), base.face.width(label)
	s.text.WriteString(label)
	at := x + indent - kit.Gap + 1 - wide
	p := piece{x: at, y: s.y, width: wide, height: s.linePitch, base: (s.linePitch-base.face.height)/2 + base.face.base, start: start, end: s.text.Len()}
	p.runs = []run{{look: base, x: at, width: wide, start: start, end: p.end}}
	s.out.pieces = append(s.out.pieces, p)
	s.text.WriteByte(' ')
}

// bullet is a disc, within a list a ring, below that a square.
func (s *setter) bullet(x float32) {
	dot := shape{x: x + 2, y: s.y + (s.linePitch-5)/2 + 1, width: 5, height: 5, radius: 2.5, fill: kit.ColorMuted}
	switch {
	case s.depth == 2:
		dot.fill, dot.stroke = "", kit.ColorMuted
		dot.x, dot.y, dot.width, dot.height, dot.radius = dot.x-0.5, dot.y-0.5, 6, 6, 3
	case s.depth > 2:
		dot.radius = 0.5
	}
	s.shape(dot)
	s.text.WriteString("• ")
}

func (s *setter) checkbox(done bool, x float32) {
	const side = 13
	box := shape{x: x, y: s.y + (s.linePitch-side)/2, width: side, height: side, radius: 3.5, fill: theme.ColorNameInputBackground, stroke: kit.ColorMuted}
	if done {
		box.fill, box.stroke = theme.ColorNamePrimary, ""
		s.text.WriteString("[x] ")
	} else {
		s.text.WriteString("[ ] ")
	}
	s.shape(box)
	if done {
		s.shape(shape{x: box.x, y: box.y, width: side, height: side, fill: theme.ColorNameForegroundOnPrimary, tick: true})
	}
}
