package cpubackend

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"inglenook/engine"
)

// tiled opens a backend whose products are those of tiles, where the machine has them.
func tiled(t *testing.T, threads int) *Backend {
	t.Helper()
	b := open(t, Options{Threads: threads})
	if !b.inTiles() {
		t.Skip("this machine has no tiles")
	}
	return b
}

// Products of tiles, of sizes that are not whole tiles, steps or blocks of rows, equal those
// in float64: with weights in BF16 as nearly as F32 can, with blocks within what
// halves round. A row has the same bits alone and among others.
func TestHalves(t *testing.T) {
	b := tiled(t, 2)
	for _, d := range engine.WeightTypes() {
		for _, s := range []struct{ in, out, rows int }{{256, 70, 600}, {768, 33, 17}, {2816, 64, 49}, {31, 9, 5}, {289, 40, 70}, {1600, 200, 300}} {
			if s.in%d.Block() != 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s_%dx%d_to_%d", d, s.rows, s.in, s.out), func(t *testing.T) {
				w, values := anyWeight(t, "w", d, s.out, s.in)
				defer w.Release()
				x := randomFloats(s.rows * s.in)
				got := linear(t, b, w, s.rows, x)
				allowed := 1e-12
				if d.Quantized() {
					allowed = 1e-4
				}
				if e := squaredError(got, product(x, values, s.rows, s.in, s.out)); e > allowed {
					t.Errorf("normalized squared error %.2g, allowed %.2g", e, allowed)
				}
				for _, r := range []int{0, s.rows / 2, s.rows - 1} {
					if !slices.Equal(got[r*s.out:][:s.out], linear(t, b, w, 1, x[r*s.in:][:s.in])) {
						t.Errorf("row %d differs from what it is alone", r)
					}
				}
			})
		}
	}
}

// With weights in F32, sums of products of halves are nearer to those in float64 than one
// multiply-add after the other is.
func TestHalvesAreNearerThanMultiplyAdds(t *testing.T) {
	const rows, in, out = 40, 2000, 70
	tiles, adds := tiled(t, 1), open(t, Options{Threads: 1, ISA: "avx512"})
	w, values := anyWeight(t, "w", engine.F32, out, in)
	defer w.Release()
	x := randomFloats(rows * in)
	want := product(x, values, rows, in, out)
	if a, b := squaredError(linear(t, tiles, w, rows, x), want), squaredError(linear(t, adds, w, rows, x), want); a > b {
		t.Errorf("normalized squared error %.2g with tiles, %.2g without", a, b)
	}
}

// A value that is not a number makes its own row so, and no other.
func TestHalvesKeepNaNInItsRow(t *testing.T) {
	const rows, in, out = 20, 320, 40
	b := tiled(t, 1)
	for _, d := range []engine.DType{engine.F32, engine.F16, engine.BF16, engine.Q8_0} {
		w, _ := anyWeight(t, "w", d, out, in)
		x := randomFloats(rows * in)
		want := linear(t, b, w, rows, x)
		x[7*in+5] = float32(math.NaN())
		got := linear(t, b, w, rows, x)
		for i, v := range got {
			if i/out == 7 != math.IsNaN(float64(v)) || i/out != 7 && v != want[i] {
				t.Fatalf("%s: row %d is %v", d, i/out, v)
			}
		}
		w.Release()
	}
}

// A run in which tokens are written one after the other, or guessed a few at a time, does
// not use tiles, which round otherwise.
func TestHalvesAreForManyRows(t *testing.T) {
	b := tiled(t, 1)
	g := engine.NewGraph()
	defer g.Close()
	for _, c := range []struct {
		d          engine.DType
		rows, from int
		want       bool
	}{{engine.Q8_0, 1, 1, true}, {engine.Q8_0, manyRows - 1, manyRows, false}, {engine.BF16, manyRows, manyRows, true}, {engine.F16, 100, 1, true}, {engine.F32, 1, 1, true}, {engine.F32, manyRows - 1, manyRows, false}, {engine.BF16, 100, math.MaxInt, false}} {
		w := randomWeight("w", c.d, 32, 32)
		if got := b.byHalves(g.Linear(g.Floats("x", c.rows, randomFloats(c.rows*32)), w, nil, engine.None), c.from); got != c.want {
			t.Errorf("%s, %d rows of at least %d: %v", c.d, c.rows, c.from, got)
		}
		w.Release()
	}
}
