package kit

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

// The selected row stays in sight when the list gets another width or less height.
func TestListKeepsItsRowInSight(t *testing.T) {
	test.NewTempApp(t)
	row := strings.Repeat("some words of a paragraph ", 12)
	l := NewList(&Keyboard{}, ListRows{
		Length: func() int { return 80 }, ID: func(i int) int64 { return int64(i) },
		Create: func(int) fyne.CanvasObject {
			o := widget.NewLabel(row)
			o.Wrapping = fyne.TextWrapWord
			return o
		},
		Guess: func(int, float32) float32 { return 20 }, // far too low
	})
	w := test.NewTempWindow(t, l)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(700, 600))
	l.Reset()
	l.Stick = false
	l.Choose(40)
	if !l.seesCurrent() {
		t.Fatal("the row is not in sight to begin with")
	}
	for _, size := range []fyne.Size{{Width: 500, Height: 600}, {Width: 900, Height: 300}, {Width: 400, Height: 400}, {Width: 700, Height: 250}} {
		w.Resize(size)
		if !l.seesCurrent() {
			t.Errorf("at %v the row is at %v, and %v is in sight", size, l.tops[40], l.Scroll.Offset.Y)
		}
	}
}
