package cpubackend

import (
	"fmt"
	"testing"

	"inglenook/engine/enginetest"
)

func open(t testing.TB, o Options) *Backend {
	t.Helper()
	b, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// Every instruction set that this machine has, alone and with help.
func TestConformance(t *testing.T) {
	for _, isa := range ISAs() {
		for _, threads := range []int{1, 2, 3, 5} {
			t.Run(fmt.Sprintf("%s/%d", isa, threads), func(t *testing.T) {
				enginetest.Run(t, open(t, Options{Threads: threads, ISA: isa}))
			})
		}
	}
}

func BenchmarkOps(b *testing.B) {
	for _, isa := range ISAs() {
		b.Run(isa, func(b *testing.B) { enginetest.Bench(b, open(b, Options{ISA: isa, Threads: *benchThreads})) })
	}
}
