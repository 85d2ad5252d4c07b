package metalbackend

import (
	"sync"
	"time"
)

// pace decides how much work goes into one command buffer. Each should be short,
// because cancellation takes effect between two. It learns from their durations.
type pace struct {
	mu   sync.Mutex
	rate float64 // multiply-adds a second
}

const (
	pieceSeconds = 0.03  // of a command buffer; two may be in flight
	shortest     = 0.005 // seconds; below it, most of the time is overhead
	firstRate    = 1e12  // roughly that of the slowest M1
	slowest      = 1e7
	fastest      = 1e16
)

// piece returns how much work one command buffer should have, in multiply-adds.
func (p *pace) piece() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rate * pieceSeconds
}

// learn updates the rate after a command buffer. A short one can show that the GPU is
// faster than expected, but not that it is slower.
func (p *pace) learn(work float64, took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := work / max(took.Seconds(), 1e-6)
	if took.Seconds() < shortest {
		p.rate = max(p.rate, min(seen, 2*p.rate))
	} else {
		p.rate = (p.rate + seen) / 2
	}
	p.rate = min(max(p.rate, slowest), fastest)
}
