package emulated_test

import (
	"errors"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/gpu/emulator"
	"inglenook/metalbackend"
	"inglenook/metalbackend/emulated"
	"inglenook/metalbackend/fake"
)

// emulate opens the backend on an emulated GPU, or skips where there is none.
func emulate(t testing.TB) (*metalbackend.Backend, *fake.Fake) {
	t.Helper()
	b, rt, err := emulated.Runtime(emulated.Options{Device: fake.Options{MaxThreads: 384}}) // as pipelines with many registers allow
	if errors.Is(err, emulator.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if left := rt.Leaks(); len(left) > 0 {
			t.Errorf("not given back: %v", left)
		}
	})
	return b, rt
}

// complete is the backend with a test that fails for every refusal: there must be a
// kernel for every operation, type and size of the suite.
type complete struct {
	*metalbackend.Backend
	t *testing.T
}

func (c complete) Supports(op *engine.Tensor) error {
	err := c.Backend.Supports(op)
	if err != nil {
		c.t.Errorf("refused: %v", err)
	}
	return err
}

// The emulated GPU is compared with the same reference as every backend: in one case of three, since
// emulation takes long, and in all of them in make sweeps and make kernels-check.
func TestConformance(t *testing.T) {
	b, _ := emulate(t)
	enginetest.RunSome(t, 3, complete{b, t})
}
