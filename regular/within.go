package regular

import (
	"context"
	"io/fs"
	"path/filepath"
	"sync"
	"time"
)

// Patience is how long a file system may take to answer one call; a disk that has to
// spin up takes seconds.
const Patience = 15 * time.Second

// patience is what the tests of the package shorten.
var patience = Patience

// within runs one call on the file system. It returns early when the context ends, or
// when the call has had no answer for so long; late then takes what comes of the call
// after all. The place is the path by which other calls are refused until then.
func within[T any](ctx context.Context, op, place, name string, call func() (T, error), late func(T)) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, &fs.PathError{Op: op, Path: name, Err: context.Cause(ctx)}
	}
	if silent.covers(place) {
		return none, &fs.PathError{Op: op, Path: name, Err: ErrNoAnswer}
	}
	type result struct {
		value T
		err   error
	}
	came := make(chan result)
	left := make(chan struct{})
	returned := make(chan struct{})
	go func() {
		value, err := call()
		select {
		case came <- result{value, err}:
		case <-left:
			if err == nil && late != nil {
				late(value)
			}
		}
		close(returned)
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case got := <-came:
		return got.value, got.err
	case <-ctx.Done():
		close(left)
		return none, &fs.PathError{Op: op, Path: name, Err: context.Cause(ctx)}
	case <-timer.C:
		silent.add(place, returned)
		close(left)
		return none, &fs.PathError{Op: op, Path: name, Err: ErrNoAnswer}
	}
}

// silent are the places with calls that were given up and have not returned.
var silent = places{calls: map[string]int{}}

type places struct {
	mu    sync.Mutex
	calls map[string]int // by place
}

// add counts a call until it returns.
func (p *places) add(place string, returned <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls[place]++
	go func() {
		<-returned
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.calls[place]--; p.calls[place] == 0 {
			delete(p.calls, place)
		}
	}()
}

// covers reports whether a path, or a folder above it, is such a place.
func (p *places) covers(path string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.calls) == 0 {
		return false
	}
	for {
		if p.calls[path] > 0 {
			return true
		}
		above := filepath.Dir(path)
		if above == path {
			return false
		}
		path = above
	}
}
