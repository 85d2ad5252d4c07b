package hub

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// Queue downloads several repositories, some at a time, in an order that a person can change.
// What it knows is on the disk: after a crash, OpenQueue finds the same downloads again.
type Queue struct {
	client  *Client
	cache   *Cache
	abreast int
	report  func(Progress)

	mu     sync.Mutex
	items  []*item // in order
	closed bool
	stale  bool // the client is closed; nothing starts before there is another
	active sync.WaitGroup
}

// item is one download of the queue.
type item struct {
	request Request
	job     *job // nil: the Hub has not been asked yet
	p       Progress
	stop    context.CancelCauseFunc // nil: it does not run
	rest    chan struct{}           // closed when it has stopped
}

var (
	errPaused   = errors.New("paused")
	errCanceled = errors.New("canceled")
	errQuit     = errors.New("the queue is closed")
	errChanged  = errors.New("the client has changed")
)

// OpenQueue finds the downloads that were begun in a cache. abreast is how many run at the same
// time (0: 2). Nothing starts before [Queue.Start] or [Queue.Add]: downloads that ran when the
// program ended are queued, those that were paused are paused.
//
// report is called with every change, one at a time; it must return soon and not call the queue.
func OpenQueue(client *Client, cache *Cache, abreast int, report func(Progress)) (*Queue, error) {
	if abreast <= 0 {
		abreast = 2
	}
	if report == nil {
		report = func(Progress) {}
	}
	q := &Queue{client: client, cache: cache, abreast: abreast, report: report}
	for _, id := range cache.IDs() {
		s, err := openStore(cache.dir, id, false)
		if err != nil {
			continue
		}
		for _, j := range s.jobs() {
			u := s.unfinished(j)
			state := StateQueued
			if j.Paused {
				state = StatePaused
			}
			q.items = append(q.items, &item{
				request: Request{ID: j.ID, Revision: j.Revision}, job: &j,
				p: Progress{ID: j.ID, Revision: j.Revision, Commit: j.Commit, State: state, Why: j.Why, Done: u.Done, Total: u.Total, Files: len(j.unique())},
			})
		}
		s.close()
	}
	slices.SortStableFunc(q.items, func(a, b *item) int {
		if a.job.Order != b.job.Order {
			return int(min(1, max(-1, a.job.Order-b.job.Order)))
		}
		return a.job.Added.Compare(b.job.Added)
	})
	return q, nil
}

// Start begins what is queued.
func (q *Queue) Start() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.startSome()
}

// SetClient makes all downloads go through another client, those that run as well.
func (q *Queue) SetClient(client *Client) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.client == client {
		return
	}
	q.client, q.stale = client, false
	for _, i := range q.items {
		if i.stop != nil {
			i.stop(errChanged)
		}
	}
	q.startSome()
}

// List returns all downloads in their order.
func (q *Queue) List() []Progress {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := []Progress{}
	for _, i := range q.items {
		list = append(list, i.p)
	}
	return list
}

// Add puts a download at the end, and starts it when there is room. One that is there already
// is started again where it was paused or had failed.
func (q *Queue) Add(r Request) error {
	if r.Revision == "" {
		r.Revision = "main"
	}
	if err := errors.Join(CheckID(r.ID), CheckRevision(r.Revision)); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return errQuit
	}
	i := q.find(r.ID, r.Revision)
	if i == nil {
		i = &item{request: r}
		q.items = append(q.items, i)
	} else if i.stop == nil && (len(r.Files) > 0 || i.p.State == StateDone) {
		i.request, i.job = r, nil
	}
	if i.stop == nil {
		q.queued(i)
		q.startSome()
	}
	return nil
}

// queued readies an item that does not run.
func (q *Queue) queued(i *item) {
	i.p.ID, i.p.Revision, i.p.State, i.p.Why, i.p.Speed, i.p.Left = i.request.ID, i.request.Revision, StateQueued, "", 0, 0
	q.note(i)
	q.report(i.p)
}

func (q *Queue) find(id, revision string) *item {
	if revision == "" {
		revision = "main"
	}
	at := slices.IndexFunc(q.items, func(i *item) bool { return i.request.ID == id && i.request.Revision == revision })
	if at < 0 {
		return nil
	}
	return q.items[at]
}

func (q *Queue) mustFind(id, revision string) (*item, error) {
	if i := q.find(id, revision); i != nil {
		return i, nil
	}
	return nil, fail(ErrNotFound, nil, "there is no download of %.100s", id)
}

// Pause stops a download; what came stays.
func (q *Queue) Pause(id, revision string) error {
	q.mu.Lock()
	i, err := q.mustFind(id, revision)
	if err != nil {
		q.mu.Unlock()
		return err
	}
	if i.stop == nil {
		if i.p.State == StateQueued {
			i.p.State = StatePaused
			q.note(i)
			q.report(i.p)
		}
		q.mu.Unlock()
		return nil
	}
	i.stop(errPaused)
	rest := i.rest
	q.mu.Unlock()
	<-rest
	return nil
}

// Resume puts a download that was paused or had failed back in line.
func (q *Queue) Resume(id, revision string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	i, err := q.mustFind(id, revision)
	if err == nil && i.stop == nil && i.p.State != StateDone {
		q.queued(i)
		q.startSome()
	}
	return err
}

// Cancel ends a download and takes it off the queue. With keep, what came stays for a later
// download; else it is deleted, apart from files that are whole. It says how many bytes stayed,
// or were deleted.
func (q *Queue) Cancel(id, revision string, keep bool) (bytes int64, err error) {
	q.mu.Lock()
	i, err := q.mustFind(id, revision)
	if err != nil {
		q.mu.Unlock()
		return 0, err
	}
	if i.stop != nil {
		i.stop(errCanceled)
		rest := i.rest
		q.mu.Unlock()
		<-rest
		q.mu.Lock()
	}
	defer q.mu.Unlock()
	q.items = slices.DeleteFunc(q.items, func(x *item) bool { return x == i })
	q.startSome()
	if i.job == nil {
		return 0, nil
	}
	return q.cache.forget(*i.job, keep)
}

// forget takes a job away, and its unfinished files where they are not to be kept.
func (c *Cache) forget(j job, keep bool) (bytes int64, err error) {
	s, err := openStore(c.dir, j.ID, false)
	if err != nil {
		return 0, err
	}
	defer s.close()
	journals := s.journals("")
	for _, f := range j.Files {
		for _, found := range journals {
			if found.Digest != f.Digest() || found.running(defaultTuning().stale) {
				continue
			}
			bytes += found.bytes()
			if !keep {
				s.dropJournal(found)
			}
		}
	}
	return bytes, s.dropJob(j.Commit)
}

// Move puts a download at place n of the order, from 0.
func (q *Queue) Move(id, revision string, n int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	i, err := q.mustFind(id, revision)
	if err != nil {
		return err
	}
	q.items = slices.DeleteFunc(q.items, func(x *item) bool { return x == i })
	q.items = slices.Insert(q.items, min(max(0, n), len(q.items)), i)
	for _, x := range q.items {
		q.note(x)
	}
	return nil
}

// Clear takes finished downloads off the list.
func (q *Queue) Clear() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = slices.DeleteFunc(q.items, func(i *item) bool { return i.p.State == StateDone })
}

// Wait returns when nothing runs any more, or with ctx.
func (q *Queue) Wait(ctx context.Context) error {
	for {
		q.mu.Lock()
		var rest chan struct{}
		for _, i := range q.items {
			if i.stop != nil {
				rest = i.rest
			}
		}
		q.mu.Unlock()
		if rest == nil {
			return nil
		}
		select {
		case <-rest:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Close stops everything. The next OpenQueue goes on with it.
func (q *Queue) Close() {
	q.mu.Lock()
	q.closed = true
	for _, i := range q.items {
		if i.stop != nil {
			i.stop(errQuit)
		}
	}
	q.mu.Unlock()
	q.active.Wait()
}
