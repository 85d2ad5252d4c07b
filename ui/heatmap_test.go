package ui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"inglenook/app"
)

// resultOf compares n texts.
func resultOf(n int) app.SimilarityResult {
	random := rand.New(rand.NewPCG(1, 2))
	lines := make([]string, n)
	for i := range lines {
		var b strings.Builder
		for range 3 + random.IntN(9) {
			b.WriteString(string(rune('a'+random.IntN(26))) + "e ")
		}
		lines[i] = b.String()
	}
	return letterResult(lines, app.Model{Name: "letters"})
}

func TestHeatMapFitsEverySize(t *testing.T) {
	lightApp(t)
	h := newHeatMap(&keyboard{})
	for _, n := range []int{1, 2, 3, 10, 24, 60, 500, 2000} {
		r := resultOf(n)
		h.show(r.Texts, r.Matrix)
		for _, size := range []fyne.Size{{Width: 120, Height: 100}, {Width: 410, Height: 330}, {Width: 1300, Height: 900}, {Width: 300, Height: 900}} {
			h.Resize(size)
			g := h.grid(size)
			right, bottom := g.left+g.cell.Width*float32(n), g.top+g.cell.Height*float32(n)
			if g.cell.Width <= 0 || g.cell.Height <= 0 || right > size.Width+0.1 || bottom > size.Height+0.1 || g.left < 0 {
				t.Errorf("%d texts in %v: cells of %v from %v,%v", n, size, g.cell, g.left, g.top)
			}
			for _, k := range []int{0, n / 2, n - 1} {
				at := fyne.NewPos(g.left+(float32(k)+0.5)*g.cell.Width, g.top+(float32(n-1-k)+0.5)*g.cell.Height)
				if row, column, ok := g.at(at); !ok || row != n-1-k || column != k {
					t.Errorf("%d texts in %v: cell %d,%d found as %d,%d", n, size, n-1-k, k, row, column)
				}
			}
		}
	}
	h.show(nil, nil)
	h.TypedKey(key(fyne.KeyDown))
	h.MouseMoved(&desktop.MouseEvent{})
}

func TestHeatMapValues(t *testing.T) {
	lightApp(t)
	h := newHeatMap(&keyboard{})
	h.Resize(fyne.NewSize(390, 560))
	values := func(n int) []*canvas.Text {
		r := resultOf(n)
		h.show(r.Texts, r.Matrix)
		test.WidgetRenderer(h)
		return h.current.values.lent()
	}
	for i, v := range values(3) {
		if want := cosine(h.matrix[i/3][i%3]); v.Text != want {
			t.Errorf("cell %d says %q, want %q", i, v.Text, want)
		}
	}
	if got := values(10); len(got) != 100 || got[0].Text != "1" || !strings.HasPrefix(got[1].Text, ".") {
		t.Errorf("10 texts: %d values, the first are %q, %q", len(got), got[0].Text, got[1].Text)
	}
	if got := values(100); len(got) != 0 {
		t.Errorf("100 texts: %d values", len(got))
	}
	m := h.paint(200, 200)
	if c := m.At(1, 1); c != h.scale.at(1) {
		t.Errorf("the first cell is %v, want %v", c, h.scale.at(1))
	}
}

func TestPointMap(t *testing.T) {
	lightApp(t)
	m := newPointMap(&keyboard{})
	chosen := -1
	m.chosen = func(i int) { chosen = i }
	size := fyne.NewSize(300, 220)
	m.Resize(size)
	for _, n := range []int{0, 1, 2, 10, 500} {
		r := resultOf(n)
		m.show(r.Texts, r.Points)
		for i, p := range m.places(size) {
			if p.X < 0 || p.Y < 0 || p.X > size.Width || p.Y > size.Height {
				t.Errorf("%d points: point %d is at %v", n, i, p)
			}
		}
		m.paint(300, 220)
	}
	m.show([]string{"left", "right", "up", "down", "middle"}, [][2]float64{{-1, 0}, {1, 0}, {0, 1}, {0, -1}, {0, 0}})
	m.choose(4, []int{0, 1, 2}, func(int) float64 { return 0.5 })
	for name, want := range map[fyne.KeyName]int{fyne.KeyLeft: 0, fyne.KeyRight: 1, fyne.KeyUp: 2, fyne.KeyDown: 3} {
		if m.TypedKey(key(name)); chosen != want {
			t.Errorf("%s leads to point %d, want %d", name, chosen, want)
		}
	}
	m.Tapped(&fyne.PointEvent{Position: m.places(size)[1].AddXY(3, -2)})
	if chosen != 1 {
		t.Errorf("a click at point 1 chose %d", chosen)
	}
	m.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: m.places(size)[2]}})
	if !m.current.tip.Visible() || !strings.Contains(m.current.tipText.Text, "up") {
		t.Errorf("the tip says %q", m.current.tipText.Text)
	}
	m.MouseOut()
	if m.current.tip.Visible() {
		t.Error("the tip stays")
	}
	for k, l := range m.current.labels.lent() {
		if k == 0 && !strings.Contains(l.Text, "middle") {
			t.Errorf("the first label is %q", l.Text)
		}
	}
	m.show([]string{"same", "same"}, [][2]float64{{0, 0}, {0, 0}})
	m.choose(0, []int{1}, nil)
}

func BenchmarkHeatMap(b *testing.B) {
	lightApp(b)
	for _, n := range []int{10, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			h := newHeatMap(&keyboard{})
			r := resultOf(n)
			h.show(r.Texts, r.Matrix)
			for b.Loop() {
				h.paint(800, 800)
			}
		})
	}
}

func TestShortCosine(t *testing.T) {
	for v, want := range map[float32]string{0.42: ".42", -0.05: "-.05", 1: "1"} {
		if got := shortCosine(v); got != want {
			t.Errorf("%v is written %q", v, got)
		}
	}
}
