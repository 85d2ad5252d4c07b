package search

import (
	"context"
	"sync"
)

// Latest lets one search run at a time, as somebody types: the next one ends the
// one before. Its zero value is ready.
type Latest struct {
	mu     sync.Mutex
	cancel context.CancelFunc
}

// Next returns a context for the next search and cancels that of the last one.
func (l *Latest) Next(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cancel != nil {
		l.cancel()
	}
	l.cancel = cancel
	return ctx
}

// Stop cancels the last search.
func (l *Latest) Stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cancel != nil {
		l.cancel()
		l.cancel = nil
	}
}
