package kit

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// A part of a bar has a colour of its own, and nothing is drawn where there is no room.
func TestBar(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(ThemeLight))
	b := NewBar(6)
	r := test.WidgetRenderer(b).(*barRenderer)
	b.Resize(fyne.NewSize(100, 6))
	b.Set(0.5)
	if r.marked.Visible() {
		t.Error("without a mark one is drawn")
	}
	b.Mark(0.2)
	if at, w := r.marked.Position().X, r.marked.Size().Width; !r.marked.Visible() || at != 30 || w != 20 || r.part.Size().Width != 50 {
		t.Errorf("the mark is at %v and %v wide, behind %v", at, w, r.part.Size().Width)
	}
	b.Resize(fyne.NewSize(0, 6))
	if w := r.part.Size().Width; w != 0 {
		t.Errorf("without room %v is drawn", w)
	}
}

// The dots are there while something is under way, and nowhere else.
func TestWaiting(t *testing.T) {
	test.NewTempApp(t)
	w := NewWaiting()
	if w.View.Visible() {
		t.Error("it waits for nothing")
	}
	w.Set(true)
	if w.View.Visible() != Moves() || !w.On {
		t.Errorf("in view: %v, and things move: %v", w.View.Visible(), Moves())
	}
	w.Set(false)
	if w.View.Visible() || w.On {
		t.Error("it goes on")
	}
}
