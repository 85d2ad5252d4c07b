package pool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"inglenook/engine"
)

// maxResting bounds how many models stay open after their use, however small they
// are: tokenizers, most of them.
const maxResting = 8

// key identifies an open model: the same checkpoint opened with other options is another
// model.
type key struct {
	job     string // "embed", "rerank", "forward", "tokenize"
	model   string // its id
	stamp   string // of its files: replaced files are another model
	options string
}

// wanted is a model that is about to be opened.
type wanted struct {
	name     string
	device   string // where it computes
	weights  string // how they are held: "q8_0", …; "" and "auto": as in the file
	computes bool   // it is more than a tokenizer
	Bytes    int64  // of memory, as compat counts it; 0: next to nothing, or unknown
}

// openSet keeps models open after their use, so that the next use costs nothing. A
// model for chats, an embedder and a reranker stay beside one another as long as
// there is memory for all; then the one that was not used for the longest time goes.
// One model is opened at a time.
type openSet struct {
	opening engine.Lock // one model is opened at a time
	free    func(device string) free
	holder  Holder // nil: nobody holds models without working with them

	mu    sync.Mutex
	slots []*slot // the last used first
}

// Holder is who keeps a model borrowed between two uses, as conversations do.
type Holder interface {
	Idle(model string) bool  // it holds the model and does not work with it
	LetGo(model string) bool // it has given the model back
}

type slot struct {
	key     key
	wanted  wanted
	model   io.Closer
	since   time.Time
	load    time.Duration // that opening took
	users   int
	rests   time.Time // when it was given back last, or opened
	evicted bool      // to be closed by its last user
}

// newOpenSet returns an empty set; free returns what may still be taken on a device.
func newOpenSet(free func(device string) free) *openSet {
	return &openSet{opening: engine.NewLock(), free: free}
}

// borrowed is an open model of the set. It stays open until release is called.
type borrowed[T io.Closer] struct {
	model   T
	release func()
	took    time.Duration // that opening took; 0: it was there
	notices []string      // sentences about models that had to go for it
}

// borrow returns the open model of a key, opened now if it is not open; only then it asks what the model wants.
func borrow[T io.Closer](ctx context.Context, s *openSet, key key, wants func() wanted, open func(context.Context) (T, error)) (borrowed[T], error) {
	if found := s.find(key); found != nil {
		return borrowed[T]{model: found.model.(T), release: s.releaser(found)}, nil
	}
	if err := s.opening.LockContext(ctx); err != nil {
		return borrowed[T]{}, err
	}
	defer s.opening.Unlock()
	if found := s.find(key); found != nil { // opened while we waited
		return borrowed[T]{model: found.model.(T), release: s.releaser(found)}, nil
	}
	w := wants()
	notices, err := s.makeRoom(key, w)
	if err != nil {
		return borrowed[T]{}, err
	}
	start := time.Now()
	model, err := open(ctx)
	if err != nil {
		return borrowed[T]{}, err
	}
	put := &slot{key: key, wanted: w, model: model, users: 1, since: time.Now(), rests: time.Now(), load: time.Since(start)}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slots = append([]*slot{put}, s.slots...)
	return borrowed[T]{model, s.releaser(put), put.load, notices}, nil
}

func (s *openSet) find(key key) *slot {
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

func (s *openSet) releaser(x *slot) func() {
	return sync.OnceFunc(func() {
		s.mu.Lock()
		x.users--
		x.rests = time.Now()
		last := x.users == 0 && x.evicted
		s.mu.Unlock()
		if last {
			_ = x.model.Close()
		}
	})
}

// makeRoom closes models that nobody uses until there is memory for one more. What
// was open for the same work with the same checkpoint goes first: it is replaced.
// Nothing goes where that would not help. The sentences say what went and why.
func (s *openSet) makeRoom(key key, w wanted) (notices []string, err error) {
	err = s.take(func(x *slot) bool {
		return x.users == 0 && x.key.job == key.job && x.key.model == key.model
	})
	resting := s.resting()
	for len(resting) >= maxResting {
		err = errors.Join(err, s.shut(resting[0]))
		resting = resting[1:]
	}
	free, most := s.free(w.device), int64(0)
	if free.ofDevice {
		resting = slices.DeleteFunc(resting, func(x *slot) bool { return x.wanted.device != w.device })
	}
	for _, x := range resting {
		most += x.wanted.Bytes
	}
	if free.bytes <= 0 || w.Bytes <= free.bytes || free.bytes+most < w.Bytes {
		return nil, err
	}
	for have := free.bytes; have < w.Bytes && len(resting) > 0; resting = resting[1:] {
		x := resting[0]
		if x.wanted.Bytes == 0 || s.kept(x) {
			continue
		}
		have += x.wanted.Bytes
		notices = append(notices, fmt.Sprintf("%s was unloaded to make room for %s, which needs %s of memory while %s were free. It was the one used least recently.",
			x.wanted.name, w.name, humanize.Bytes(uint64(w.Bytes)), humanize.Bytes(uint64(free.bytes))))
		err = errors.Join(err, s.shut(x))
	}
	return notices, err
}

// resting are the models that nobody works with, the one that was not used for the
// longest time first.
func (s *openSet) resting() []*slot {
	s.mu.Lock()
	list := slices.Clone(s.slots)
	s.mu.Unlock()
	slices.Reverse(list)
	return slices.DeleteFunc(list, func(x *slot) bool {
		return s.used(x) && !s.holdsIdle(x)
	})
}

// holdsIdle reports whether a conversation holds the model and does not work with it.
func (s *openSet) holdsIdle(x *slot) bool {
	return s.holder != nil && x.key.job == jobChat && s.holder.Idle(x.key.model)
}

func (s *openSet) used(x *slot) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return x.users > 0
}

// kept reports whether a resting model stays open, since the conversation that holds it does not give it back now.
func (s *openSet) kept(x *slot) bool { return s.used(x) && !s.holder.LetGo(x.key.model) }

func (s *openSet) shut(x *slot) error { return s.take(func(y *slot) bool { return x == y }) }

// close closes everything; what is still in use, at the end of that.
func (s *openSet) close() error { return s.take(func(*slot) bool { return true }) }

// take closes the models that match. One that is still in use is closed by its
// last user.
func (s *openSet) take(match func(*slot) bool) error {
	s.mu.Lock()
	var idle []*slot
	s.slots = slices.DeleteFunc(s.slots, func(x *slot) bool {
		if !match(x) {
			return false
		}
		x.evicted = true
		if x.users == 0 {
			idle = append(idle, x)
		}
		return true
	})
	s.mu.Unlock()
	var errs []error
	for _, x := range idle {
		errs = append(errs, x.model.Close())
	}
	return errors.Join(errs...)
}
