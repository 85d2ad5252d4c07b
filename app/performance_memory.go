package app

import (
	"runtime/debug"

	"inglenook/app/usage"
	"inglenook/engine"
	"inglenook/pipeline"
)

// MemoryPoint is what a language model takes with a context of some size: its
// weights, keys and values, and what it needs to work. What the program takes
// without it is left out.
type MemoryPoint struct {
	Context  int   `json:"context"`        // tokens
	Foreseen int64 `json:"foreseen_bytes"` // as compat foresees it
	// Peak is by how much the memory of the process rose at most; 0: not measured.
	// It is known of the largest context alone, which the model is opened with.
	Peak int64 `json:"peak_bytes,omitempty"`
}

// foreseeMemory tells what a row's model will take with each size of its context.
// What cannot be foreseen is left out.
func (a *App) foreseeMemory(e entry, row *PerformanceRow, bs []engine.Backend, sizes []int) {
	folder, closer, err := e.place.open()
	if err != nil {
		return
	}
	defer closer.Close()
	for _, size := range sizes {
		m, err := a.openers.needs(folder, bs, pipeline.OutlineOptions{WeightsFile: e.place.weightsFile, Weights: row.Weights, Context: size})
		if err != nil {
			a.log.Warn("memory not foreseen", "model", e.ID, "context", size, "error", err)
			return
		}
		row.Memory = append(row.Memory, MemoryPoint{Context: size, Foreseen: m.Total() - m.Text})
	}
}

// peakMeter tells how far the memory of the process rises from a moment on.
type peakMeter struct{ base int64 } // 0: it cannot tell

// newPeakMeter begins, with what nobody uses any more given back.
func newPeakMeter() peakMeter {
	debug.FreeOSMemory()
	if !usage.ResetPeak() {
		return peakMeter{}
	}
	return peakMeter{usage.Peak()}
}

// rise is how much was taken at most so far, on top of what was there; 0: unknown.
func (m peakMeter) rise() int64 {
	if m.base == 0 {
		return 0
	}
	return max(0, usage.Peak()-m.base)
}
