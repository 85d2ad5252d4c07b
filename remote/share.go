package remote

import (
	"context"
	"errors"
	"sync"
	"time"

	"inglenook/hub/fault"
)

// depth is how many requests each replica has at once, so that it need not wait for
// the network between two.
const depth = 2

// share does n pieces of work on all replicas side by side. A piece that failed with a
// replica is done by another one, or by the same after a while. It returns notices about
// replicas that failed. An error means that some pieces are not done.
func (s *Server) share(ctx context.Context, n int, do func(ctx context.Context, r *replica, piece int) error) (notices []string, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &work{s: s, left: n, todo: make(chan int, n), done: make(chan struct{}), failed: map[*replica]error{}, fail: cancel}
	for i := range n {
		w.todo <- i
	}
	if n == 0 {
		return nil, nil
	}
	var workers sync.WaitGroup
	able := s.able()
	w.workers = len(able) * min(depth, n)
	for _, r := range able {
		for range min(depth, n) {
			workers.Go(func() { w.run(ctx, r, do) })
		}
	}
	workers.Wait()
	if w.left == 0 {
		return s.spread(w.failed), nil
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return nil, s.down(w.errs)
}

// shareTexts cuts texts into pieces and does them on all replicas. do returns how many
// tokens the server counted in a piece; they are spread over counts, one for each text.
// progress may be nil.
func (s *Server) shareTexts(ctx context.Context, texts []string, counts []int, progress func(done, total int), do func(ctx context.Context, r *replica, p piece) (int, error)) (notices []string, err error) {
	pieces := split(texts, len(s.replicas))
	var mu sync.Mutex
	done := 0
	return s.share(ctx, len(pieces), func(ctx context.Context, r *replica, i int) error {
		p := pieces[i]
		tokens, err := do(ctx, r, p)
		if err != nil {
			return err
		}
		spreadTokens(counts[p.from:p.to], texts[p.from:p.to], tokens)
		mu.Lock()
		defer mu.Unlock()
		done += p.to - p.from
		if progress != nil {
			progress(done, len(texts))
		}
		return nil
	})
}

// work is what is shared.
type work struct {
	s    *Server
	todo chan int
	done chan struct{} // closed when nothing is left
	fail func(error)   // ends all of it

	mu      sync.Mutex
	left    int
	workers int
	failed  map[*replica]error
	errs    []error
}

// run takes piece after piece until nothing is left or its replica does not work.
func (w *work) run(ctx context.Context, r *replica, do func(context.Context, *replica, int) error) {
	defer w.leave()
	for tries := 0; ; {
		var piece int
		select {
		case <-ctx.Done():
			return
		case <-w.done:
			return
		case piece = <-w.todo:
		}
		r.begin()
		err := do(ctx, r, piece)
		r.end(err)
		switch {
		case err == nil:
			tries = 0
			w.finish()
			continue
		case ctx.Err() != nil:
			return
		case !temporary(err):
			w.fail(err)
			return
		}
		w.todo <- piece // it has room for all
		if tries++; tries >= r.t.tries || !w.alone() && fault.Wait(err) == 0 {
			w.gone(r, err)
			return
		}
		if !pause(ctx, w.done, waitFor(err, r.t, tries)) {
			return
		}
	}
}

// alone reports whether this is the last worker of all, which has to try again.
func (w *work) alone() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.workers == 1
}

func (w *work) finish() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.left--; w.left == 0 {
		close(w.done)
	}
}

func (w *work) gone(r *replica, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed[r] = err
	w.errs = append(w.errs, err)
}

func (w *work) leave() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.workers--
}

// waitFor is how long to wait before another try.
func waitFor(err error, t tuning, tries int) time.Duration {
	if wait := fault.Wait(err); wait > 0 {
		return min(wait, t.most)
	}
	return min(t.wait<<(tries-1), t.most)
}

// pause waits, and reports whether there still is something to do.
func pause(ctx context.Context, done <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
	case <-done:
	}
	return false
}

// once does one piece of work with the least busy replica, or with another one where
// that fails before it has begun to answer; begun says so.
func (s *Server) once(ctx context.Context, do func(r *replica) (begun bool, err error)) error {
	var errs []error
	for tries := 0; tries < s.t.tries; tries++ {
		var wait time.Duration
		for _, r := range s.able() {
			r.begin()
			begun, err := do(r)
			r.end(err)
			if err == nil || begun || ctx.Err() != nil || !temporary(err) {
				return err
			}
			errs = append(errs, err)
			wait = waitFor(err, s.t, tries+1)
		}
		if errors.Is(errs[len(errs)-1], fault.ErrUnreachable) && tries > 0 {
			break // it was tried twice; a person sees to it sooner
		}
		if tries+1 < s.t.tries && !pause(ctx, nil, wait) {
			return context.Cause(ctx)
		}
	}
	return s.down(errs)
}
