package cpubackend

import (
	"fmt"
	"slices"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// Attention with slopes goes through the keys of a long text in several rounds, and leaves out those
// that are too far away to matter, which depends on the lengths of queries and keys. A text's rows
// are the same to the bit alone and among others, which are cut into other spans, and they are
// those of the reference.
func TestFadingAttentionAloneEqualsBatched(t *testing.T) {
	const heads, size = 4, 32
	for _, n := range []int{300, keysTogether + 1, 2*keysTogether + 9} {
		for _, deviation := range []float32{1, 6} {
			_, want := fading(t, &enginetest.ReferenceBackend{}, heads, size, deviation, n)
			for _, isa := range ISAs() {
				name := fmt.Sprintf("%s, %d keys, deviation %g", isa, n, deviation)
				one, three := open(t, Options{ISA: isa, Threads: 1}), open(t, Options{ISA: isa, Threads: 3})
				alone, _ := fading(t, one, heads, size, deviation, n)
				if d := enginetest.Difference(alone, want); !(d <= 2e-3) {
					t.Errorf("%s: differs from the reference by %.2g", name, d)
				}
				if shared, _ := fading(t, three, heads, size, deviation, n); !slices.Equal(alone, shared) {
					t.Errorf("%s: three threads give another result", name)
				}
				// What other texts there are decides, and not how many threads, where the first one is cut.
				if batched, _ := fading(t, three, heads, size, deviation, n, 7, 2*keysTogether+40, 33, 1); !slices.Equal(alone, batched[:n*heads*size]) {
					t.Errorf("%s: the first text is another one in a batch", name)
				}
			}
		}
	}
}

// fading attends within texts of the given lengths, with steep and gentle slopes, and returns the
// result, and with the reference backend that of float64. Numbers of the first text depend on nothing else.
func fading(t *testing.T, b engine.Backend, heads, size int, deviation float32, lengths ...int) (got []float32, want []float64) {
	t.Helper()
	g := engine.NewGraph()
	defer g.Close()
	starts := []int32{0}
	for _, n := range lengths {
		starts = append(starts, starts[len(starts)-1]+int32(n))
	}
	rows := int(starts[len(starts)-1])
	matrix := func(seed uint64, by float32) *engine.Tensor {
		v := enginetest.Random(seed, rows*heads*size)
		for i := range v {
			v[i] *= by
		}
		return g.Floats(fmt.Sprint("matrix ", seed), rows, v)
	}
	slopes := make([]float32, heads)
	for i := range slopes {
		slopes[i] = 1 / float32(int(1)<<(3*i)) // from one that leaves nearly nothing of far keys to one that leaves nearly all
	}
	out := g.Want(g.Attention(matrix(1, deviation), matrix(2, deviation), matrix(3, 1), g.Ints("starts", starts), nil,
		engine.AttentionParams{Heads: heads, Scale: 0.17, Slopes: slopes}))
	if _, err := g.Run(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	got, err := g.Result(out)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := b.(*enginetest.ReferenceBackend); ok {
		values, err := enginetest.Evaluate(g)
		if err != nil {
			t.Fatal(err)
		}
		want = values[out].Values
	}
	return slices.Clone(got), want
}
