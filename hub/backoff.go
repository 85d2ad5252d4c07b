package hub

import (
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// backoff returns the wait before attempt n (from 0) after a failure. It doubles each time,
// with jitter so that clients which failed together do not all retry together.
func (t tuning) backoff(n int, asked time.Duration) time.Duration {
	wait := t.lastWait
	if n < 30 {
		wait = min(wait, t.firstWait<<n)
	}
	wait = wait/2 + rand.N(wait)
	return max(wait, min(asked, t.longest))
}

// retryAfter parses the Retry-After header: seconds, or a date (RFC 9110, section 10.2.3).
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
