package documents

import (
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/ui/panel"
	"inglenook/ui/scripted"
)

// The border between the list and the document can be dragged, within bounds, and stays where it is
// left, also after the next start.
func TestBorderIsDragged(t *testing.T) {
	kept := scripted.NewDocuments()
	kept.Put("Home", map[string]string{"/papers/lease.txt": lease})
	b := newBench(t, kept)
	pair := b.panel.pair.Objects
	edge := pair[2].(*panel.Edge)
	before := pair[0].Size().Width
	edge.Dragged(&fyne.DragEvent{Dragged: fyne.Delta{DX: 30}})
	if got := pair[0].Size().Width; got < before+29 || got > before+31 || pair[1].Position().X != got+pairGap {
		t.Errorf("dragged by 30, the list is %v wide instead of %v", got, before)
	}
	edge.Dragged(&fyne.DragEvent{Dragged: fyne.Delta{DX: -2000}})
	if got := pair[0].Size().Width; got < leastHalf-1 || got > leastHalf+1 {
		t.Errorf("dragged to the side, the list is %v wide", got)
	}
	edge.DragEnd()
	b.Saver.Flush()
	share := b.Host.App.Settings().Documents.ListShare
	next := New(b.Host, kept, b.Double, func(string, string) (int, error) { return 0, nil }, func(string, int) {})
	next.pair.Resize(b.panel.pair.Size())
	if got := next.pair.Objects[0].Size().Width; share == 0 || got < leastHalf-1 || got > leastHalf+1 {
		t.Errorf("after a start the list is %v wide, by %v", got, share)
	}
}

// What was found stays in view where the window becomes narrow.
func TestFoundStaysInANarrowWindow(t *testing.T) {
	b := withLease(t)
	b.panel.panes.Front(panel.PaneWork)
	b.Window.Resize(fyne.NewSize(1200, 800))
	b.search(t, "sixty days")
	b.Window.Resize(fyne.NewSize(556, 420))
	if !b.panel.panes.Switch.Visible() || !b.panel.results.view.Visible() || b.panel.collections.view.Visible() {
		t.Error("the files took the place of what was found")
	}
}
