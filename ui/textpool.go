package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// textPool lends text objects to a layout. A layout must not make new objects
// each time it runs: Fyne lays out anew whenever it finds new ones.
type textPool struct {
	texts []*canvas.Text
	used  int
}

// begin takes all texts back.
func (p *textPool) begin() { p.used = 0 }

// next lends a text.
func (p *textPool) next(s string, size float32, style fyne.TextStyle, c color.Color) *canvas.Text {
	if p.used == len(p.texts) {
		p.texts = append(p.texts, canvas.NewText("", c))
	}
	t := p.texts[p.used]
	p.used++
	t.Text, t.TextSize, t.TextStyle, t.Color, t.Alignment = s, size, style, c, fyne.TextAlignLeading
	t.Show()
	return t
}

// end hides what was not lent.
func (p *textPool) end() {
	for _, t := range p.texts[p.used:] {
		t.Hide()
	}
}

// lent returns the texts in use.
func (p *textPool) lent() []*canvas.Text { return p.texts[:p.used] }

// addTo appends all texts, in use or not, to the objects of a renderer.
func (p *textPool) addTo(objects []fyne.CanvasObject) []fyne.CanvasObject {
	for _, t := range p.texts {
		objects = append(objects, t)
	}
	return objects
}
