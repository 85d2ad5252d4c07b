package measure

import (
	"context"
	"runtime"
	"runtime/debug"
	"syscall"

	"inglenook/app/devices"
	"inglenook/app/usage"
	"inglenook/engine"
	"inglenook/engine/probe"
	"inglenook/pipeline"
)

// predictMemory counts what the row's model will take with each size of its context. What
// cannot be counted is left out.
func (r *rowRun) predictMemory(ctx context.Context, bs []engine.Backend) {
	folder, closer, err := r.entry.Location.Open(ctx)
	if err != nil {
		return
	}
	defer closer.Close()
	for _, size := range r.plan.sizes {
		as := r.row.Hold
		as.Context = size
		m, err := r.pool.Needs(folder, bs, pipeline.OutlineOptions{WeightsFile: r.entry.Location.WeightsFile, Hold: as})
		if err != nil {
			r.log.Warn("memory not predicted", "model", r.entry.ID, "context", size, "error", err)
			return
		}
		r.row.Memory = append(r.row.Memory, MemoryPoint{Context: size, Predicted: m.Total() - m.Text})
	}
}

// memoryBound is the size in bytes from which the weights of a model are read
// from memory for each token: those of smaller models stay in caches.
const memoryBound = 128 << 20

// memoryRate measures how fast the row's device reads memory where that limits the model:
// a language model reads all its weights for each token. It is measured each time, since
// others may be using the memory, too. 0: memory is not the limit, or there is no room to
// measure it.
func (r *rowRun) memoryRate(ctx context.Context, b engine.Backend) (float64, error) {
	if r.row.Emulated {
		return 0, nil
	}
	if r.entry.Bytes < memoryBound {
		r.row.Notes = append(r.row.Notes, "The weights stay in caches, so memory does not limit how fast it writes.")
		return 0, nil
	}
	if free := devices.AvailableMemory(); free > 0 && free < 4*int64(probe.ReadMemory.Span)<<20 {
		return 0, nil
	}
	rate, err := probe.ReadMemory.Run(ctx, b)
	r.row.MemoryBytesPerS = rate
	return rate, err
}

// peakMeter measures how far the memory of the process rises from a moment on.
type peakMeter struct{ base int64 } // 0: unknown

// newPeakMeter begins, after unused memory is given back.
func newPeakMeter() peakMeter {
	debug.FreeOSMemory()
	if !usage.ResetPeak() {
		return peakMeter{}
	}
	return peakMeter{usage.Peak()}
}

// rise returns how much was taken at most so far, on top of what was there; 0: unknown.
func (m peakMeter) rise() int64 {
	if m.base == 0 {
		return 0
	}
	return max(0, usage.Peak()-m.base)
}

// peakMemory returns the most memory that the process has had resident.
func peakMemory() int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return usage.Maxrss
	}
	return usage.Maxrss * 1024
}
