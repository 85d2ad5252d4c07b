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
	row := func(bytes int64, emulated bool) *rowRun {
		return &rowRun{entry: library.Entry{Model: library.Model{Kind: library.KindChat, Bytes: bytes}}, row: &Row{Target: devices.Target{Device: "cpu"}, Emulated: emulated}}
	}
	large := row(memoryBound, false)
	if got, err := large.memoryRate(t.Context(), cpu); err != nil || got < 1e6 || large.row.MemoryBytesPerS != got {
		t.Errorf("%v bytes/s, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := large.memoryRate(ctx, cpu); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	small, emulated := row(1<<20, false), row(memoryBound, true)
	for _, r := range []*rowRun{small, emulated} {
		if got, err := r.memoryRate(t.Context(), cpu); got != 0 || err != nil {
			t.Errorf("%+v: %v, %v", r.row, got, err)
		}
	}
	if len(small.row.Notes) != 1 || len(emulated.row.Notes) != 0 {
		t.Errorf("notes %q, %q", small.row.Notes, emulated.row.Notes)
	}
}
