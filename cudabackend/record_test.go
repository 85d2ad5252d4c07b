package cudabackend

import (
	"context"
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

// TestParts: from the second token on, a longer list is submitted in parts, each of which
// becomes a graph; the results are those of a list that is submitted whole.
func TestParts(t *testing.T) {
	b, f := faked(t)
	model := enginetest.Decoder{Layers: 9, Hidden: 64, Heads: 2, KVHeads: 1, Inner: 64, Vocab: 96, Weights: engine.F32, Cache: engine.F32, Capacity: 40, Last: true}.Load()
	defer model.Release()
	step := func(b *Backend, g *engine.Graph, past int) []float32 {
		g.Reset()
		y := model.Pass(g, past, model.IDs(past, 1)...)
		if _, err := g.Run(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		data, err := g.Result(y)
		if err != nil {
			t.Fatal(err)
		}
		return slices.Clone(data)
	}
	g := engine.NewGraph()
	defer g.Close()
	var parted [6][]float32
	for i := range parted {
		parted[i] = step(b, g, i)
	}
	if runs, kept := f.Calls("cuGraphLaunch"), len(b.recordings); runs != 4*mostParts || kept != mostParts {
		t.Errorf("%d parts of 6 steps ran as one of %d graphs, want %d of %d", runs, kept, 4*mostParts, mostParts)
	}
	for i := range parted {
		b.short = nil
		if whole := step(b, g, i); !slices.Equal(whole, parted[i]) {
			t.Errorf("step %d: other results", i)
		}
	}
}

// TestPartsOf: parts end after attention, and a list with states that are updated, one that
// was long, and one that is timed have only one.
func TestPartsOf(t *testing.T) {
	w := &engine.Tensor{Op: engine.OpWeight}
	list := func(n int, ops ...engine.Op) (all []*engine.Tensor) {
		for len(all) < n {
			for _, op := range ops {
				all = append(all, &engine.Tensor{Op: op, Src: []*engine.Tensor{w}})
			}
		}
		return all
	}
	other := append(list(159, engine.OpLinear), &engine.Tensor{Op: engine.OpLinear, Src: []*engine.Tensor{{Op: engine.OpWeight}}})
	layer := []engine.Op{engine.OpRMSNorm, engine.OpCausalAttention, engine.OpLinear, engine.OpAdd}
	for _, c := range []struct {
		name  string
		ops   []*engine.Tensor
		short []*engine.Tensor // the list before
		ctx   context.Context
		want  []int
	}{
		{"parted", list(160, layer...), nil, t.Context(), []int{10, 42, 160}},
		{"an encoder", list(60, engine.OpLayerNorm, engine.OpAttention, engine.OpLinear), nil, t.Context(), []int{5, 17, 60}},
		{"few", list(28, layer...), nil, t.Context(), []int{28}},
		{"another list before", list(160, layer...), list(156, layer...), t.Context(), []int{160}},
		{"another model before", list(160, layer...), other, t.Context(), []int{160}},
		{"timed", list(160, layer...), nil, engine.Timed(t.Context()), []int{160}},
		{"states", list(160, engine.OpCausalAttention, engine.OpDeltaRule), nil, t.Context(), []int{160}},
		{"states at the end", append(list(160, layer...), list(1, engine.OpCausalConv)...), nil, t.Context(), []int{161}},
		{"no attention", list(160, engine.OpLinear), nil, t.Context(), []int{160}},
		{"attention at the end", append(list(159, engine.OpLinear), list(1, engine.OpCausalAttention)...), nil, t.Context(), []int{160}},
	} {
		l := &launcher{}
		if c.short == nil {
			c.short = c.ops
		}
		l.remember(c.short, true)
		if got := l.partsOf(c.ctx, c.ops); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		l.remember(c.short, false)
		if got := l.partsOf(c.ctx, c.ops); len(got) != 1 {
			t.Errorf("%s: %v after a long list", c.name, got)
		}
	}
}
