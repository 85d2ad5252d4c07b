package ui

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// readout writes one pair of texts out: the cosine and both texts.
type readout struct {
	view   *fyne.Container
	value  *line
	first  *line
	second *line
}

func newReadout() *readout {
	r := &readout{
		value:  newLine("", 20, colorAccent),
		first:  newLine("", textBody, theme.ColorNameForeground),
		second: newLine("", textBody, theme.ColorNameForeground),
	}
	r.value.style.Bold, r.value.whole = true, true
	width := fyne.MeasureText("-0.00", 20, fyne.TextStyle{Bold: true}).Width
	value := container.New(&fixedWidth{width}, r.value)
	r.view = container.NewStack(newSurface(colorTrack, "", 8),
		inset(container.NewBorder(nil, nil, row(gap, value), nil, column(1, r.first, r.second)), 7, 12))
	r.clear()
	return r
}

// show writes a pair out. Places count from 0.
func (r *readout) show(i, j int, a, b string, value float32) {
	r.value.set(cosine(value))
	r.first.setColor(theme.ColorNameForeground)
	r.first.set(fmt.Sprintf("%d  %s", i+1, brief(a)))
	if i == j {
		r.second.set("the same text")
		r.second.setColor(colorMuted)
		return
	}
	r.second.setColor(theme.ColorNameForeground)
	r.second.set(fmt.Sprintf("%d  %s", j+1, brief(b)))
}

// clear says how to read a pair.
func (r *readout) clear() {
	r.value.set("")
	r.first.setColor(colorMuted)
	r.second.setColor(colorMuted)
	r.first.set("Point at a cell to read its pair of texts.")
	r.second.set("Click it, or use the arrow keys, to choose it.")
}
