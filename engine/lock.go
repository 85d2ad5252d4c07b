package engine

import "context"

// Lock is a mutex whose waiters give up when their context ends.
type Lock struct {
	held chan struct{} // holds a token while the lock is taken
}

// NewLock returns a lock that nobody holds.
func NewLock() Lock { return Lock{make(chan struct{}, 1)} }

// Lock waits for the lock.
func (l Lock) Lock() { l.held <- struct{}{} }

// LockContext waits for the lock, or for ctx to end, and then returns ctx's error.
func (l Lock) LockContext(ctx context.Context) error {
	select {
	case l.held <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TryLock takes the lock if nobody holds it and reports whether it has.
func (l Lock) TryLock() bool {
	select {
	case l.held <- struct{}{}:
		return true
	default:
		return false
	}
}

// Unlock releases the lock. Only its holder may call it.
func (l Lock) Unlock() { <-l.held }
