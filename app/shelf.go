package app

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"
)

// shelfSize is how many models stay open: the one in use and the one before,
// so that going back and forth costs nothing and memory stays bounded.
const shelfSize = 2

// shelfKey tells open models apart: the same checkpoint opened with other
// options is another model.
type shelfKey struct {
	job     string // "embed", "rerank", "forward", "tokenize"
	model   string // its id
	stamp   string // of its files: replaced files are another model
	options string
}

// shelf keeps the models used last open. One model is opened at a time.
type shelf struct {
	opening chan struct{} // holds one token: who has it may open or evict

	mu    sync.Mutex
	slots []*slot // the last used first
}

type slot struct {
	key     shelfKey
	model   io.Closer
	users   int
	evicted bool // to be closed by its last user
}

func newShelf() *shelf { return &shelf{opening: make(chan struct{}, 1)} }

// borrow gives the open model of a key, opened now if it is not on the shelf;
// took is the time that opening took, 0 if it was there. The model stays open
// until release is called.
func borrow[T io.Closer](ctx context.Context, s *shelf, key shelfKey, open func(context.Context) (T, error)) (model T, release func(), took time.Duration, err error) {
	var none T
	if found := s.find(key); found != nil {
		return found.model.(T), s.releaser(found), 0, nil
	}
	select {
	case s.opening <- struct{}{}:
		defer func() { <-s.opening }()
	case <-ctx.Done():
		return none, nil, 0, ctx.Err()
	}
	if found := s.find(key); found != nil { // opened while we waited
		return found.model.(T), s.releaser(found), 0, nil
	}
	if err := s.makeRoom(shelfSize - 1); err != nil {
		return none, nil, 0, err
	}
	start := time.Now()
	if model, err = open(ctx); err != nil {
		return none, nil, 0, err
	}
	put := &slot{key: key, model: model, users: 1}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slots = append([]*slot{put}, s.slots...)
	return model, s.releaser(put), time.Since(start), nil
}

func (s *shelf) find(key shelfKey) *slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.slots, func(x *slot) bool { return x.key == key })
	if i < 0 {
		return nil
	}
	found := s.slots[i]
	s.slots = append([]*slot{found}, slices.Delete(s.slots, i, i+1)...)
	found.users++
	return found
}

func (s *shelf) releaser(x *slot) func() {
	return sync.OnceFunc(func() {
		s.mu.Lock()
		x.users--
		last := x.users == 0 && x.evicted
		s.mu.Unlock()
		if last {
			_ = x.model.Close()
		}
	})
}

// makeRoom takes models off the shelf until at most n are left. One that is
// still in use is closed by its last user.
func (s *shelf) makeRoom(n int) error {
	s.mu.Lock()
	var idle []*slot
	for len(s.slots) > n {
		last := s.slots[len(s.slots)-1]
		s.slots = s.slots[:len(s.slots)-1]
		last.evicted = true
		if last.users == 0 {
			idle = append(idle, last)
		}
	}
	s.mu.Unlock()
	var errs []error
	for _, x := range idle {
		errs = append(errs, x.model.Close())
	}
	return errors.Join(errs...)
}

func (s *shelf) close() error { return s.makeRoom(0) }
