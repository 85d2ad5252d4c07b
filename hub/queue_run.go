package hub

import (
	"context"
	"errors"
	"slices"
	"time"

	"inglenook/hub/cache"
	"inglenook/hub/fault"
)

// note writes the state of an item to where the next OpenQueue reads it. Errors are
// ignored: the running program uses its memory, so a full disk is no reason to fail.
func (q *Queue) note(i *item) {
	if i.job == nil || i.p.State == StateDone {
		return
	}
	i.job.Paused, i.job.Why = i.p.State == StatePaused || i.p.State == StateFailed, i.p.Why
	i.job.Order = int64(slices.Index(q.items, i))
	if s, err := cache.OpenStore(q.cache.Dir(), i.job.ID, false); err == nil {
		if _, there := s.ReadJob(i.job.Commit); there { // otherwise another program has finished it
			_ = s.WriteJob(*i.job)
		}
		s.Close()
	}
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
