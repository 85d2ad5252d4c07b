package measure

import (
	"math"
	"slices"
	"time"

	"inglenook/engine/probe"
)

// pace decides how often work is repeated.
type pace struct {
	least    int           // repetitions
	times    int           // at most this many times as many, as long as they take less than span
	span     time.Duration // of all repetitions
	patience time.Duration // after this long the repetitions end early
}

// usualPace repeats quick work more often, for a better spread, and slow work less often.
func usualPace(least int) pace {
	return pace{least: least, times: 5, span: 2 * time.Second, patience: 6 * time.Second}
}

// exactPace repeats all work as often as was asked for.
func exactPace(times int) pace { return pace{least: times, times: 1, patience: math.MaxInt64} }

// repeated does something once without counting it, then as often as the pace says, and
// calls step after each of the first runs. What takes longer than the patience allows
// counts from its first run on.
func (p pace) repeated(step func(), once func() (time.Duration, error)) (probe.Seconds, error) {
	start := time.Now()
	var seconds probe.Seconds
	for i := 0; i <= p.least || i <= p.times*p.least && time.Since(start) < p.span; i++ {
		took, err := once()
		if err != nil {
			return nil, err
		}
		if i <= p.least {
			step()
		}
		late := time.Since(start) > p.patience
		if i > 0 || late {
			seconds = append(seconds, max(took.Seconds(), 1e-9))
		}
		if late {
			for range p.least - i {
				step()
			}
			break
		}
	}
	slices.Sort(seconds)
	return seconds, nil
}

// fastest returns the shortest of three runs, or of those that a second allows.
func fastest(once func() (time.Duration, error)) (best time.Duration, err error) {
	start := time.Now()
	for i := 0; i < 3 && (i == 0 || time.Since(start) < time.Second); i++ {
		took, err := once()
		if err != nil {
			return 0, err
		}
		if i == 0 || took < best {
			best = took
		}
	}
	return best, nil
}
