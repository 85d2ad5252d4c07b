package engine_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"inglenook/engine"
)

func TestLock(t *testing.T) {
	l := engine.NewLock()
	l.Lock()
	if l.TryLock() {
		t.Error("a lock that is held can be taken")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	if err := l.LockContext(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waiting ends with %v", err)
	}
	got := make(chan error)
	go func() { got <- l.LockContext(t.Context()) }()
	l.Unlock()
	if err := <-got; err != nil {
		t.Error(err)
	}
	if l.TryLock() {
		t.Error("two hold the lock")
	}
	l.Unlock()
	if !l.TryLock() {
		t.Error("a free lock cannot be taken")
	}
}
