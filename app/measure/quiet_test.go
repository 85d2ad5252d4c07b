package measure

import (
	"context"
	"errors"
	"testing"
	"time"

	"inglenook/app/usage"
)

// It waits until other programs have been quiet several times in a row, tells what they take
// meanwhile, and ends when it is cancelled.
func TestWaitQuiet(t *testing.T) {
	start := time.Now()
	taken := []float64{0.5, 0.02, 0.6, 0.01, 0.02, 0.03}
	readings, all, idle := 0, 0.0, 0.0
	read := func() usage.Reading {
		if readings > 0 {
			all, idle = all+100, idle+100*(1-taken[readings-1])
		}
		readings++
		// The program itself takes next to nothing, but is known.
		return usage.Reading{When: start.Add(time.Duration(readings) * time.Second), Used: time.Duration(readings), Idle: 50 + idle, All: 100 + all}
	}
	tick := make(chan time.Time, len(taken))
	for range taken {
		tick <- start
	}
	var told []float64
	if err := waitQuiet(t.Context(), tick, read, func(others float64) { told = append(told, others) }); err != nil || len(told) != len(taken) {
		t.Fatalf("it ended after %v, %v", told, err)
	}
	if told[2] < 0.59 || told[2] > 0.61 {
		t.Errorf("told is %v", told)
	}
	unknown := func() usage.Reading { return usage.Reading{} }
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := waitQuiet(ctx, make(chan time.Time), unknown, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled, it ends with %v", err)
	}
	tick <- start
	if err := waitQuiet(t.Context(), tick, unknown, nil); err != nil {
		t.Errorf("where nothing is known it ends with %v", err)
	}
}
