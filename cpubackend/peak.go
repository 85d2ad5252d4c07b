package cpubackend

// #include "kernels/cpu.h"
import "C"

import (
	"context"
	"time"
)

// Peak measures for about the given time how many floating-point operations a
// second all threads together reach with multiply-adds in registers: the upper
// limit for the kernels. It returns the best of many short trials, because a
// shared machine slows down at times.
func (b *Backend) Peak(ctx context.Context, d time.Duration) (float64, error) {
	const (
		steps = 4000 // multiply-adds of each sum in a piece
		sums  = 12   // as in the kernel
	)
	if err := b.begin(ctx); err != nil {
		return 0, err
	}
	defer b.end()
	if err := b.fit(1); err != nil {
		return 0, err
	}
	if C.team_scratch(b.team, 4096) == 0 {
		return 0, noMemory("working memory", 4096)
	}
	pieces := 16 * b.device.Threads
	best := 0.0
	for end := time.Now().Add(d); time.Now().Before(end); {
		b.ops[0] = C.struct_op{kernel: b.kernel("peak"), cols: steps, pieces: C.int64_t(pieces)}
		if err := b.execute(ctx, 1); err != nil {
			return 0, err
		}
		flop := 2 * float64(steps*sums*int(b.kernels.vector)*pieces)
		best = max(best, flop/(float64(b.ops[0].nanoseconds)/1e9))
	}
	return best, nil
}
