package lower

import (
	"errors"
	"testing"

	"inglenook/engine"
	"inglenook/gpu"
)

// TestCoverage: every operation of the engine has a lowering.
func TestCoverage(t *testing.T) {
	for _, op := range engine.Ops() {
		if operations[op].lower == nil {
			t.Errorf("%s has no lowering", op)
		}
	}
	if err := Check(&engine.Tensor{Op: engine.OpWeight}); !errors.Is(err, engine.ErrNoKernel) {
		t.Errorf("what computes nothing has a kernel: %v", err)
	}
}

// A kernel with more function constants than a dispatch has room for is an error.
func TestManyConstants(t *testing.T) {
	g := engine.NewGraph()
	defer g.Close()
	l := New(noMemory{})
	d := launch(l, g.Floats("x", 1, []float32{1}), "kernel", addArgs{})
	for i := range gpu.MaxConstants {
		d.constant(int32(i+1), 0)
	}
	if l.err != nil {
		t.Fatal(l.err)
	}
	if d.constant(99, 0); l.err == nil {
		t.Error("one too many is taken")
	}
	if l.Reset(); l.err != nil {
		t.Error("the next list begins with an error")
	}
}
