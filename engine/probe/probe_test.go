package probe

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

func TestQuantile(t *testing.T) {
	list := Seconds{1, 2, 3, 4, 5}
	for q, want := range map[float64]float64{0: 1, 0.5: 3, 0.1: 1.4, 0.9: 4.6, 1: 5} {
		if got := list.Quantile(q); math.Abs(got-want) > 1e-9 {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
	if got := (Seconds{7}).Quantile(0.9); got != 7 {
		t.Errorf("of one: %v", got)
	}
}

// Every rate and norm runs, and stops when its context ends.
func TestEveryProbe(t *testing.T) {
	b := &enginetest.ReferenceBackend{ID: "reference"}
	probes := map[string]func(context.Context) (float64, error){
		"norm": func(ctx context.Context) (float64, error) {
			s, err := Norm(ctx, b, engine.OpRMSNorm, 2)
			if err != nil {
				return 0, err
			}
			return s.Median(), nil
		},
	}
	for _, r := range []Rate{
		{Counts: Flops, Op: engine.OpLinear, DType: engine.F32, Size: 256},
		{Counts: Memory, Op: engine.OpLinear, DType: engine.F32, Size: 256, Span: 1},
		{Counts: Values, Op: engine.OpLayerNorm, DType: engine.F32},
		{Counts: Values, Op: engine.OpGate, DType: engine.F32},
		{Counts: Ops, Op: engine.OpAdd, DType: engine.F32},
	} {
		probes[r.Key()] = func(ctx context.Context) (float64, error) { return r.Run(ctx, b) }
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, run := range probes {
		if got, err := run(t.Context()); err != nil || got <= 0 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		if _, err := run(cancelled); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v", name, err)
		}
	}
}

// The rate of a fast device is that of the work which a long graph does more than a short one;
// where their times cannot be told apart, submitting is not subtracted.
func TestBeyond(t *testing.T) {
	for name, c := range map[string]struct {
		many, few ran
		want      float64
	}{
		"submitting counts": {ran{1600, 0.0003 + 1600e-6}, ran{100, 0.0003 + 100e-6}, 1e6},
		"only the work":     {ran{1600, 1600e-6}, ran{100, 100e-6}, 1e6},
		"the same time":     {ran{1600, 0.001}, ran{100, 0.001}, 1.6e6},
		"less time":         {ran{1600, 0.0009}, ran{100, 0.001}, 1600 / 0.0009},
	} {
		if got := c.many.beyond(c.few); math.Abs(got-c.want) > 1e-6*c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A graph that repeats its operations does so on the same weights and caches, and counts the
// work of all.
func TestRepeatedGraph(t *testing.T) {
	b := &enginetest.ReferenceBackend{ID: "reference"}
	for _, r := range []Rate{
		{Counts: Memory, Op: engine.OpLinear, DType: engine.F32, Size: 256, Span: 1},
		{Counts: Values, Op: engine.OpLayerNorm, DType: engine.F32},
		{Counts: Memory, Op: engine.OpCausalAttention, DType: engine.F16},
	} {
		short, long := rateGraph{Rate: r, Graph: engine.NewGraph(), times: 1}, rateGraph{Rate: r, Graph: engine.NewGraph(), times: 3}
		defer short.close()
		defer long.close()
		if a, c := short.record(), long.record(); c != 3*a || len(long.kept) != len(short.kept) {
			t.Errorf("%s: work %v and %v, tensors %d and %d", r.Key(), a, c, len(short.kept), len(long.kept))
		}
		if _, err := long.Graph.Run(t.Context(), b); err != nil {
			t.Error(err)
		}
	}
}

func TestTimesRunsOftenEnough(t *testing.T) {
	b := &enginetest.ReferenceBackend{ID: "reference"}
	g := engine.NewGraph()
	defer g.Close()
	x := g.Floats("x", 1, []float32{1, 2})
	g.Want(g.Add(x, x))
	if err := g.Prepare(t.Context(), nil, b); err != nil {
		t.Fatal(err)
	}
	seconds, err := Times(t.Context(), g, b, 4, time.Microsecond)
	if err != nil || len(seconds) != 4 {
		t.Errorf("%v, %v", seconds, err)
	}
}
