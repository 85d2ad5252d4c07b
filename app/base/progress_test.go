package base

import (
	"testing"
	"time"
)

func TestTimeLeft(t *testing.T) {
	for _, c := range []struct {
		elapsed     time.Duration
		done, total int64
		want        time.Duration
	}{
		{time.Second, 25, 100, 3 * time.Second},
		{time.Second, 100, 100, 0},
		{time.Second, 0, 100, 0},
		{time.Millisecond, 50, 100, 0},
		{time.Second, 200, 100, 0},
		{time.Second, 1, 0, 0},
	} {
		if got := TimeLeft(c.elapsed, c.done, c.total); got != c.want {
			t.Errorf("timeLeft(%v, %d, %d) = %v, want %v", c.elapsed, c.done, c.total, got, c.want)
		}
	}
}
