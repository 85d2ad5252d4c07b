package metalbackend

import (
	"errors"
	"testing"

	"inglenook/engine"
	"inglenook/gpu/emulator"
)

// emulate runs kernels on the CPU; the test is skipped where the emulator is missing.
func emulate(t testing.TB) *emulator.Emulator {
	t.Helper()
	e, err := emulator.Open("")
	if errors.Is(err, emulator.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// results runs the graph and returns one of its results.
func results(t testing.TB, g *engine.Graph, b *Backend, want *engine.Tensor) []float32 {
	t.Helper()
	if _, err := g.Run(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	v, err := g.Result(want)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
