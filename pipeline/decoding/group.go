package decoding

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"inglenook/pipeline/placement"
)

// Group reads several sequences of one model in passes that they share. A sequence joins
// and leaves between two passes. One goroutine runs the passes; Close ends it.
type Group struct {
	decoder   *Decoder
	sequences []*Sequence
	news      chan struct{} // holds a token when waiting or a sequence has changed
	quit      chan struct{}
	ended     chan struct{}

	mu      sync.Mutex // guards what follows, and the sequences
	waiting []*request // in the order in which they came
	last    time.Duration
	closed  bool
}

// Sequence is the predictor of one text of a group. One answer at a time uses it.
type Sequence struct {
	group   *Group
	number  int
	epoch   int  // of the decoder, when it read what it holds; the group's goroutine owns it
	in      bool // an answer uses it
	awaited bool // it was in the last pass, and will probably be in the next

	scores   []float32 // of the last read
	notices  []string
	outcome  placement.Outcome
	profiles bool
}

// request is a read that waits for its pass.
type request struct {
	read
	ctx  context.Context
	of   *Sequence
	done chan error // has room for one
}

// NewGroup starts a group of as many sequences as the decoder has caches.
func NewGroup(d *Decoder) *Group {
	g := &Group{decoder: d, news: make(chan struct{}, 1), quit: make(chan struct{}), ended: make(chan struct{})}
	for i := range 1 + len(d.others) {
		g.sequences = append(g.sequences, &Sequence{group: g, number: i, epoch: d.epoch})
	}
	go g.loop()
	return g
}

// Sequences returns the predictors.
func (g *Group) Sequences() []*Sequence { return g.sequences }

// Close ends the passes and frees what the decoder holds. No answer may be under way.
func (g *Group) Close() error {
	if !g.end() {
		return nil
	}
	return g.decoder.Close()
}

// end ends the passes; false: they have ended before. No answer may be under way.
func (g *Group) end() bool {
	g.mu.Lock()
	closed := g.closed
	g.closed = true
	g.mu.Unlock()
	if closed {
		return false
	}
	close(g.quit)
	<-g.ended
	return true
}

// changed lets the loop look again.
func (g *Group) changed() {
	select {
	case g.news <- struct{}{}:
	default:
	}
}

func (g *Group) loop() {
	defer close(g.ended)
	for {
		reads, patience := g.next()
		if reads != nil {
			start := time.Now()
			g.pass(reads)
			g.mu.Lock()
			g.last = time.Since(start)
			g.mu.Unlock()
			continue
		}
		var late <-chan time.Time
		if patience > 0 {
			late = time.After(patience)
		}
		select {
		case <-g.quit:
			return
		case <-g.news:
		case <-late:
			g.mu.Lock()
			for _, s := range g.sequences {
				s.awaited = false
			}
			g.mu.Unlock()
		}
	}
}

// The loop waits a little for the sequences of the last pass: each of them chooses its
// token first. Who takes longer than this part of a pass comes with a later one.
const (
	patiencePart  = 4
	leastPatience = 500 * time.Microsecond
	mostPatience  = 20 * time.Millisecond
)

// next takes the reads of the next pass. Without any it returns how long to wait for
// those who are awaited; 0: until something changes.
func (g *Group) next() (reads []*request, patience time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.waiting) == 0 {
		return nil, 0
	}
	for _, s := range g.sequences {
		if s.awaited {
			return nil, max(leastPatience, min(g.last/patiencePart, mostPatience))
		}
	}
	first := g.waiting[0]
	var rest []*request
	for i, r := range g.waiting {
		if i == 0 || sameKind(first.read, r.read) {
			reads = append(reads, r)
		} else {
			rest = append(rest, r)
		}
	}
	g.waiting = rest
	for _, r := range reads {
		r.of.awaited = r.scores > 0
	}
	return reads, 0
}

// pass runs one pass and answers its requests.
func (g *Group) pass(reads []*request) {
	var now []*request
	for _, r := range reads { // what was lost in another one's pass has to be read again
		switch {
		case r.ctx.Err() != nil:
			g.answer(r, r.ctx.Err())
		case r.past > 0 && r.of.epoch != g.decoder.epoch:
			g.answer(r, errForgotten)
		default:
			now = append(now, r)
		}
	}
	if len(now) == 0 {
		return
	}
	err := g.run(now)
	switch {
	case err == nil:
		g.share(now)
	case g.decoder.Recovers(err):
		g.tell(now)
		for _, r := range now {
			r.of.epoch = -1
			g.answer(r, errForgotten)
		}
	case len(now) == 1:
		g.tell(now)
		if now[0].ctx.Err() != nil {
			err = now[0].ctx.Err()
		}
		g.answer(now[0], err)
	default: // one of them may be at fault: the others go on without it
		for _, r := range now {
			g.pass([]*request{r})
		}
	}
}

// run runs the pass until it is complete or nobody wants it any more.
func (g *Group) run(reads []*request) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var left atomic.Int64
	left.Store(int64(len(reads)))
	list := make([]read, len(reads))
	profiles := false
	for i, r := range reads {
		list[i] = r.read
		profiles = profiles || r.of.profiled()
		stop := context.AfterFunc(r.ctx, func() {
			if left.Add(-1) == 0 {
				cancel()
			}
		})
		defer stop()
	}
	g.decoder.Ran(profiles)
	return g.decoder.extend(ctx, list)
}

// share hands the scores of a pass to the sequences that took part.
func (g *Group) share(reads []*request) {
	g.tell(reads)
	values, vocab := g.decoder.values, g.decoder.model.Config().Vocab
	for _, r := range reads {
		r.of.epoch = g.decoder.epoch
		if r.scores > 0 {
			n := r.scores * vocab
			r.of.scores, values = append(r.of.scores[:0], values[:n]...), values[n:]
		}
		g.answer(r, nil)
	}
}

// tell notes for the sequences of a pass where it ran and what happened. Its profile counts
// once.
func (g *Group) tell(reads []*request) {
	outcome, notices := g.decoder.Ran(false), g.decoder.Notices()
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range reads {
		r.of.outcome.Join(outcome)
		r.of.notices = append(r.of.notices, notices...)
		outcome.Profile = placement.Profile{}
	}
}

func (g *Group) answer(r *request, err error) {
	if err != nil {
		g.mu.Lock()
		r.of.awaited = false
		g.mu.Unlock()
	}
	r.done <- err
}
