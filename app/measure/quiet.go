package measure

import (
	"context"
	"time"

	"inglenook/app/usage"
)

const (
	quietEvery = time.Second // how often it is looked whether other programs are quiet
	quietTimes = 3           // how often in a row they have to be
)

// WaitQuiet returns once other programs have left the processors alone for a few seconds: what is
// measured then is reliable. report is told which part of the processors they take. The error is that
// of ctx. Where a system does not tell what others take, nothing is waited for.
func (s *Runner) WaitQuiet(ctx context.Context, report func(others float64)) error {
	tick := time.NewTicker(quietEvery)
	defer tick.Stop()
	return waitQuiet(ctx, tick.C, usage.Now, report)
}

// waitQuiet takes a reading at each tick.
func waitQuiet(ctx context.Context, tick <-chan time.Time, read func() usage.Reading, report func(others float64)) error {
	before := read()
	for quiet := 0; quiet < quietTimes; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick:
		}
		now := read()
		others, known := now.Others(before)
		if !known {
			return ctx.Err()
		}
		before = now
		if quiet++; others > othersMatter {
			quiet = 0
		}
		report(others)
	}
	return ctx.Err()
}
