package index

import (
	"context"
	"sync"
)

// budget is memory that several goroutines share.
type budget struct {
	size int64

	mu     sync.Mutex
	left   int64
	change chan struct{} // closed when memory is given back
}

func newBudget(size int64) *budget {
	return &budget{size: size, left: size, change: make(chan struct{})}
}

// take waits until n bytes are free and returns how many were taken: what is larger
// than all of it gets all of it.
func (b *budget) take(ctx context.Context, n int64) (taken int64, err error) {
	n = min(n, b.size)
	for {
		b.mu.Lock()
		change := b.change
		if b.left >= n {
			b.left -= n
			b.mu.Unlock()
			return n, nil
		}
		b.mu.Unlock()
		select {
		case <-change:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

func (b *budget) give(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left += n
	close(b.change)
	b.change = make(chan struct{})
}
