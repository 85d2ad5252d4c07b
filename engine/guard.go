package engine

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Guard is a backend that can be disabled while the program runs: as a whole
// after its device failed, or one kind of operation at a time if a check found a
// kernel wrong. It refuses what is disabled as if there were no kernel, and
// gives the reason, so that the next backend takes over. Nothing is enabled
// again.
type Guard struct {
	Backend
	Watch func(working bool) // is told when the backend begins and ends work; may be nil

	mu    sync.Mutex // for writers
	state atomic.Pointer[distrust]

	working   sync.Mutex // guards what follows, and is held while Watch is told
	preparing int
	arenas    map[Buffer]bool // with work that was not waited for
}

// distrust is what a guard refuses; it is immutable.
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

// NewGuard guards a backend; it returns a backend that is already guarded as it
// is.
func NewGuard(b Backend) *Guard {
	if g, ok := b.(*Guard); ok {
		return g
	}
	g := &Guard{Backend: b}
	g.state.Store(&distrust{})
	return g
}

// Supports asks the backend, unless the operation is disabled.
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

// Fail disables the whole device, and reports whether it was enabled until now.
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

// Failed returns why the device is disabled, nil while it is not.
func (g *Guard) Failed() error { return g.state.Load().failed }

// Refuse disables one kind of operation: with weights or caches of type d, F32
// where it has neither.
func (g *Guard) Refuse(op Op, d DType, reason string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.state.Load()
	why := fmt.Errorf("%s in %s is turned off on %s: %s: %w", op, d, g.Device().ID, reason, ErrNoKernel)
	g.state.Store(&distrust{failed: s.failed, refused: append(slices.Clone(s.refused), distrusted{op, d, why})})
}

// Prepare tells Watch that the backend works meanwhile.
func (g *Guard) Prepare(ctx context.Context, op *Tensor) error {
	g.works(func() { g.preparing++ })
	defer g.works(func() { g.preparing-- })
	return g.Backend.Prepare(ctx, op)
}

// Submit tells Watch that the backend works until Wait returns for the arena.
func (g *Guard) Submit(ctx context.Context, arena Buffer, ops []*Tensor) error {
	g.works(func() { g.arenas[arena] = true })
	return g.Backend.Submit(ctx, arena, ops)
}

// Wait waits for the work on an arena. Watch is told when that was the last.
func (g *Guard) Wait(ctx context.Context, arena Buffer) error {
	defer g.works(func() { delete(g.arenas, arena) })
	return g.Backend.Wait(ctx, arena)
}

// works changes what is under way, and tells Watch if that begins or ends all work.
func (g *Guard) works(change func()) {
	if g.Watch == nil {
		return
	}
	g.working.Lock()
	defer g.working.Unlock()
	before := g.preparing+len(g.arenas) > 0
	if g.arenas == nil {
		g.arenas = map[Buffer]bool{}
	}
	change()
	if now := g.preparing+len(g.arenas) > 0; now != before {
		g.Watch(now)
	}
}

// BatchRows returns that of the backend, 0 if it has none or has failed.
func (g *Guard) BatchRows() int {
	if g.Failed() != nil {
		return 0
	}
	return BatchRows([]Backend{g.Backend}, 0)
}

// Reach returns that of the backend.
func (g *Guard) Reach() int { return reach([]Backend{g.Backend}) }

// Room returns that of the backend, 0 if it has failed.
func (g *Guard) Room() int64 {
	if g.Failed() != nil {
		return 0
	}
	return Room(g.Backend)
}
