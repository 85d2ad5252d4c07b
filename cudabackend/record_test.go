package cudabackend

import (
	"slices"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// TestRecorded: steps with equal launches run as a graph from the third on, with the
// same results; another list in between does not disturb them.
func TestRecorded(t *testing.T) {
	b, f := faked(t)
	model := enginetest.Decoder{Layers: 1, Hidden: 256, Heads: 8, KVHeads: 2, Inner: 512, Vocab: 96, Weights: engine.F32, Cache: engine.F32, Capacity: 40, Last: true}.Load()
	defer model.Release()
	g := engine.NewGraph()
	defer g.Close()
	step := func(past, n int) []float32 {
		g.Reset()
		y := model.Pass(g, past, model.IDs(past, n)...)
		if _, err := g.Run(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		data, err := g.Result(y)
		if err != nil {
			t.Fatal(err)
		}
		return slices.Clone(data)
	}
	step(0, 5)
	var alone [8][]float32
	for i := range alone {
		alone[i] = step(5+i, 1)
	}
	if runs, kept := f.Calls("cuGraphLaunch"), len(b.recordings); runs != 7 || kept != 1 {
		t.Errorf("%d of 8 steps ran as one of %d graphs, want 7 of 1", runs, kept)
	}
	step(0, 5) // fills the cache anew
	for i := range alone {
		if again := step(5+i, 1); !slices.Equal(again, alone[i]) {
			t.Errorf("step %d: other results", i)
		}
	}
}
