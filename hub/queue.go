package hub

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"inglenook/hub/cache"
	"inglenook/hub/fault"
	"inglenook/hub/repo"
)

// Queue downloads several repositories, some at a time, in an order that the user can change.
// Its state is on the disk: after a crash, OpenQueue finds the same downloads again.
type Queue struct {
	client  *Client
	cache   *cache.Cache
	abreast int
	report  func(Progress)

	mu     sync.Mutex
	items  []*item // in order
	closed bool
	stale  bool // the client is closed; nothing starts until another is set
	active sync.WaitGroup
}

// item is one download of the queue.
type item struct {
	request Request
	added   time.Time
	job     *cache.Job // nil: the Hub was not asked yet
	p       Progress
	stop    context.CancelCauseFunc // nil: not running
	rest    chan struct{}           // closed when it has stopped
}

var (
	errPaused   = errors.New("paused")
	errCanceled = errors.New("canceled")
	errQuit     = errors.New("the queue is closed")
	errChanged  = errors.New("the client has changed")
)

// OpenQueue finds the unfinished downloads in a cache. abreast is how many run at the same time
// (0: 2). Nothing starts before [Queue.Start] or [Queue.Add]: downloads that were running when
// the program ended are queued, paused ones stay paused.
//
// report is called with every change, one call at a time; it must return soon and must not call
// the queue.
func OpenQueue(client *Client, into *cache.Cache, abreast int, report func(Progress)) (*Queue, error) {
	if abreast <= 0 {
		abreast = 2
	}
	if report == nil {
		report = func(Progress) {}
	}
	q := &Queue{client: client, cache: into, abreast: abreast, report: report}
	q.recall()
	return q, nil
}

// Start starts the queued downloads.
func (q *Queue) Start() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.startSome()
}

// SetClient moves all downloads to another client, including the running ones.
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

// Add appends a download and starts it when there is room. If it is in the queue already and was
// paused or failed, Add restarts it.
func (q *Queue) Add(r Request) error {
	if r.Revision == "" {
		r.Revision = "main"
	}
	if err := errors.Join(repo.CheckID(r.ID), repo.CheckRevision(r.Revision)); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return errQuit
	}
	i := q.find(r.ID, r.Revision)
	if i == nil {
		i = &item{request: r, added: time.Now().UTC().Truncate(time.Second)}
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

// queued prepares a stopped item for another run.
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
	return nil, fault.New(fault.ErrNotFound, nil, "there is no download of %.100s", id)
}

// Pause stops a download; the received bytes stay.
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

// Resume puts a paused or failed download back in line.
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

// Cancel stops a download and removes it from the queue. With keep, the received bytes stay for
// a later download; otherwise they are deleted, except for complete files. It returns how many
// bytes stayed, or were deleted.
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
	if err := q.cache.DropAsked(i.request.ID, i.request.Revision); i.job == nil {
		return 0, err
	}
	return forget(q.cache, *i.job, keep)
}

// forget removes a job, and its unfinished files unless keep is set.
func forget(in *cache.Cache, j cache.Job, keep bool) (bytes int64, err error) {
	s, err := cache.OpenStore(in.Dir(), j.ID, false)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	journals := s.Journals("")
	for _, f := range j.Files {
		for _, found := range journals {
			if found.Digest != f.Digest() || found.Running(defaultTuning().stale) {
				continue
			}
			bytes += found.Bytes()
			if !keep {
				s.DropJournal(found)
			}
		}
	}
	return bytes, s.DropJob(j.Commit)
}

// Move moves a download to position n of the order, counted from 0.
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

// Clear removes finished downloads from the list.
func (q *Queue) Clear() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = slices.DeleteFunc(q.items, func(i *item) bool { return i.p.State == StateDone })
}

// Wait returns when nothing runs any more, or when ctx ends.
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

// Close stops all downloads. The next OpenQueue resumes them.
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
