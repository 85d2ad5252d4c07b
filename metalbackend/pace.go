package metalbackend

import (
	"sync"
	"time"
)

// pace says how much work goes into one command buffer: a context that ends is
// noticed between command buffers, so that each should be short. It learns from
// how long they take.
type pace struct {
	mu   sync.Mutex
	rate float64 // work a second
}

const (
	pieceSeconds = 0.03  // of a command buffer; two may be under way
	shortest     = 0.005 // seconds in which the work is what counts
	firstRate    = 1e12  // the slowest M1's, about
	slowest      = 1e7
	fastest      = 1e16
)

// piece is how much work one command buffer should have.
func (p *pace) piece() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rate * pieceSeconds
}

// learn from a command buffer. A short one can say that the GPU is faster than
// was thought, not that it is slower: most of its time is no work.
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
