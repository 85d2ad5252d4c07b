package hub

import (
	"context"
	"sync"
	"time"
)

// limiter shares a rate in bytes per second among all callers.
type limiter struct {
	mu   sync.Mutex
	rate int64     // bytes per second; 0: no limit
	next time.Time // when the bytes granted so far are used up
}

func newLimiter(rate int64) *limiter { return &limiter{rate: max(0, rate)} }

func (l *limiter) set(rate int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rate, l.next = max(0, rate), time.Time{}
}

// chunk returns how many of at most n bytes to read at once, so that a low limit does not
// cause long pauses.
func (l *limiter) chunk(n int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.rate == 0 {
		return n
	}
	return max(1, min(n, int(l.rate/20)))
}

// wait sleeps for the time that n bytes, which were just read, are worth.
func (l *limiter) wait(ctx context.Context, n int) error {
	l.mu.Lock()
	if l.rate == 0 {
		l.mu.Unlock()
		return nil
	}
	now := time.Now()
	if l.next.Before(now) {
		l.next = now
	}
	l.next = l.next.Add(time.Duration(float64(n) / float64(l.rate) * float64(time.Second)))
	pause := l.next.Sub(now)
	l.mu.Unlock()
	return sleep(ctx, pause)
}

// sleep waits for d, or returns the cause of the context's end.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
