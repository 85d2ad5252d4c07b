package base

import (
	"context"
	"errors"
	"sync"
)

// ErrClosing is what a call returns that comes after the end, and the cause for which the contexts
// of calls under way end then.
var ErrClosing = errors.New("the program is closing, so no new work starts")

// ErrMoreThanRead is why a text is not attached to a message: no model reads so much at once.
var ErrMoreThanRead = errors.New("more than a model reads at once")

// Lifetime ends all work of the program together: each call says when it begins
// and ends, and Wait returns when none is left.
type Lifetime struct {
	ctx    context.Context // ends with End
	cancel context.CancelFunc
	busy   sync.WaitGroup // one for each call under way

	mu    sync.Mutex
	ended bool
}

// NewLifetime returns a lifetime that has begun.
func NewLifetime() *Lifetime {
	l := &Lifetime{}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	return l
}

// Begin notes that a call is under way. The returned context ends with the caller's
// or with End; done must be called when the call ends.
func (l *Lifetime) Begin(ctx context.Context) (_ context.Context, done func(), _ error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return nil, nil, ErrClosing
	}
	l.busy.Add(1)
	if ctx.Value(within{}) == l { // ends with the call that it is a part of, and not before
		ctx, cancel := context.WithCancel(ctx)
		return ctx, func() {
			cancel()
			l.busy.Done()
		}, nil
	}
	ctx, cancel := context.WithCancelCause(context.WithValue(ctx, within{}, l))
	stop := context.AfterFunc(l.ctx, func() { cancel(ErrClosing) })
	return ctx, func() {
		stop()
		cancel(nil)
		l.busy.Done()
	}, nil
}

// within is the key of the lifetime in the context of a call.
type within struct{}

// Context ends with End.
func (l *Lifetime) Context() context.Context { return l.ctx }

// Ended reports whether End was called.
func (l *Lifetime) Ended() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ended
}

// End cancels all calls; later ones are refused. It reports whether it was the
// first call of End.
func (l *Lifetime) End() (first bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first = !l.ended
	l.ended = true
	l.cancel()
	return first
}

// Wait returns when no call is under way.
func (l *Lifetime) Wait() { l.busy.Wait() }
