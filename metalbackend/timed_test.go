package metalbackend

import (
	"slices"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/metalbackend/fake"
)

// With times requested, each operation has its own command buffer and a time by the GPU's
// clock; operations in one dispatch share a time. The values are the same. Without the
// request there are no times.
func TestTimedOperations(t *testing.T) {
	b, _ := open(t, fake.Options{Executor: emulate(t)}, Options{})
	g := engine.NewGraph()
	defer release(t, g)
	x := g.Floats("x", 16, enginetest.Random(5, 16*64))
	w, scale := enginetest.RandomWeight("w", engine.F16, 64, 64, 0.2, 1), enginetest.RandomWeight("s", engine.F32, 1, 64, 0.2, 2)
	y := g.Linear(x, w, nil, engine.None)
	y = g.RMSNorm(g.Add(y, x), scale, engine.RMSNormParams{Epsilon: 1e-5})
	want := g.Want(g.Linear(y, w, nil, engine.None))
	plain := slices.Clone(results(t, g, b, want))
	for _, op := range g.Ops() {
		if op.Elapsed != 0 {
			t.Errorf("%s has a time that nobody asked for", op.Op)
		}
	}
	if _, err := g.Run(engine.Timed(t.Context()), b); err != nil {
		t.Fatal(err)
	}
	timed, err := g.Result(want)
	if err != nil || !slices.Equal(timed, plain) {
		t.Errorf("timing changes the result: %v", err)
	}
	for _, op := range g.Ops() {
		together := op.Op == engine.OpAdd // with the norm after it
		if (op.Elapsed > 0) == together {
			t.Errorf("%s took %v", op.Op, op.Elapsed)
		}
	}
	results(t, g, b, want)
	if op := g.Ops()[0]; op.Elapsed != 0 {
		t.Errorf("%s keeps an old time", op.Op)
	}
}
