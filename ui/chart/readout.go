package chart

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// Readout writes one pair of texts out: the cosine and both texts.
type Readout struct {
	View   *fyne.Container
	Value  *kit.Line
	First  *kit.Line
	Second *kit.Line

	value *fyne.Container
}

func NewReadout() *Readout {
	r := &Readout{
		Value:  kit.NewLine("", 20, kit.ColorAccent),
		First:  kit.NewLine("", kit.TextBody, theme.ColorNameForeground),
		Second: kit.NewLine("", kit.TextBody, theme.ColorNameForeground),
	}
	r.Value.Style.Bold, r.Value.Whole = true, true
	width := fyne.MeasureText("-0.00", 20, fyne.TextStyle{Bold: true}).Width
	r.value = kit.Row(kit.Gap, container.New(&kit.FixedWidth{Width: width}, r.Value))
	r.View = container.NewStack(kit.NewSurface(kit.ColorTrack, "", 8),
		kit.Inset(container.NewBorder(nil, nil, r.value, nil, kit.Column(1, r.First, r.Second)), 7, 12))
	r.Clear()
	return r
}

// Show writes a pair out. Places count from 0.
func (r *Readout) Show(i, j int, a, b string, value float32) {
	r.Value.Set(kit.Cosine(value))
	kit.Show(r.value, true)
	r.First.SetColor(theme.ColorNameForeground)
	r.First.Set(fmt.Sprintf("%d  %s", i+1, kit.Brief(a)))
	if i == j {
		r.Second.Set("the same one")
		r.Second.SetColor(kit.ColorMuted)
		return
	}
	r.Second.SetColor(theme.ColorNameForeground)
	r.Second.Set(fmt.Sprintf("%d  %s", j+1, kit.Brief(b)))
}

// Clear says how to read a pair.
func (r *Readout) Clear() {
	r.Value.Set("")
	kit.Show(r.value, false) // the sentences need the room
	r.First.SetColor(kit.ColorMuted)
	r.Second.SetColor(kit.ColorMuted)
	r.First.Set("Point at a cell to read its two texts; click to select it.")
	r.Second.Set("The closer to 1, the more alike. The wheel zooms.")
}
