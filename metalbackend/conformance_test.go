package metalbackend_test

import (
	"errors"
	"testing"

	"inglenook/engine/enginetest"
	"inglenook/metalbackend"
	"inglenook/metalbackend/emulated"
	"inglenook/metalbackend/emulator"
	"inglenook/metalbackend/fake"
)

// emulate opens the backend on an emulated GPU, or skips where there is none.
func emulate(t testing.TB) (*metalbackend.Backend, *fake.Fake) {
	t.Helper()
	b, rt, err := emulated.Runtime(emulated.Options{})
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

// The emulated GPU is held to the same reference as every backend.
func TestConformance(t *testing.T) {
	b, _ := emulate(t)
	enginetest.Run(t, b)
}
