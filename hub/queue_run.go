package hub

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"inglenook/hub/cache"
	"inglenook/hub/fault"
)

// note writes the state of an item to where the next OpenQueue reads it. Errors are
// ignored: the running program uses its memory, so a full disk is no reason to fail.
func (q *Queue) note(i *item) {
	if i.p.State == StateDone {
		return
	}
	paused, order := i.p.State == StatePaused || i.p.State == StateFailed, int64(slices.Index(q.items, i))
	if i.job == nil {
		_ = q.cache.WriteAsked(cache.Asked{ID: i.request.ID, Revision: i.request.Revision, Files: i.request.Files, Order: order, Added: i.added, Paused: paused, Why: i.p.Why})
		return
	}
	i.job.Paused, i.job.Why, i.job.Order = paused, i.p.Why, order
	if s, err := cache.OpenStore(q.cache.Dir(), i.job.ID, false); err == nil {
		if _, there := s.ReadJob(i.job.Commit); there { // otherwise another program has finished it
			_ = s.WriteJob(*i.job)
		}
		s.Close()
	}
}

// recall finds the downloads that an earlier run of the program left, in their order.
func (q *Queue) recall() {
	order := map[*item]int64{}
	put := func(i *item, paused bool, at int64) {
		i.p.ID, i.p.Revision, i.p.State = i.request.ID, i.request.Revision, StateQueued
		if paused {
			i.p.State = StatePaused
		}
		q.items, order[i] = append(q.items, i), at
	}
	for _, a := range q.cache.Asked(context.Background()) {
		put(&item{request: Request{ID: a.ID, Revision: a.Revision, Files: a.Files}, added: a.Added, p: Progress{Why: a.Why}}, a.Paused, a.Order)
	}
	for _, id := range q.cache.IDs(context.Background()) {
		s, err := cache.OpenStore(q.cache.Dir(), id, false)
		if err != nil {
			continue
		}
		for _, j := range s.Jobs() {
			if q.find(j.ID, j.Revision) != nil { // it was asked for anew, maybe with other files
				continue
			}
			u := s.Unfinished(j)
			put(&item{
				request: Request{ID: j.ID, Revision: j.Revision}, added: j.Added, job: &j,
				p: Progress{Commit: j.Commit, Why: j.Why, Done: u.Done, Total: u.Total, Files: len(j.Unique())},
			}, j.Paused, j.Order)
		}
		s.Close()
	}
	slices.SortStableFunc(q.items, func(a, b *item) int {
		return cmp.Or(cmp.Compare(order[a], order[b]), a.added.Compare(b.added), strings.Compare(a.request.ID, b.request.ID))
	})
}

// startSome starts queued downloads while there is room. The caller holds the lock.
func (q *Queue) startSome() {
	running := 0
	for _, i := range q.items {
		if i.stop != nil {
			running++
		}
	}
	for _, i := range q.items {
		if q.closed || q.stale || running >= q.abreast {
			return
		}
		if i.stop == nil && i.p.State == StateQueued {
			running++
			q.start(i)
		}
	}
}

func (q *Queue) start(i *item) {
	ctx, stop := context.WithCancelCause(context.Background())
	i.stop, i.rest = stop, make(chan struct{})
	i.p.State = StateAsking
	q.active.Go(func() {
		err := q.run(ctx, i)
		stop(nil)
		q.ended(i, err)
	})
}

// run runs one download.
func (q *Queue) run(ctx context.Context, i *item) error {
	q.mu.Lock()
	j, request, client := i.job, i.request, q.client
	q.report(i.p)
	q.mu.Unlock()
	for n := 0; j == nil; n++ {
		planned, err := client.plan(ctx, q.cache, request)
		if err == nil {
			j = &planned
			q.mu.Lock()
			i.job = j
			i.p.Commit, i.p.Total = j.Commit, j.Bytes()
			q.note(i)
			_ = q.cache.DropAsked(request.ID, request.Revision)
			q.mu.Unlock()
			break
		}
		if !fault.Temporary(err) {
			return err
		}
		pause := client.tuning.backoff(n, fault.Wait(err))
		q.update(i, func(p *Progress) { p.State, p.Why, p.Until = StateWaiting, err.Error(), time.Now().Add(pause) })
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
	q.mu.Lock()
	now := *j
	q.mu.Unlock()
	_, err := client.runJob(ctx, q.cache, now, 0, func(p Progress) { q.update(i, func(have *Progress) { *have = p }) })
	return err
}

func (q *Queue) update(i *item, change func(*Progress)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	change(&i.p)
	q.report(i.p)
}

// ended records the outcome of a download and starts the next one.
func (q *Queue) ended(i *item, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	i.p.Speed, i.p.Left, i.p.Why, i.p.Until = 0, 0, "", time.Time{}
	switch {
	case err == nil:
		i.p.State, i.job = StateDone, nil
	case errors.Is(err, errClosed):
		i.p.State, q.stale = StateQueued, q.stale || q.client.gone()
	case errors.Is(err, errQuit), errors.Is(err, errChanged):
		i.p.State = StateQueued
	case errors.Is(err, errPaused), errors.Is(err, errCanceled):
		i.p.State = StatePaused
	case errors.Is(err, fault.ErrDiskFull), errors.Is(err, fault.ErrOffline):
		i.p.State, i.p.Why = StatePaused, err.Error()
	default:
		i.p.State, i.p.Why = StateFailed, err.Error()
	}
	i.stop = nil
	close(i.rest)
	if !errors.Is(err, errCanceled) {
		q.note(i)
		q.report(i.p)
	}
	q.startSome()
}
