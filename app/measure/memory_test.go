package measure

import (
	"context"
	"errors"
	"testing"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/cpubackend"
)

func TestMemoryRate(t *testing.T) {
	cpu, err := cpubackend.New(cpubackend.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer cpu.Close()
	row := func(bytes int64, emulated bool) *RowRun {
		return &RowRun{Entry: library.Entry{Model: library.Model{Kind: library.KindChat, Bytes: bytes}}, Row: &Row{Target: devices.Target{Device: "cpu"}, Emulated: emulated}}
	}
	large := row(MemoryBound, false)
	if got, err := large.MemoryRate(t.Context(), cpu); err != nil || got < 1e6 || large.Row.MemoryBytesPerS != got {
		t.Errorf("%v bytes/s, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := large.MemoryRate(ctx, cpu); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	small, emulated := row(1<<20, false), row(MemoryBound, true)
	for _, r := range []*RowRun{small, emulated} {
		if got, err := r.MemoryRate(t.Context(), cpu); got != 0 || err != nil {
			t.Errorf("%+v: %v, %v", r.Row, got, err)
		}
	}
	if len(small.Row.Notes) != 1 || len(emulated.Row.Notes) != 0 {
		t.Errorf("notes %q, %q", small.Row.Notes, emulated.Row.Notes)
	}
}
