// Package index keeps a collection in step with files and folders, which are read in
// place.
//
// A run lists the files, compares them with what is kept, and reads what is new or
// has changed. Reading, embedding and keeping go on at the same time, so that the
// embedder does not wait:
//
//	walk → plan → read and cut (several files) → embed (passages of many files) → keep (one file at a time)
//
// A file is kept in one transaction. So a run can end at any moment, and the next one
// goes on with the files that are missing.
package index

import (
	"context"
	"errors"
	"sync"
	"time"

	"inglenook/documents"
	"inglenook/documents/chunk"
	"inglenook/documents/store"
)

// Collection is what an indexer needs of a store.Collection.
type Collection interface {
	store.Files
	store.VectorSets
}

// Indexer keeps one collection in step. One run goes on at a time.
type Indexer struct {
	Collection Collection
	// Open returns the embedder. It is called at most once a run, when the first
	// passage needs it: most runs find nothing new, and a model takes memory and time.
	Open func(ctx context.Context) (documents.Embedder, error)
	// Read returns the text of a file; a format.Error says why there is none.
	Read func(ctx context.Context, path string) (documents.Document, error)
	// Yield is called before each batch and returns when the machine is free for
	// it, or with the error of the context. It may be nil.
	Yield func(ctx context.Context) error
	// BatchTime is about how long one call of the embedder may take; 0: a second.
	BatchTime time.Duration
	// Patience is how long files that another process works on are waited for, after the last of
	// them was done; 0: a minute.
	Patience time.Duration
	Chunks   chunk.Options
	MaxFile  int64 // bytes of the largest file that is read; 0: 200 MiB
	Readers  int   // files that are read at the same time; 0: 2

	running sync.Mutex
	paused  gate
}

const (
	defaultMaxFile = 200 << 20
	defaultReaders = 2
)

// Request says what a run does.
type Request struct {
	Roots []Root
	// Leaving reports of a file whether it takes no part any more and what is kept of it stays: whoever asks forgets
	// it. nil: there are none.
	Leaving func(path string) bool
	Retry   bool // files that failed or were skipped are tried again, although they did not change
	// Report is told what happens, by one goroutine at a time. It may be nil.
	Report func(Event)
}

// Summary is what a run did.
type Summary struct {
	Files        int // that take part
	Unchanged    int
	Indexed      int // read and embedded
	Linked       int // moved or copied: their text was known
	Others       int // indexed by other processes meanwhile
	LeftToOthers int // that other processes still work on
	Skipped      int
	Failed       int
	Removed      int
	LeftOut      int // met, and taking no part: hidden, links to folders, no regular files, what could not be reached
	Lost         int // of these, what could not be reached
	Passages     int
	Tokens       int64
	Took         time.Duration
}

// TokensPerSecond is the speed of the whole run.
func (s Summary) TokensPerSecond() float64 {
	if s.Took <= 0 {
		return 0
	}
	return float64(s.Tokens) / s.Took.Seconds()
}

// ErrRunning is the error of a run that comes while another goes on.
var ErrRunning = errors.New("this collection is being indexed already; wait until that is done")

// Pause stops the work after the batch and the files at hand, until Resume.
func (x *Indexer) Pause() { x.paused.shut() }

// Resume goes on after Pause.
func (x *Indexer) Resume() { x.paused.open() }

// Paused reports whether the work is paused.
func (x *Indexer) Paused() bool { return x.paused.isShut() }

// Run brings the collection in step with the files below the roots. It returns when
// all is done, when ctx ends, or with an error that concerns more than one file.
func (x *Indexer) Run(ctx context.Context, r Request) (Summary, error) {
	if !x.running.TryLock() {
		return Summary{}, ErrRunning
	}
	defer x.running.Unlock()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := newRun(x, r, cancel)
	w.embedder = sync.OnceValues(func() (documents.Embedder, error) { return x.begin(ctx) })
	err := w.all(ctx)
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return w.track.end(), err
}

// begin opens the embedder and makes place for its vectors.
func (x *Indexer) begin(ctx context.Context) (documents.Embedder, error) {
	e, err := x.Open(ctx)
	if err != nil {
		return nil, err
	}
	return e, x.Collection.Begin(ctx, e.ID(), e.Dimension())
}

// Wait returns when the work may go on: it is not paused, and the machine is free.
func (x *Indexer) Wait(ctx context.Context) error {
	if err := x.paused.pass(ctx); err != nil || x.Yield == nil {
		return err
	}
	return x.Yield(ctx)
}

// run is one run of an indexer.
type run struct {
	*Indexer
	request  Request
	fail     context.CancelCauseFunc // ends the run with an error
	track    *tracker
	contents *contents
	others   *others
	plan     *plan
	embedder func() (documents.Embedder, error) // opened by the first call
	failing  int                                // files in a row that the model failed with
	left     *ModelError                        // why files are left to the next run

	memory *budget    // of texts between reading and keeping, in bytes
	read   chan *work // to be embedded
	ready  chan *work // to be kept
}

// textMemory bounds the texts that wait to be embedded. A larger text goes alone.
const textMemory = 64 << 20

func newRun(x *Indexer, r Request, fail context.CancelCauseFunc) *run {
	return &run{
		Indexer: x, request: r, fail: fail, track: newTracker(r.Report), contents: newContents(), others: &others{},
		memory: newBudget(textMemory), read: make(chan *work, 64), ready: make(chan *work, 64),
	}
}

func (r *run) all(ctx context.Context) error {
	if err := r.makePlan(ctx); err != nil {
		return err
	}
	if err := r.collect(ctx, r.plan.gone); err != nil {
		return err
	}
	if c, ok := r.Collection.(store.Claimer); ok {
		r.others.claims = c.Claims()
		defer r.others.claims.Close()
	}
	var readers, stages sync.WaitGroup
	jobs := make(chan job)
	for range max(1, orElse(r.Readers, defaultReaders)) {
		readers.Go(func() {
			for j := range jobs {
				r.readFile(ctx, j)
			}
		})
	}
	stages.Go(func() { r.embed(ctx) })
	stages.Go(func() { r.keep(ctx) })
	r.hand(ctx, jobs)
	close(jobs)
	readers.Wait()
	r.await(ctx)
	close(r.read)
	stages.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if r.left != nil {
		return r.left
	}
	return r.collect(ctx, r.plan.moved())
}

// hand sends the jobs to the readers.
func (r *run) hand(ctx context.Context, jobs chan<- job) {
	for _, j := range r.plan.jobs {
		if r.Wait(ctx) != nil {
			return
		}
		select {
		case jobs <- j:
		case <-ctx.Done():
			return
		}
	}
}

// collect forgets files that are gone.
func (r *run) collect(ctx context.Context, gone []string) error {
	if len(gone) == 0 {
		return nil
	}
	if err := r.Collection.Delete(ctx, gone...); err != nil {
		return err
	}
	r.track.removed(gone)
	return nil
}

func orElse[T int | int64 | time.Duration](value, otherwise T) T {
	if value <= 0 {
		return otherwise
	}
	return value
}
