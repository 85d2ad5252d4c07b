// Package probe measures how fast a device runs small graphs of its own making. It is for
// questions about a device, not about a model: what one operation takes there, and which
// rates the device reaches.
package probe

import (
	"context"
	"slices"
	"time"

	"inglenook/engine"
)

// Seconds are the durations of repetitions, the shortest first.
type Seconds []float64

// Quantile returns the quantile q, from 0 to 1, by linear interpolation. The list must not be
// empty.
func (s Seconds) Quantile(q float64) float64 {
	at := q * float64(len(s)-1)
	low := int(at)
	high := min(low+1, len(s)-1)
	return s[low] + (at-float64(low))*(s[high]-s[low])
}

// Median returns the middle of the durations.
func (s Seconds) Median() float64 { return s.Quantile(0.5) }

// Times runs a prepared graph on a device and returns how long each run took.
// After one run that is not counted, it runs the graph at least least times and
// for at least span. If that would take a device more than a second, it runs it
// three times.
func Times(ctx context.Context, g *engine.Graph, b engine.Backend, least int, span time.Duration) (Seconds, error) {
	var seconds Seconds
	start := time.Now()
	for i := 0; i <= least || time.Since(start) < span; i++ {
		from := time.Now()
		if _, err := g.Run(ctx, b); err != nil {
			return nil, err
		}
		if i > 0 { // the first run allocates
			seconds = append(seconds, max(time.Since(from).Seconds(), 1e-9))
		}
		if i >= 3 && time.Since(start) > time.Second {
			break
		}
	}
	slices.Sort(seconds)
	return seconds, nil
}

// zeros are the bytes of weights: their values make no difference to the time.
type zeros struct{}

func (zeros) ReadAt(p []byte, _ int64) (int, error) {
	clear(p)
	return len(p), nil
}
