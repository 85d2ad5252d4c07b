package texts

import (
	"math"
	"testing"
)

func TestNoneStandsOut(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		name      string
		method    string
		best      float32
		elsewhere []float32
		want      bool
	}{
		{"a close vector", "cosine", 0.62, []float32{0.1, 0.02, 0, -0.03, 0.05, 0.04, 0.01, 0.08}, false},
		{"a vector like any", "cosine", 0.07, []float32{0.1, 0.02, 0, -0.03, 0.05, 0.04, 0.01, 0.08}, true},
		{"vectors that all lie close", "cosine", 0.745, []float32{0.74, 0.73, 0.72, 0.75, 0.74, 0.73, 0.72, 0.75}, true},
		{"one of the questions fits by chance", "cosine", 0.62, []float32{0.6, 0.02, 0, -0.03, 0.05, 0.04, 0.01, 0.08}, false},
		{"a raw score", "cross-encoder", 4.2, []float32{-9, -8, -11, -10, -9.5, -8.7, -11, -10}, false},
		{"a raw score like any", "cross-encoder", -8.5, []float32{-9, -8, -11, -10, -9.5, -8.7, -11, -10}, true},
		{"a probability", "cross-encoder", 0.6, []float32{0.0001, 0.0002, 0.0001, 0.0004, 0.0003, 0.0001, 0.0002, 0.0001}, false},
		{"a small probability", "cross-encoder", 0.0004, []float32{0.0001, 0.0002, 0.0001, 0.0004, 0.0003, 0.0001, 0.0002, 0.0001}, true},
		{"not asked for", "cosine", 0.1, nil, false},
		{"without a number", "cosine", nan, []float32{0.1, 0.2, 0.3}, false},
	} {
		r := RerankResult{Method: c.method, Ranking: []Ranked{{Score: c.best}}, Elsewhere: c.elsewhere}
		if got := r.NoneStandsOut(); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// No label fits where labels about something else are as close to the text; one of those may be closer.
func TestNoLabelFits(t *testing.T) {
	c := closeness{others: [][]float32{{0.5, 0}, {0.3, 0}, {0.2, 0}}}
	for best, want := range map[float32]bool{0.25: true, 0.3: true, 0.4: false, 0.6: false} {
		if got := c.noneFits([]float32{1, 0}, best); got != want {
			t.Errorf("a label of cosine %v: %v, want %v", best, got, want)
		}
	}
	if (closeness{}).noneFits([]float32{1, 0}, -1) {
		t.Error("it is said where it was not asked for")
	}
}
