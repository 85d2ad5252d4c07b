package rerank

import (
	"math"
	"testing"
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
