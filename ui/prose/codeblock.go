package prose

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/markdown"
	"inglenook/ui/kit"
)

const (
	codeHeadHeight float32 = 28
	codePadding    float32 = 12
	codeRadius     float32 = 8
)

// code lays out a block of code: a surface with the language and a button
// above the lines. Lines that are too long go on in the next one, indented.
func (s *setter) code(c *markdown.Code, x, width float32) {
	from := s.y
	at := len(s.out.shapes)
	s.shape(shape{})
	s.out.heads = append(s.out.heads, codeHead{c, x, from, width})
	s.y += codeHeadHeight
	var b breaker
	plain := look{face: s.faces.get(s.sizes.code, fyne.TextStyle{Monospace: true}), color: theme.ColorNameForeground}
	start := s.text.Len()
	s.text.WriteString(c.Text)
	done := 0
	for _, span := range s.spans(c) {
		colored := plain
		colored.color = codeColor(span.Class)
		b.add(span.Text, start+done, colored)
		done += len(span.Text)
	}
	b.add(c.Text[done:], start+done, plain)
	pieces := b.lines(s.text.String(), x+codePadding, s.y, width-2*codePadding, s.codePitch, 2*plain.face.width("00"))
	s.out.pieces = append(s.out.pieces, pieces...)
	s.y += s.codePitch*float32(len(pieces)) + codePadding
	s.out.shapes[at] = shape{x: x, y: from, width: width, height: s.y - from, radius: codeRadius, fill: theme.ColorNameInputBackground, stroke: kit.ColorLine}
}

// codeColor is the colour of a class of code.
func codeColor(c markdown.Class) fyne.ThemeColorName {
	switch c {
	case markdown.Keyword:
		return kit.ColorSeries4
	case markdown.Name:
		return kit.ColorSeries2
	case markdown.String, markdown.Inserted:
		return kit.ColorSuccess
	case markdown.Number:
		return theme.ColorNameWarning
	case markdown.Comment:
		return kit.ColorMuted
	case markdown.Deleted:
		return theme.ColorNameError
	}
	return theme.ColorNameForeground
}
