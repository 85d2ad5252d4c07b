package chart

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/uitest"
)

func TestBarsAreAsLongAsTheirValues(t *testing.T) {
	uitest.LightApp(t)
	c := NewBarChart()
	c.Set([]BarRow{
		{Name: "half", Value: 50, Text: "50"},
		{Name: strings.Repeat("a long name ", 40), Value: 100, Text: "100", Low: 90, High: 100},
		{Name: "gone", Failed: "It was lost in mid-run, which is a long story " + strings.Repeat("and longer ", 20)},
		{Name: "soon", Wait: true},
	})
	for _, width := range []float32{240, 500, 1400} {
		c.Resize(fyne.NewSize(width, c.MinSize().Height))
		r := test.WidgetRenderer(c).(*barChartRenderer)
		half, whole := r.bars[0].part.Size().Width, r.bars[1].part.Size().Width
		if math.Abs(float64(whole-2*half)) > 0.01 || math.Abs(float64(whole-r.bars[1].track.Size().Width)) > 0.01 {
			t.Errorf("at %v: bars of %v and %v on a track of %v", width, half, whole, r.bars[1].track.Size().Width)
		}
		for i, o := range r.Objects() {
			if end := o.Position().X + o.Size().Width; o.Visible() && end > width+0.5 {
				t.Errorf("at %v: object %d ends at %v", width, i, end)
			}
		}
		if r.bars[2].track.Visible() || r.bars[2].part.Visible() || r.bars[3].part.Visible() {
			t.Error("what has no value has a bar")
		}
	}
	c.Set([]BarRow{{Value: 10}, {Value: 900, Pale: true}})
	c.Resize(fyne.NewSize(600, c.MinSize().Height))
	for i, b := range test.WidgetRenderer(c).(*barChartRenderer).bars {
		if math.Abs(float64(b.part.Size().Width-b.track.Size().Width)) > 0.01 {
			t.Errorf("bar %d of an honest and a pale one is not as long as its track", i)
		}
	}
	c.Whole = 100
	c.Set([]BarRow{{Value: 83}})
	c.Resize(fyne.NewSize(600, c.MinSize().Height))
	if b := test.WidgetRenderer(c).(*barChartRenderer).bars[0]; math.Abs(float64(b.part.Size().Width/b.track.Size().Width)-0.83) > 0.01 {
		t.Errorf("of a whole of 100, a bar of 83 takes %v of a track of %v", b.part.Size().Width, b.track.Size().Width)
	}
	c.Set(nil)
	if c.MinSize().Height != 0 {
		t.Error("no rows have a height")
	}
}

// A logarithmic axis begins and ends at powers of ten.
func TestAxisOfPowers(t *testing.T) {
	uitest.LightApp(t)
	p := NewLinePlot()
	p.Log = true
	p.Set([]string{"1", "2", "3"}, []Series{{Values: []float64{0.8, math.NaN(), 300}}})
	a := p.axis()
	if !slices.EqualFunc(a.ticks, []float64{0.1, 1, 10, 100, 1000}, func(a, b float64) bool { return math.Abs(a/b-1) < 1e-9 }) || math.Abs(a.share(10)-0.5) > 1e-9 {
		t.Errorf("%v, 10 is at %v", a.ticks, a.share(10))
	}
	p.Set([]string{"1"}, []Series{{Values: []float64{10}}})
	if a := p.axis(); a.share(10) != 0 || a.share(100) != 1 {
		t.Errorf("of one value: %v", a.ticks)
	}
	p.Set([]string{"1"}, []Series{{Values: []float64{0, 5}}})
	if a := p.axis(); a.ticks[0] != 0 || a.share(5) != 1 {
		t.Errorf("a zero: %v", a.ticks)
	}
}

func TestNiceTop(t *testing.T) {
	for v, want := range map[float64]float64{0: 1, 0.3: 0.5, 1: 1, 1.1: 2, 5: 5, 6: 10, 340: 500, math.NaN(): 1, math.Inf(1): 1} {
		if got, steps := niceTop(v); math.Abs(got-want) > 1e-9 || steps < 4 {
			t.Errorf("%v: %v in %d", v, got, steps)
		}
	}
}
