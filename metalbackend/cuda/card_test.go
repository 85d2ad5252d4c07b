package cuda

import (
	"testing"

	"inglenook/cudabackend/driver"
	"inglenook/engine/enginetest"
	"inglenook/gpu/msl"
	"inglenook/metalbackend"
	"inglenook/metalbackend/fake"
	"inglenook/metalbackend/kernels"
)

// card opens the Metal backend over an NVIDIA card, or skips.
func card(t testing.TB) (*metalbackend.Backend, *Executor) {
	t.Helper()
	if _, err := driver.Open(); err != nil {
		t.Skip(err)
	}
	program, err := msl.Parse(kernels.Source())
	if err != nil {
		t.Fatal(err)
	}
	e, err := Open(program)
	if err != nil {
		t.Fatal(err)
	}
	rt, err := fake.New(fake.Options{Executor: e, Name: e.Name})
	if err != nil {
		t.Fatal(err)
	}
	b, err := metalbackend.New(rt, metalbackend.Options{ID: "metal-on-cuda"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		for _, p := range rt.Problems() {
			t.Error(p)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return b, e
}

// TestConformance compares every kernel on the card with the reference.
func TestConformance(t *testing.T) {
	b, e := card(t)
	t.Logf("on %s", e.Name)
	enginetest.Run(t, b)
}
