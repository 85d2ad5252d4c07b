package pipeline

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"inglenook/pipeline/decoding"
	"inglenook/pipeline/drafting"
)

// seat is what one answer at a time works with: what was read, and what that costs.
type seat struct {
	history *decoding.History
	costs   drafting.Costs // of passes
	ahead   drafting.Costs // of passes of the model's head that guesses
	used    int            // the turn in which it was taken last
	taken   bool
}

// seats are those of a generator. Answers take them in the order in which they come.
type seats struct {
	mu      sync.Mutex
	all     []*seat // none before the generator is open, and once it is closed
	turn    int
	waiting []*waiter
}

// waiter wants one seat, or any.
type waiter struct {
	ids  []int32 // that will be read
	only *seat   // nil: any
	got  chan *seat
}

func (s *seats) add(h *decoding.History) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, &seat{history: h})
	s.serve()
}

// drop takes away all seats but the first, of which nobody has one.
func (s *seats) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = s.all[:min(1, len(s.all))]
	s.waiting = slices.DeleteFunc(s.waiting, func(w *waiter) bool {
		gone := w.only != nil && !slices.Contains(s.all, w.only)
		if gone {
			close(w.got)
		}
		return gone
	})
}

// take waits for a seat, for a certain one if only is not nil. Of several it is the one that
// has read most of ids, or else the one that was not used for the longest time.
func (s *seats) take(ctx context.Context, ids []int32, only *seat) (*seat, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	w := &waiter{ids, only, make(chan *seat, 1)}
	s.mu.Lock()
	if len(s.all) == 0 {
		s.mu.Unlock()
		return nil, ErrClosed
	}
	s.waiting = append(s.waiting, w)
	s.serve()
	s.mu.Unlock()
	select {
	case x, open := <-w.got:
		if !open {
			return nil, ErrClosed
		}
		return x, nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	i := slices.Index(s.waiting, w)
	if i >= 0 {
		s.waiting = slices.Delete(s.waiting, i, i+1)
	}
	s.mu.Unlock()
	if i < 0 { // the turn came at the same moment
		if x, open := <-w.got; open {
			s.give(x)
		}
	}
	return nil, context.Cause(ctx)
}

// lend returns the free seat that has read most of ids, without waiting; nil if all are taken.
func (s *seats) lend(ids []int32) *seat {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.best(&waiter{ids: ids})
	if x != nil {
		s.seat(x)
	}
	return x
}

// seat marks a seat as taken.
func (s *seats) seat(x *seat) {
	s.turn++
	x.taken, x.used = true, s.turn
	if m, ok := x.history.Model.(*decoding.Sequence); ok {
		m.Enter()
	}
}

// give hands a seat back.
func (s *seats) give(x *seat) {
	if m, ok := x.history.Model.(*decoding.Sequence); ok {
		m.Leave()
	}
	s.mu.Lock()
	x.taken = false
	s.serve()
	s.mu.Unlock()
}

// serve hands free seats to those who wait.
func (s *seats) serve() {
	s.waiting = slices.DeleteFunc(s.waiting, func(w *waiter) bool {
		x := s.best(w)
		if x == nil {
			return false
		}
		s.seat(x)
		w.got <- x
		return true
	})
}

// best returns the free seat for a waiter, nil if there is none.
func (s *seats) best(w *waiter) (best *seat) {
	most := -1
	for _, x := range s.all {
		if x.taken || w.only != nil && w.only != x {
			continue
		}
		shared := 0
		if len(w.ids) > 0 {
			shared = x.history.Shared(w.ids)
		}
		if shared > most || shared == most && x.used < best.used {
			best, most = x, shared
		}
	}
	return best
}

// list returns the seats as they are now.
func (s *seats) list() []*seat {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.all)
}

// each takes every seat once, one after the other.
func (s *seats) each(use func(*seat)) {
	for _, x := range s.list() {
		if _, err := s.take(context.Background(), nil, x); err == nil {
			use(x)
			s.give(x)
		}
	}
}

// close waits for all seats and closes their models.
func (s *seats) close() (errs []error) {
	var mine []*seat
	for _, x := range s.list() {
		if _, err := s.take(context.Background(), nil, x); err == nil {
			mine = append(mine, x)
		}
	}
	s.mu.Lock()
	s.all = nil
	for _, w := range s.waiting {
		close(w.got)
	}
	s.waiting = nil
	s.mu.Unlock()
	for _, x := range mine {
		errs = append(errs, x.history.Model.Close())
	}
	return errs
}

// Pair has the model make two answers at the same time, in passes that they share, until single
// is called. It waits for an answer under way and reads a prompt of Plan, so that two answers to
// it begin at once. A model that makes its answers one after the other goes on doing so: then
// together is false. There is an error where there is no memory for a second context.
func (g *Generator) Pair(ctx context.Context, p Prompt, o ReplyOptions) (together bool, single func(), err error) {
	none := func() {}
	if err := g.check(p); err != nil {
		return false, none, err
	}
	ctx, s, done, err := g.begin(ctx, p.IDs)
	if err != nil {
		return false, none, err
	}
	defer done()
	h := s.history
	d, alone := h.Model.(*decoding.Decoder)
	if !alone || d.Alone() {
		return !alone, none, nil
	}
	h.Progress = o.Progress
	defer func() { h.Progress = nil }()
	if o.Prefix != nil {
		h.Recall(ctx, o.Prefix, p.IDs)
	}
	if _, err := h.Read(ctx, p.IDs); err != nil {
		return false, none, err
	}
	second, err := h.Pair(d)
	if err != nil {
		return false, none, err
	}
	g.seats.add(second)
	return true, g.single, nil
}

// single undoes Pair. It waits for answers under way.
func (g *Generator) single() {
	var mine []*seat
	for _, x := range g.seats.list() {
		x, err := g.seats.take(context.Background(), nil, x)
		if err != nil { // it is being closed
			break
		}
		mine = append(mine, x)
	}
	if len(mine) > 1 && g.life.Err() == nil {
		if err := mine[0].history.Single(); err == nil {
			g.seats.drop()
			mine = mine[:1]
		}
	}
	for _, x := range mine {
		g.seats.give(x)
	}
}

// Held returns the ids that the cache holds. It waits for an answer under way.
// If ctx ends before, it returns nothing.
func (g *Generator) Held(ctx context.Context) []int32 {
	_, s, done, err := g.begin(ctx, nil)
	if err != nil {
		return nil
	}
	defer done()
	return slices.Clone(s.history.IDs)
}

// Passes returns what passes of so many tokens take behind ids, with the scores after each token, as
// where guesses are checked: the least of a few tries of each size. It gives an error for a size that the
// context, or one pass, has no room for.
func (g *Generator) Passes(ctx context.Context, ids []int32, sizes []int) ([]time.Duration, error) {
	if err := g.check(newPrompt(ids, g.context)); err != nil {
		return nil, err
	}
	ctx, s, done, err := g.begin(ctx, ids)
	if err != nil {
		return nil, err
	}
	defer done()
	h := s.history
	took := make([]time.Duration, len(sizes))
	for i, n := range sizes {
		for range passTries {
			if _, err := h.Read(ctx, ids); err != nil {
				return nil, err
			}
			if n < 1 || n-1 > h.Room() {
				return nil, fmt.Errorf("a pass of %d tokens has no room behind %d", n, len(ids))
			}
			guesses := make([]int32, n-1)
			for j := range guesses {
				guesses[j] = ids[j%len(ids)]
			}
			start := time.Now()
			if _, err := h.Try(ctx, ids[0], guesses); err != nil {
				return nil, err
			}
			if one := time.Since(start); took[i] == 0 || one < took[i] {
				took[i] = one
			}
		}
	}
	h.Cut(len(ids))
	return took, nil
}

// passTries is how often a pass is measured: something else may hold one up.
const passTries = 5

// KeepPrefix brings a file up to date with the ids and with what the cache
// holds of them. ids are those of [Generator.Held]. What the file has of them
// already stays. KeepPrefix takes the turn for one block at a time, so that an
// answer hardly waits. If an answer begins meanwhile, the file is a good prefix
// file of what was written until then.
func (g *Generator) KeepPrefix(ctx context.Context, file decoding.PrefixFile, stamp string, ids []int32) error {
	return decoding.KeepPrefix(file, stamp, ids, func(use func(decoding.Blocks) error) error {
		ctx, s, done, err := g.begin(ctx, ids)
		if err != nil {
			return err
		}
		defer done()
		if err := ctx.Err(); err != nil {
			return err
		}
		m, err := s.history.Blocks(ids)
		if err != nil {
			return err
		}
		return use(m)
	})
}
