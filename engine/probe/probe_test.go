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
