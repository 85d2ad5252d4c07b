package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// resultOf compares n texts.
func resultOf(n int) texts.SimilarityResult {
	random := rand.New(rand.NewPCG(1, 2))
	lines := make([]string, n)
	for i := range lines {
		var b strings.Builder
		for range 3 + random.IntN(9) {
			b.WriteString(string(rune('a'+random.IntN(26))) + "e ")
		}
		lines[i] = b.String()
	}
	return uitest.LetterResult(lines, library.Model{Name: "letters"})
}

func TestHeatMapFitsEverySize(t *testing.T) {
	uitest.LightApp(t)
	h := NewHeatMap(&kit.Keyboard{})
	for _, n := range []int{1, 2, 3, 10, 24, 60, 500, 2000} {
		r := resultOf(n)
		h.Set(r.Texts, r.Matrix)
		for _, size := range []fyne.Size{{Width: 120, Height: 100}, {Width: 410, Height: 330}, {Width: 1300, Height: 900}, {Width: 300, Height: 900}} {
			h.Resize(size)
			g := h.Grid(size)
			right, bottom := g.Left+g.Cell.Width*float32(n), g.Top+g.Cell.Height*float32(n)
			if g.Cell.Width <= 0 || g.Cell.Height <= 0 || right > size.Width+0.1 || bottom > size.Height+0.1 || g.Left < 0 {
				t.Errorf("%d texts in %v: cells of %v from %v,%v", n, size, g.Cell, g.Left, g.Top)
			}
			for _, k := range []int{0, n / 2, n - 1} {
				at := fyne.NewPos(g.Left+(float32(k)+0.5)*g.Cell.Width, g.Top+(float32(n-1-k)+0.5)*g.Cell.Height)
				if row, column, ok := h.at(at); !ok || row != n-1-k || column != k {
					t.Errorf("%d texts in %v: cell %d,%d found as %d,%d", n, size, n-1-k, k, row, column)
				}
			}
		}
	}
	h.Set(nil, nil)
	h.TypedKey(uitest.Key(fyne.KeyDown))
	h.MouseMoved(&desktop.MouseEvent{})
}

// The label of a row ends before the cells, also of the chosen one, which is bold.
func TestHeatMapLabelsEndBeforeTheCells(t *testing.T) {
	uitest.LightApp(t)
	h := NewHeatMap(&kit.Keyboard{})
	r := resultOf(10)
	h.Set(r.Texts, r.Matrix)
	w := test.NewTempWindow(t, h)
	for width := float32(400); width < 640; width += 7 {
		w.Resize(fyne.NewSize(width, 330))
		for row := range 10 {
			h.Choose(row, 0)
			drawn := test.WidgetRenderer(h).(*heatMapRenderer)
			left := h.Grid(h.Size()).Left
			for _, label := range drawn.rows.Lent() {
				if end := label.Position().X + label.MinSize().Width; end > left {
					t.Fatalf("at %v with row %d chosen %q ends at %v, the cells begin at %v", width, row, label.Text, end, left)
				}
			}
		}
	}
}

// A label that is too long for a line has two, where its row is high enough.
func TestHeatMapLabelsInTwoLines(t *testing.T) {
	uitest.LightApp(t)
	lines := []string{"the first text has some more words", "the second text has some more words", "short"}
	r := uitest.LetterResult(lines, library.Model{Name: "letters"})
	h := NewHeatMap(&kit.Keyboard{})
	h.Set(r.Texts, r.Matrix)
	labels := func(size fyne.Size) (list []string) {
		h.Resize(size)
		test.WidgetRenderer(h).Layout(size)
		for _, o := range h.current.rows.Lent() {
			list = append(list, o.Text)
		}
		return list
	}
	if got := labels(fyne.NewSize(260, 200)); len(got) != 5 || !strings.HasPrefix(got[0], "1   the") || strings.Contains(got[0], "…") {
		t.Errorf("in high rows: %q", got)
	}
	if got := labels(fyne.NewSize(260, 80)); len(got) != 3 {
		t.Errorf("in low rows: %q", got)
	}
}

func TestHeatMapValues(t *testing.T) {
	uitest.LightApp(t)
	h := NewHeatMap(&kit.Keyboard{})
	h.Resize(fyne.NewSize(390, 560))
	values := func(n int) []*canvas.Text {
		r := resultOf(n)
		h.Set(r.Texts, r.Matrix)
		test.WidgetRenderer(h)
		return h.current.values.Lent()
	}
	for i, v := range values(3) {
		if want := kit.Cosine(h.matrix[i/3][i%3]); v.Text != want {
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

// The wheel shows fewer, larger cells around the pointer, dragging moves them, and the arrow
// keys bring the chosen one into view.
func TestHeatMapZoom(t *testing.T) {
	uitest.LightApp(t)
	h := NewHeatMap(&kit.Keyboard{})
	h.Resize(fyne.NewSize(400, 330))
	r := resultOf(100)
	h.Set(r.Texts, r.Matrix)
	test.WidgetRenderer(h)
	g := h.Grid(h.Size())
	at := fyne.NewPos(g.Left+70.5*g.Cell.Width, g.Top+30.5*g.Cell.Height)
	for range 6 {
		h.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: at}, Scrolled: fyne.Delta{DY: 10}})
	}
	zoomed := h.Grid(h.Size())
	row, column, ok := h.at(fyne.NewPos(zoomed.Left+0.7*zoomed.Cell.Width*float32(zoomed.n), zoomed.Top+0.3*zoomed.Cell.Height*float32(zoomed.n)))
	if !ok || zoomed.n > 40 || row < 25 || row > 35 || column < 65 || column > 75 {
		t.Fatalf("%d cells in view; at the pointer is %d, %d", zoomed.n, row, column)
	}
	top, left := h.zoom.top, h.zoom.left
	h.Dragged(&fyne.DragEvent{Dragged: fyne.Delta{DX: 2.5 * zoomed.Cell.Width, DY: -1.5 * zoomed.Cell.Height}})
	if h.zoom.left != left-2 || h.zoom.top != top+1 {
		t.Errorf("dragged from %d, %d to %d, %d", top, left, h.zoom.top, h.zoom.left)
	}
	h.Pick(0, 99)
	if h.zoom.top != 0 || h.zoom.left+h.inView() != 100 {
		t.Errorf("the chosen cell is not in view: %+v", h.zoom)
	}
	for range 30 {
		h.TypedRune('+')
	}
	if h.inView() != cellsLeast || len(h.current.values.Lent()) != cellsLeast*cellsLeast {
		t.Errorf("%d cells with %d values", h.inView(), len(h.current.values.Lent()))
	}
	h.TypedRune('0')
	if h.inView() != 100 || h.zoom.top != 0 {
		t.Errorf("0 shows %+v", h.zoom)
	}
}

func TestPointMap(t *testing.T) {
	uitest.LightApp(t)
	m := NewPointMap(&kit.Keyboard{})
	chosen := -1
	m.Chosen = func(i int) { chosen = i }
	size := fyne.NewSize(300, 220)
	m.Resize(size)
	for _, n := range []int{0, 1, 2, 10, 500} {
		r := resultOf(n)
		m.Set(r.Texts, r.Points)
		for i, p := range m.places(size) {
			if p.X < 0 || p.Y < 0 || p.X > size.Width || p.Y > size.Height {
				t.Errorf("%d points: point %d is at %v", n, i, p)
			}
		}
		m.paint(300, 220)
	}
	m.Set([]string{"left", "right", "up", "down", "middle"}, [][2]float64{{-1, 0}, {1, 0}, {0, 1}, {0, -1}, {0, 0}})
	m.Choose(4, []int{0, 1, 2}, func(int) float64 { return 0.5 })
	for name, want := range map[fyne.KeyName]int{fyne.KeyLeft: 0, fyne.KeyRight: 1, fyne.KeyUp: 2, fyne.KeyDown: 3} {
		if m.TypedKey(uitest.Key(name)); chosen != want {
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
	for k, l := range m.current.labels.Lent() {
		if k == 0 && !strings.Contains(l.Text, "middle") {
			t.Errorf("the first label is %q", l.Text)
		}
	}
	m.Set([]string{"same", "same"}, [][2]float64{{0, 0}, {0, 0}})
	m.Choose(0, []int{1}, nil)
}

func BenchmarkHeatMap(b *testing.B) {
	uitest.LightApp(b)
	for _, n := range []int{10, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			h := NewHeatMap(&kit.Keyboard{})
			r := resultOf(n)
			h.Set(r.Texts, r.Matrix)
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

// Where the rows are too low for labels, each group of them has one, beside its own rows.
func TestHeatMapNamesGroups(t *testing.T) {
	const n = 300
	uitest.LightApp(t)
	h := NewHeatMap(&kit.Keyboard{})
	labels, matrix, order := make([]string, n), make([][]float32, n), make([]int, n)
	for i := range n {
		labels[i], matrix[i], order[i] = fmt.Sprintf("text %d", i), make([]float32, n), n-1-i
	}
	h.Set(labels, matrix)
	h.SetOrder(order, []Block{{Size: 200, Text: 150, Framed: true}, {Size: 99, Text: 50}, {Size: 1, Text: 0}})
	size := fyne.NewSize(400, 400)
	test.NewTempWindow(t, h)
	h.Resize(size)
	r := test.WidgetRenderer(h).(*heatMapRenderer)
	g := h.Grid(size)
	lent := r.rows.Lent()
	if len(lent) != 2 || lent[0].Text != "text 150" || lent[1].Text != "text 50" {
		t.Fatalf("%d groups have names", len(lent))
	}
	for k, middle := range []float32{100, 249.5} {
		if at := lent[k].Position().Y + lent[k].Size().Height/2; math.Abs(float64(at-g.Top-middle*g.Cell.Height)) > 1 {
			t.Errorf("name %d stands at %v", k, at)
		}
	}
}
