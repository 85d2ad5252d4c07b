package cpubackend

import (
	"fmt"
	"slices"
	"testing"

	"inglenook/engine"
)

// Activations that are quantized where they are made, by the norm or by the product
// before, give the same bits as those that are read again: with every block type and
// instruction set, for one row to several blocks of rows, and in a chain.
func TestQuantizedWhereMade(t *testing.T) {
	gain := randomWeight("gain", engine.F32, 1, 256)
	shift := randomWeight("shift", engine.F32, 1, 256)
	wide := randomWeight("wide", engine.F32, 1, 512)
	defer gain.Release()
	defer shift.Release()
	defer wide.Release()
	for _, isa := range ISAs() {
		b := open(t, Options{ISA: isa, Threads: 2})
		for _, d := range blockTypes() {
			up, down := randomWeight("up", d, 512, 256), randomWeight("down", d, 256, 512)
			for _, rows := range []int{1, 2, 13, 140} {
				run := func(want bool) []float32 {
					g := engine.NewGraph()
					defer g.Close()
					keep := func(x *engine.Tensor) *engine.Tensor {
						if want { // a value that the caller wants must exist in floats, and the next operation does not read it
							g.Want(g.Scale(x, 1))
							return g.Want(x)
						}
						return x
					}
					x := g.Floats("x", rows, randomFloats(rows*256))
					y := keep(g.LayerNorm(x, nil, gain, shift, 1e-5))
					y = keep(g.Linear(y, up, wide, engine.GELU))
					y = keep(g.Linear(y, down, shift, engine.None)) // a chain of three
					y = keep(g.Linear(y, up, nil, engine.SiLU))
					y = keep(g.Linear(y, down, nil, engine.None))
					y = keep(g.RMSNorm(g.Add(x, y), gain, engine.RMSNormParams{Epsilon: 1e-5}))
					y = g.Want(g.Linear(y, up, nil, engine.None))
					if _, err := g.Run(t.Context(), b); err != nil {
						t.Fatal(err)
					}
					v, err := g.Result(y)
					if err != nil {
						t.Fatal(err)
					}
					return v
				}
				if passed, read := run(false), run(true); !slices.Equal(passed, read) {
					t.Errorf("%s %s %d rows: results differ, %v and %v", isa, d, rows, passed[:4], read[:4])
				}
			}
			up.Release()
			down.Release()
		}
	}
}

// A result that is passed on as levels leaves its place in the arena alone: that is how
// this test knows that the path is taken where there is one.
func TestPassedIsTaken(t *testing.T) {
	for _, isa := range ISAs() {
		b := open(t, Options{ISA: isa, Threads: 1})
		w := randomWeight("w", engine.Q8_0, 64, 64)
		g := engine.NewGraph()
		first := g.Linear(g.Floats("x", 3, randomFloats(3*64)), w, nil, engine.None)
		second := g.Linear(first, w, nil, engine.None)
		g.Want(g.Add(second, second))
		from := b.fromRows(g.Ops())
		if passes := b.passes(first, second, from); passes != (b.kernels.blocks.passes != 0 && !b.inTiles()) || b.passes(second, g.Ops()[2], from) {
			t.Errorf("%s: passes %v; the second %v", isa, passes, b.passes(second, g.Ops()[2], from))
		}
		if n := b.levelBytes(g.Ops(), from)[passed]; (n != 0) != b.passes(first, second, from) {
			t.Errorf("%s: %d bytes for what is passed", isa, n)
		}
		g.Close()
		w.Release()
	}
}

func BenchmarkMLP(b *testing.B) {
	for _, s := range []struct{ hidden, inner, rows int }{{384, 1536, 128}, {384, 1536, 2048}} {
		up, down := randomWeight("up", engine.Q8_0, s.inner, s.hidden), randomWeight("down", engine.Q8_0, s.hidden, s.inner)
		bias := randomWeight("bias", engine.F32, 1, s.inner)
		for _, isa := range ISAs() {
			b.Run(fmt.Sprintf("%d_of_%d/%s", s.rows, s.hidden, isa), func(b *testing.B) {
				backend := open(b, Options{ISA: isa, Threads: *benchThreads})
				g := engine.NewGraph()
				defer g.Close()
				g.Want(g.Linear(g.Linear(g.Floats("x", s.rows, randomFloats(s.rows*s.hidden)), up, bias, engine.GELU), down, nil, engine.None))
				measure(b, backend, g, flop(g, nil))
			})
		}
	}
}
