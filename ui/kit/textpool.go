package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// TextPool lends text objects to a layout. A layout must not make new objects
// each time it runs: Fyne lays out again whenever it finds new ones.
type TextPool struct {
	Texts []*canvas.Text
	Used  int
}

// Begin takes all texts back.
func (p *TextPool) Begin() { p.Used = 0 }

// Next lends a text.
func (p *TextPool) Next(s string, size float32, style fyne.TextStyle, c color.Color) *canvas.Text {
	if p.Used == len(p.Texts) {
		p.Texts = append(p.Texts, canvas.NewText("", c))
	}
	t := p.Texts[p.Used]
	p.Used++
	t.Text, t.TextSize, t.TextStyle, t.Color, t.Alignment = bounded(s), size, style, c, fyne.TextAlignLeading
	t.Show()
	return t
}

// End hides what was not lent.
func (p *TextPool) End() {
	for _, t := range p.Texts[p.Used:] {
		t.Hide()
	}
}

// Lent returns the texts in use.
func (p *TextPool) Lent() []*canvas.Text { return p.Texts[:p.Used] }

// AddTo appends all texts, in use or not, to the objects of a renderer.
func (p *TextPool) AddTo(objects []fyne.CanvasObject) []fyne.CanvasObject {
	for _, t := range p.Texts {
		objects = append(objects, t)
	}
	return objects
}
