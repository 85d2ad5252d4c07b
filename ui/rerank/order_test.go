package rerank

import (
	"math"
	"strings"
	"testing"

	"inglenook/ui/uitest"
)

// The best of many bad texts has a short bar, and none goes below the lowest end.
func TestBars(t *testing.T) {
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		scores    []float32
		low, high float32
		shares    []float64
	}{
		"probabilities":    {[]float32{0.9, 0.1}, 0, 1, []float64{0.9, 0.1}},
		"cosines":          {[]float32{0.125, -0.0625}, 0, 1, []float64{0.125, 0}},
		"logits":           {[]float32{6, -2, 2}, -2, 6, []float64{1, 0, 0.5}},
		"all the same":     {[]float32{3, 3}, 3, 3, []float64{1, 1}},
		"one is no number": {[]float32{0.5, nan}, 0, 1, []float64{0.5, 0}},
	} {
		low, high := span(c.scores)
		if low != c.low || high != c.high {
			t.Errorf("%s: from %v to %v, want %v to %v", name, low, high, c.low, c.high)
		}
		for i, v := range c.scores {
			if got := share(v, low, high); math.Abs(got-c.shares[i]) > 1e-6 {
				t.Errorf("%s: %v has a bar of %v, want %v", name, v, got, c.shares[i])
			}
		}
	}
}

// What was found of many texts is read from its top, also where the best text of the first model is far down in the
// order of the second.
func TestAnOrderIsReadFromItsTop(t *testing.T) {
	var lines []string
	for i := range 40 {
		lines = append(lines, strings.Repeat("cat ", i+1))
	}
	b := entered(t, uitest.NewApp(), "cat", lines...)
	b.panel.beside(true)
	out := b.ranked(t)
	if len(out.rankings) != 2 || b.panel.picked != out.best() {
		t.Fatalf("%d orders, text %d is picked", len(out.rankings), b.panel.picked)
	}
	if at := b.panel.results.picture.rows.Scroll.Offset.Y; at != 0 {
		t.Errorf("the orders are scrolled by %v", at)
	}
}
