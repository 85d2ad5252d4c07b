package gpu

import (
	"sync"
	"time"
)

// Pace decides how much work is submitted at a time. Each piece should be short,
// because cancellation takes effect between two. It learns from their durations.
type Pace struct {
	mu   sync.Mutex
	rate float64 // multiply-adds a second
}

// NewPace returns a pace for a GPU whose rate is guessed, in multiply-adds a second; 0
// stands for a small GPU.
func NewPace(rate float64) *Pace {
	if rate == 0 {
		rate = firstRate
	}
	return &Pace{rate: rate}
}

const (
	pieceSeconds = 0.03  // of a piece; two may be in flight
	shortest     = 0.005 // seconds; below it, most of the time is overhead
	firstRate    = 1e12  // roughly that of the slowest M1
	slowest      = 1e7
	fastest      = 1e16
)

// Piece returns how much work one piece should have, in multiply-adds.
func (p *Pace) Piece() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rate * pieceSeconds
}

// Learn updates the rate after a piece. A short one can show that the GPU is
// faster than expected, but not that it is slower.
func (p *Pace) Learn(work float64, took time.Duration) {
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
