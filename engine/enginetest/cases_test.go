package enginetest

import (
	"math"
	"testing"

	"inglenook/engine"
)

func TestCasesAreSound(t *testing.T) {
	seen := map[string]bool{}
	covered := map[engine.Op]int{}
	for _, c := range Cases() {
		if seen[c.Name()] {
			t.Errorf("two cases are called %q", c.Name())
		}
		seen[c.Name()] = true
		covered[c.Op]++
		g := engine.NewGraph()
		c.Record(g)
		if err := g.Err(); err != nil {
			t.Errorf("%s: %v", c.Name(), err)
		}
	}
	for _, c := range decoderBenchCases() {
		if seen[c.Name()] {
			t.Errorf("two cases are called %q", c.Name())
		}
		seen[c.Name()] = true
	}
	for _, op := range engine.Ops() {
		if covered[op] == 0 {
			t.Errorf("%s has no case", op)
		}
		if references[op] == nil {
			t.Errorf("%s has no reference", op)
		}
	}
	t.Logf("%d cases", len(seen))
}

func TestDifference(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		a    []float32
		b    []float64
		want float64
	}{
		{[]float32{1, 2}, []float64{1, 2}, 0},
		{[]float32{3, 5}, []float64{3, 4}, 1 / math.Sqrt(12.5)},
		{[]float32{0, 0}, []float64{0, 0}, 0},
		{[]float32{1e-9}, []float64{0}, math.Inf(1)},
		{[]float32{1, nan}, []float64{1, 2}, math.Inf(1)},
		{[]float32{1}, []float64{1, 2}, math.Inf(1)},
	} {
		if got := Difference(c.a, c.b); got != c.want {
			t.Errorf("Difference(%v, %v) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
