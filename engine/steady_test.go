package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"inglenook/engine"
)

// idle is a backend that has every kernel and computes nothing.
type idle struct{ engine.Backend }

func (idle) Device() engine.Device                     { return engine.Device{ID: "idle"} }
func (idle) Supports(*engine.Tensor) error             { return nil }
func (idle) Wait(context.Context, engine.Buffer) error { return nil }

func (idle) Alloc(n int) (engine.Buffer, error) { return nowhere{}, nil }

func (idle) Submit(context.Context, engine.Buffer, []*engine.Tensor) error { return nil }

// nowhere is a buffer without memory.
type nowhere struct{}

func (nowhere) Bytes() []byte                         { return nil }
func (nowhere) ReadAt(p []byte, _ int64) (int, error) { return len(p), nil }
func (nowhere) WriteAt(p []byte, _ int64) (int, error) {
	return len(p), nil
}
func (nowhere) Close() error { return nil }

// step records a pass over one token with every kind of operation in decoders.
type step struct {
	words, norm, square *engine.Tensor
	keys, values        []*engine.Tensor
	rotary              *engine.Rotary
	attend              engine.CausalAttentionParams
}

func newStep(layers int) *step {
	data := strings.NewReader("")
	s := &step{
		words:  engine.NewWeight("words", engine.F32, 50, 32, data),
		norm:   engine.NewWeight("norm", engine.F32, 1, 32, data),
		square: engine.NewWeight("square", engine.F32, 32, 32, data),
		rotary: &engine.Rotary{HeadSize: 16, Frequencies: make([]float32, 8)},
		attend: engine.CausalAttentionParams{Heads: 2, KVHeads: 2, Scale: 1, Slopes: []float32{1, 2}},
	}
	for range layers {
		s.keys = append(s.keys, engine.NewCache("keys", engine.F32, 1000, 32))
		s.values = append(s.values, engine.NewCache("values", engine.F32, 1000, 32))
	}
	return s
}

func (s *step) record(g *engine.Graph, past int32) *engine.Tensor {
	g.Reset()
	at, ids := g.Ints("past", []int32{past}), g.Ints("ids", []int32{past % 50})
	x := g.Scale(g.Embed(s.words, ids), 2)
	for i := range s.keys {
		h := g.RMSNorm(x, s.norm, engine.RMSNormParams{Epsilon: 1e-5})
		q := g.RoPE(g.Linear(h, s.square, nil, engine.None), at, s.rotary)
		h = g.CausalAttention(q, q, h, s.keys[i], s.values[i], at, s.attend)
		x = g.Add(x, g.Linear(h, s.square, s.norm, engine.None))
		x = g.Add(x, g.Gate(x, g.LayerNorm(x, nil, s.norm, s.norm, 1e-5), engine.SiLU))
	}
	return g.Want(g.SoftCap(g.Rows(x, g.Ints("wanted", []int32{0})), 30))
}

// Recording, planning and running passes of one shape allocates nothing.
func TestPassesAllocateNothing(t *testing.T) {
	s, g := newStep(8), engine.NewGraph()
	defer g.Close()
	bs, ctx := []engine.Backend{idle{}}, t.Context()
	var past int32
	var scores []float32
	pass := func() {
		past++
		y := s.record(g, past)
		if _, err := g.Run(ctx, bs...); err != nil {
			t.Fatal(err)
		}
		var err error
		if scores, err = g.AppendResult(scores[:0], y); err != nil {
			t.Fatal(err)
		}
	}
	pass()
	pass() // the graph has memory for two passes, used in turn
	if n := testing.AllocsPerRun(100, pass); n != 0 {
		t.Errorf("a pass of %d operations allocates %v times", len(g.Ops()), n)
	}
}

// A value recorded into reused memory has no field left of the value before it.
func TestUsedMemoryIsAsNew(t *testing.T) {
	s, g := newStep(2), engine.NewGraph()
	defer g.Close()
	s.record(g, 1)
	s.record(g, 2)
	g.Reset()
	x := g.Floats("x", 1, make([]float32, 32))
	for range 12 {
		x = g.Add(x, x)
	}
	for _, op := range g.Ops() {
		if op.Params != nil || len(op.Src) != 2 || op.Op != engine.OpAdd {
			t.Errorf("%s %v with %d operands", op.Op, op.Params, len(op.Src))
		}
	}
	s.attend.Slopes[1] = 7
	s.record(g, 3)
	s.record(g, 4)
	for _, op := range g.Ops() {
		if p, ok := op.Params.(engine.CausalAttentionParams); ok && !slices.Equal(p.Slopes, s.attend.Slopes) {
			t.Errorf("the slopes are %v", p.Slopes)
		}
	}
}

// A report does not change after it was returned.
func TestReportsStay(t *testing.T) {
	s, g := newStep(1), engine.NewGraph()
	defer g.Close()
	s.record(g, 1)
	first, err := g.Coverage(idle{})
	if err != nil {
		t.Fatal(err)
	}
	kept := slices.Clone(first.Placements)
	g.Reset()
	g.Add(g.Floats("x", 1, []float32{1}), g.Floats("y", 1, []float32{1}))
	if _, err := g.Coverage(idle{}); err != nil {
		t.Fatal(err)
	}
	s.record(g, 1)
	if _, err := g.Coverage(idle{}); err != nil {
		t.Fatal(err)
	}
	for i, p := range first.Placements {
		if p.Op != kept[i].Op || p.Name != kept[i].Name || p.Device != kept[i].Device {
			t.Errorf("placement %d became %v", i, p)
		}
	}
}
