package remote

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"inglenook/hub/fault"
	"inglenook/plain"
)

// piece is a run of texts that go into one request.
type piece struct {
	from, to int
	late     bool               // it was given up once because another replica takes less
	refused  map[*replica]error // they do not take these texts
}

// work is texts that are shared by replicas. One goroutine has it; those of the requests
// send it what came of them.
type work struct {
	s        *Server
	texts    []string
	progress func(done, total int) // may be nil
	do       func(ctx context.Context, r *replica, p piece) error
	outage   outage

	from  int     // the texts before it were handed out
	again []piece // that failed
	left  int     // texts without a result
	hands []*hand
	ended chan *flight
	notes []string
}

// hand is what a replica has to do with the work.
type hand struct {
	*replica
	flying  []*flight
	tries   int       // that failed one after the other
	failed  time.Time // last
	err     error     // that it failed with
	resting time.Time // it is not asked until then
	gone    bool      // it failed, and others do its part
}

// flight is one request that is under way.
type flight struct {
	of     *hand
	p      piece
	began  time.Time
	weight int
	cancel context.CancelCauseFunc
	err    error
}

// run does all of the work. An error means that some of it is not done.
func (w *work) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w.ended = make(chan *flight)
	for {
		w.join()
		w.hand(ctx)
		if err := w.unwanted(); err != nil {
			cancel(err)
			w.drain()
			return err
		}
		wake, busy := w.next(time.Now())
		if !busy {
			if !w.await(time.Now()) {
				return w.s.down(w.errors())
			}
			continue
		}
		timer := time.NewTimer(wake)
		select {
		case f := <-w.ended:
			if err := w.landed(f); err != nil {
				cancel(err)
				w.drain()
				return err
			}
		case <-timer.C:
			w.giveUp(time.Now())
		case <-ctx.Done():
			w.drain()
			return context.Cause(ctx)
		}
		timer.Stop()
		if w.left == 0 {
			return nil
		}
	}
}

// join takes in the replicas that are able to work by now.
func (w *work) join() {
	for _, r := range w.s.able() {
		i := slices.IndexFunc(w.hands, func(h *hand) bool { return h.replica == r })
		switch {
		case i < 0:
			w.hands = append(w.hands, &hand{replica: r})
		case w.hands[i].gone && r.rested() && w.working() > 0:
			w.hands[i].gone, w.hands[i].tries = false, r.t.tries-1
		}
	}
}

// errors are those with which the replicas failed.
func (w *work) errors() (errs []error) {
	for _, h := range w.hands {
		if h.err != nil {
			errs = append(errs, h.err)
		}
	}
	return errs
}

// working is how many replicas are at work.
func (w *work) working() (n int) {
	for _, h := range w.hands {
		if !h.gone {
			n++
		}
	}
	return n
}

// hand gives every replica as many requests as keep it busy.
func (w *work) hand(ctx context.Context) {
	for given := true; given; {
		given = false
		for _, h := range w.hands {
			if h.gone || time.Now().Before(h.resting) || len(h.flying) >= h.depth() {
				continue
			}
			p, ok := w.take(h)
			if !ok {
				continue
			}
			w.send(ctx, h, p)
			given = true
		}
	}
}

// depth is how many requests a replica has at once.
func (h *hand) depth() int {
	if h.tries > 0 {
		return 1 // it has to show first that it works
	}
	return h.pace.depth()
}

// take cuts off the next piece for a replica.
func (w *work) take(h *hand) (piece, bool) {
	for i, p := range slices.Backward(w.again) {
		if p.refused[h.replica] == nil {
			w.again = slices.Delete(w.again, i, i+1)
			return p, true
		}
	}
	if w.from == len(w.texts) {
		return piece{}, false
	}
	most := requestTexts
	if n := len(w.s.replicas); n > 1 { // smaller ones towards the end, so that none waits long for the last
		most = max(h.pace.texts(), min(requestTexts, (len(w.texts)-w.from)/(n*restPieces)))
	}
	p, bytes := piece{from: w.from, to: w.from}, 0
	for p.to < len(w.texts) && p.to-p.from < most {
		bytes += len(w.texts[p.to])
		if p.to > p.from && bytes > requestBytes {
			break
		}
		p.to++
	}
	w.from = p.to
	return p, true
}

// send makes a request.
func (w *work) send(ctx context.Context, h *hand, p piece) {
	ctx, cancel := context.WithCancelCause(ctx)
	f := &flight{of: h, p: p, began: time.Now(), weight: weightOf(w.texts[p.from:p.to]), cancel: cancel}
	h.flying = append(h.flying, f)
	h.begin()
	go func() {
		f.err = w.do(ctx, h.replica, p)
		w.ended <- f
	}()
}

// landed takes what came of a request. An error ends all of the work.
func (w *work) landed(f *flight) error {
	h := f.of
	f.cancel(nil)
	h.flying = slices.DeleteFunc(h.flying, func(o *flight) bool { return o == f })
	known := f.began.Before(h.failed) // it was sent before the failure that is known
	if f.err == nil && known {
		h.ended()
	} else {
		h.end(f.err)
	}
	if f.err == nil {
		h.pace.took(time.Since(f.began), f.weight, f.p.to-f.p.from)
		for r, err := range f.p.refused {
			w.note(fmt.Sprintf("%s of %s does not take some texts, which others took: %v", r.at.Host(), w.s.name, err))
		}
		w.left -= f.p.to - f.p.from
		w.over(time.Now())
		if w.progress != nil {
			w.progress(len(w.texts)-w.left, len(w.texts))
		}
		if known {
			return nil
		}
		if h.tries = 0; h.tell(false) && len(w.s.replicas) > 1 {
			w.note(fmt.Sprintf("%s of %s works again", h.at.Host(), w.s.name))
		}
		return nil
	}
	if refuses(f.err) {
		f.p.refused = maps.Clone(f.p.refused)
		if f.p.refused == nil {
			f.p.refused = map[*replica]error{}
		}
		f.p.refused[h.replica] = f.err
		w.again = append(w.again, f.p)
		return nil
	}
	if !atFault(f.err) {
		return f.err
	}
	w.again = append(w.again, f.p)
	if known || h.gone {
		return nil
	}
	h.failed, h.err = time.Now(), f.err
	wait := fault.Wait(f.err)
	if h.tries++; h.tries >= h.t.tries || lasting(f.err) || wait > h.t.most || errors.Is(f.err, errSilent) || w.working() > 1 && (wait == 0 || wait > h.t.down) {
		h.gone = true
		if w.working() > 0 && h.tell(true) {
			w.note(w.s.wentOn(h.replica, f.err))
		}
		return nil
	}
	h.resting = h.failed.Add(waitFor(f.err, h.t, h.tries))
	return nil
}

// unwanted is the error about texts that every replica which works refuses; nil: there are
// none.
func (w *work) unwanted() error {
	for _, p := range w.again {
		var last error
		for _, h := range w.hands {
			if h.gone {
				continue
			}
			if last = p.refused[h.replica]; last == nil {
				break
			}
		}
		if last != nil {
			return last
		}
	}
	return nil
}

// note keeps a sentence for the person, once.
func (w *work) note(sentence string) {
	if !slices.Contains(w.notes, sentence) {
		w.notes = append(w.notes, sentence)
	}
}

// next is how long to wait for an answer before something else is to be done. busy is
// false where there is nobody to wait for.
func (w *work) next(now time.Time) (wake time.Duration, busy bool) {
	wake = time.Minute
	for _, h := range w.hands {
		if h.gone && len(h.flying) == 0 {
			continue
		}
		busy = true
		if d := h.resting.Sub(now); d > 0 {
			wake = min(wake, d)
		}
		for _, f := range h.flying {
			if patience, _ := w.patience(f); patience > 0 {
				wake = min(wake, max(time.Millisecond, patience-now.Sub(f.began)))
			}
		}
	}
	return wake, busy
}

// A replica may take so many times as long as the others would, before its part is given
// to them.
const slower = 8

// patience is how long a request may take; 0: as long as the server is not silent. Where others
// work, they tell it, and else what this one took before. alone reports that.
func (w *work) patience(f *flight) (most time.Duration, alone bool) {
	alone = true
	for _, h := range w.hands {
		if h != f.of && !h.gone && h.tries == 0 {
			alone, most = false, max(most, slower*h.pace.expected(f.weight))
		}
	}
	switch {
	case alone:
		if most = slower * f.of.pace.longest(f.weight); most > 0 {
			most = max(most, f.of.t.alone)
		}
	case f.p.late:
		return 0, false
	case most > 0:
		most = max(most, f.of.t.patient)
	}
	return most, alone
}

// giveUp ends the requests that take much longer than they would elsewhere.
func (w *work) giveUp(now time.Time) {
	for _, h := range w.hands {
		for _, f := range h.flying {
			patience, alone := w.patience(f)
			switch {
			case patience == 0 || now.Sub(f.began) < patience:
			case alone:
				f.cancel(fault.New(fault.ErrUnreachable, errSilent, "the server %s did not answer within %s, and was much faster before; see whether it still works", h.at.Host(), plain.Duration(patience)))
			default:
				f.p.late = true
				f.cancel(fault.New(fault.ErrUnreachable, nil, "the server %s did not answer within %s, where others take much less; see whether it still works", h.at.Host(), plain.Duration(patience)))
			}
		}
	}
}

// drain waits for the requests that are under way, whose context has ended.
func (w *work) drain() {
	for _, h := range w.hands {
		for range h.flying {
			f := <-w.ended
			f.cancel(nil)
			f.of.end(f.err)
		}
	}
}
