package chart

import (
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// The wheel makes the map larger around the pointer, dragging moves it, and 0 shows all of it
// again. What is out of view cannot be clicked.
func TestMapZoom(t *testing.T) {
	uitest.LightApp(t)
	m := NewPointMap(&kit.Keyboard{})
	w := test.NewTempWindow(t, m)
	w.Resize(fyne.NewSize(400, 300))
	m.Set([]string{"a", "b", "c"}, [][2]float64{{-1, -1}, {1, 1}, {0.5, 0}})
	m.SetGroups([]int{0, 1, 9})
	size := m.Size()
	before := m.places(size)
	at := before[2]
	near := func(a, b fyne.Position) bool { return math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y)) < 0.5 }
	for range 6 {
		m.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: at}, Scrolled: fyne.Delta{DY: 10}})
	}
	after := m.places(size)
	if !near(after[2], at) || m.zoom < 3 || inView(after[0], size) {
		t.Fatalf("zoomed %v times, the point under the pointer went from %v to %v", m.zoom, at, after[2])
	}
	if m.at(after[0]) == 0 && inView(after[0], size) {
		t.Error("a point out of view is found")
	}
	m.Dragged(&fyne.DragEvent{Dragged: fyne.Delta{DX: 30, DY: -20}})
	if got := m.places(size)[2]; !near(got, at.AddXY(30, -20)) {
		t.Errorf("dragged, the point is at %v", got)
	}
	m.Dragged(&fyne.DragEvent{Dragged: fyne.Delta{DX: 1e6, DY: 1e6}})
	if got := m.places(size); got[0].X > size.Width || got[1].Y > size.Height {
		t.Errorf("the map can be dragged out of view: %v", got)
	}
	m.Choose(1, []int{2}, func(int) float64 { return 1 })
	if p := m.places(size)[1]; !inView(p, size) {
		t.Errorf("the chosen point is at %v", p)
	}
	m.TypedRune('0')
	for i, p := range m.places(size) {
		if !near(p, before[i]) {
			t.Errorf("all shown again, point %d is at %v, not %v", i, p, before[i])
		}
	}
	m.TypedRune('+')
	if m.zoom <= 1 {
		t.Error("+ does nothing")
	}
}
