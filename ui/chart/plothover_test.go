package chart

import (
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

// drawnTexts are the words that a plot draws.
func drawnTexts(o fyne.CanvasObject) map[string]bool {
	texts := map[string]bool{}
	for _, part := range test.WidgetRenderer(o.(fyne.Widget)).Objects() {
		if t, ok := part.(*canvas.Text); ok {
			texts[t.Text] = true
		}
	}
	return texts
}

// A value is read where the pointer is near its dot, and the axes say what they count.
func TestValueUnderThePointer(t *testing.T) {
	test.NewTempApp(t)
	p := NewLinePlot()
	p.Unit, p.Across = "words a second", "when it was measured"
	p.Set([]string{"1 Nov", "2 Nov"}, []Series{{Name: "CPU", Fill: theme.ColorNamePrimary, Values: []float64{12, 20}, Doubts: []bool{false, true}}, {Name: "GPU", Values: []float64{math.NaN(), 3}}})
	p.Resize(fyne.NewSize(400, 250))
	texts := drawnTexts(p)
	if !texts["words a second"] || !texts["when it was measured"] || texts["12 words a second"] {
		t.Errorf("without the pointer it says %v", texts)
	}
	at := p.area().at(0, p.axis().share(12))
	p.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at.AddXY(6, -5)}})
	if texts := drawnTexts(p); !texts["12 words a second"] || !texts["1 Nov · CPU"] {
		t.Errorf("near a dot it says %v", texts)
	}
	p.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: p.area().at(1, p.axis().share(20))}})
	if texts := drawnTexts(p); !texts["20 words a second, not reliable"] || texts["12 words a second"] {
		t.Errorf("near another one it says %v", texts)
	}
	for _, part := range test.WidgetRenderer(p).Objects() {
		if end := part.Position().X + part.Size().Width; end > 400.5 {
			t.Errorf("%T ends at %v", part, end)
		}
	}
	p.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(200, 100)}})
	if p.pointed != nothing {
		t.Error("far from all dots one is read")
	}
	p.Set(nil, nil)
	p.MouseOut()
}

// A value that is not reliable is hatched, whatever the shade of its colour.
func TestHatchedBar(t *testing.T) {
	test.NewTempApp(t)
	b := NewBar()
	b.Share, b.Fill = 0.5, theme.ColorNamePrimary
	b.Resize(fyne.NewSize(200, 20))
	r := test.WidgetRenderer(b).(*barRenderer)
	for _, doubtful := range []bool{true, false} {
		b.Doubtful = doubtful
		b.Refresh()
		if r.hatch.drawn.Visible() != doubtful || r.part.Size().Width != 100 || (r.part.StrokeWidth > 0) != doubtful {
			t.Errorf("doubtful %v: the hatch is seen: %v, the bar %+v", doubtful, r.hatch.drawn.Visible(), r.part)
		}
	}
}
