package cudabackend

import (
	"slices"
	"testing"

	"inglenook/cudabackend/fake"
	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/gpu"
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

// TestPace: a token that counts as long, since nothing is known of the card yet, is soon
// known to be short.
func TestPace(t *testing.T) {
	b, err := New(Options{Driver: idle(), Compile: fake.Compile})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	b.pace = gpu.NewPace(1e8)
	model := enginetest.Decoder{Layers: 1, Hidden: 256, Heads: 8, KVHeads: 2, Inner: 512, Vocab: 96, Weights: engine.F32, Cache: engine.F32, Capacity: 40, Last: true}.Load()
	defer model.Release()
	g := engine.NewGraph()
	defer g.Close()
	for i := range 12 {
		g.Reset()
		model.Pass(g, 20, model.IDs(20, 1)...)
		if _, err := g.Run(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if i == 0 && len(b.last) > 0 {
			t.Fatal("the first token is short")
		}
	}
	if len(b.recordings) != 1 {
		t.Errorf("%d recordings after twelve tokens", len(b.recordings))
	}
}
