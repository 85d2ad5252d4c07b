package engine

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Guard is a backend that can be turned off while the program runs: as a whole
// after its device failed, or one kind of operation at a time where a check
// found a kernel wrong. It refuses what is turned off as if there were no
// kernel, and says why, so that the backend behind it takes over. Turning off is
// for good.
type Guard struct {
	Backend
	mu    sync.Mutex // for those who write
	state atomic.Pointer[distrust]
}

// distrust is what a guard refuses; it never changes.
type distrust struct {
	failed  error
	refused []distrusted
}

// distrusted is one kind of operation; its dtype is that of a Placement.
type distrusted struct {
	op    Op
	dtype DType
	why   error
}

// NewGuard guards a backend; one that is guarded already is given back.
func NewGuard(b Backend) *Guard {
	if g, ok := b.(*Guard); ok {
		return g
	}
	g := &Guard{Backend: b}
	g.state.Store(&distrust{})
	return g
}

// Supports asks the backend, unless the operation is turned off.
func (g *Guard) Supports(op *Tensor) error {
	s := g.state.Load()
	if s.failed != nil {
		return fmt.Errorf("%s failed: %w: %w", g.Device().ID, s.failed, ErrNoKernel)
	}
	if s.refused != nil {
		d := op.storedType()
		for _, r := range s.refused {
			if r.op == op.Op && r.dtype == d {
				return r.why
			}
		}
	}
	return g.Backend.Supports(op)
}

// Fail turns the whole device off, and reports whether it was on until now.
func (g *Guard) Fail(reason error) (now bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.state.Load()
	if s.failed != nil {
		return false
	}
	g.state.Store(&distrust{failed: reason, refused: s.refused})
	return true
}

// Failed is why the device is off, nil while it is on.
func (g *Guard) Failed() error { return g.state.Load().failed }

// Refuse turns off one kind of operation: with weights or caches of type d, F32
// where it has neither.
func (g *Guard) Refuse(op Op, d DType, reason string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.state.Load()
	why := fmt.Errorf("%s in %s is turned off on %s: %s: %w", op, d, g.Device().ID, reason, ErrNoKernel)
	g.state.Store(&distrust{failed: s.failed, refused: append(slices.Clone(s.refused), distrusted{op, d, why})})
}

// Reach is that of the backend.
func (g *Guard) Reach() int { return reach([]Backend{g.Backend}) }
