package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// A graph of weights without data reports where it would run, before any download.
func TestCoverageNeedsNoData(t *testing.T) {
	g := newGraph(t)
	shape := func(name string, d engine.DType, rows, cols int) *engine.Tensor {
		return engine.NewWeight(name, d, rows, cols, nil)
	}
	starts := g.Ints("starts", []int32{0, 3})
	x := g.Embed(shape("words", engine.F16, 100, 32), g.Ints("ids", []int32{5, 99, 0}))
	for i := range 3 {
		h := g.Linear(x, shape(fmt.Sprintf("layer.%d.w", i), engine.BF16, 32, 32), nil, engine.GELU)
		x = g.LayerNorm(g.Attention(h, h, h, starts, nil, engine.AttentionParams{Heads: 4, Scale: 0.5}),
			x, shape("norm", engine.F32, 1, 32), nil, 1e-5)
	}
	g.Want(g.Pool(x, starts, engine.PoolMean))

	npu := &enginetest.ReferenceBackend{ID: "npu", Refuses: []engine.Op{engine.OpAttention, engine.OpPool, engine.OpLinear}}
	gpu := &enginetest.ReferenceBackend{ID: "gpu", Refuses: []engine.Op{engine.OpAttention}}
	cpu := &enginetest.ReferenceBackend{ID: "cpu"}
	report, err := g.Coverage(npu, gpu, cpu)
	if err != nil {
		t.Fatal(err)
	}

	var where []string
	for _, p := range report.Placements {
		where = append(where, fmt.Sprintf("%s %s %s", p.Op, p.DType, p.Device))
	}
	layer := []string{"linear bf16 gpu", "attention f32 cpu", "layer_norm f32 npu"}
	want := append([]string{"embed f16 npu"}, layer...)
	want = append(append(append(want, layer...), layer...), "pool f32 gpu")
	if got := strings.Join(where, ", "); got != strings.Join(want, ", ") {
		t.Errorf("placements\n%s, want\n%s", got, strings.Join(want, ", "))
	}
	if report.Placements[4].Name != "layer.1.w" {
		t.Errorf("the second linear is called %q", report.Placements[4].Name)
	}
	if report.Handovers != 10 {
		t.Errorf("%d hand-overs, want 10", report.Handovers)
	}
	if report.ArenaBytes <= 0 {
		t.Errorf("the arena takes %d bytes", report.ArenaBytes)
	}

	wantFallbacks := []engine.Fallback{
		{Op: engine.OpLinear, Device: "npu", RunsOn: "gpu", Count: 3},
		{Op: engine.OpAttention, Device: "npu", RunsOn: "cpu", Count: 3},
		{Op: engine.OpAttention, Device: "gpu", RunsOn: "cpu", Count: 3},
		{Op: engine.OpPool, Device: "npu", RunsOn: "gpu", Count: 1},
	}
	fallbacks := report.Fallbacks()
	if len(fallbacks) != len(wantFallbacks) {
		t.Fatalf("%d kinds of fallback, want %d: %v", len(fallbacks), len(wantFallbacks), fallbacks)
	}
	for i, f := range fallbacks {
		if !strings.Contains(f.Reason, f.Op.String()) {
			t.Errorf("fallback %d gives the reason %q", i, f.Reason)
		}
		f.Reason = ""
		if f != wantFallbacks[i] {
			t.Errorf("fallback %d is %+v, want %+v", i, f, wantFallbacks[i])
		}
	}
}

// unsure is a backend whose Supports fails for a reason other than a missing kernel.
type unsure struct{ *enginetest.ReferenceBackend }

var errUnsure = errors.New("the driver does not answer")

func (unsure) Supports(*engine.Tensor) error { return errUnsure }

// Only a missing kernel makes an operation fall back; any other error surfaces.
func TestFaultsAreNoFallbacks(t *testing.T) {
	g := newGraph(t)
	small(g)
	broken, cpu := unsure{&enginetest.ReferenceBackend{ID: "gpu"}}, &enginetest.ReferenceBackend{ID: "cpu"}
	_, covers := g.Coverage(broken, cpu)
	_, ran := g.Run(t.Context(), broken, cpu)
	prepared := g.Prepare(t.Context(), nil, broken, cpu)
	for _, err := range []error{covers, ran, prepared} {
		if !errors.Is(err, errUnsure) || !strings.Contains(err.Error(), "gpu") || !strings.Contains(err.Error(), "embed") {
			t.Errorf("a fault of Supports gives %v", err)
		}
	}
}
