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

func TestNMSE(t *testing.T) {
	row := func(v float64) []float64 {
		r := make([]float64, 32)
		for i := range r {
			r[i] = v
		}
		return r
	}
	narrow := func(v []float64) (f []float32) {
		for _, x := range v {
			f = append(f, float32(x))
		}
		return f
	}
	large, small, off := row(100), row(1), row(1.5)
	for _, c := range []struct {
		name string
		a, b []float64
		cols int

		least, want float64
	}{
		{"equal", small, small, 32, 0, 0},
		{"one row", off, small, 32, 0, 0.25},
		{"a small row beside a large one", append(row(100), off...), append(row(100), small...), 32, 0, 0.25},
		{"long rows count alone", off, small, 32, 1000, 0.25},
		{"short rows", []float64{1, 2, 3, 5}, []float64{1, 2, 3, 4}, 2, 0, 1.0 / 30},
		{"a sum that cancels out", []float64{0.5}, []float64{0}, 1, 4, 0.0625},
		{"zero and not", small, row(0), 32, 0, math.Inf(1)},
		{"zero", row(0), row(0), 32, 0, 0},
		{"no number", row(math.NaN()), large, 32, 0, math.Inf(1)},
		{"another length", small[:31], small, 32, 0, math.Inf(1)},
	} {
		if got := NMSE(narrow(c.a), c.b, c.cols, c.least); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Random blocks have values of the intended size.
func TestRandomBits(t *testing.T) {
	for _, d := range blockTypes() {
		m, err := weightValues(RandomBits("w", d, 50, 2*d.Block(), 1))
		if err != nil {
			t.Fatal(err)
		}
		rms := math.Sqrt(dot(m.Values, m.Values) / float64(len(m.Values)) * float64(m.Cols))
		if !(rms > 0.3 && rms < 3) {
			t.Errorf("%s: RMS %.2f/√cols", d, rms)
		}
	}
}
