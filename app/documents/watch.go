package documents

import (
	"context"
	"errors"
	"sync"

	"inglenook/app/devices"
	"inglenook/documents/index"
	"inglenook/documents/store"
)

// Watched tells what the watch does to a collection.
type Watched struct {
	Collection string // its id
	Event      *Event // nil: a run has ended
	Result     IndexResult
	Err        error
	Note       string // a sentence, where not all can be watched
}

// Watch keeps all collections in step with their files until ctx ends: it indexes each
// once, and then whenever its files change. report may be called by several goroutines.
func (s *Service) Watch(ctx context.Context, report func(Watched)) error {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return err
	}
	defer done()
	for ctx.Err() == nil {
		changes := s.changes()
		all, err := s.all(ctx)
		if err != nil {
			return err
		}
		s.watchUntil(ctx, changes, all, report)
	}
	return ctx.Err()
}

// watchUntil watches collections until there are others, or theirs are other folders.
func (s *Service) watchUntil(ctx context.Context, changes <-chan struct{}, all []store.Collection, report func(Watched)) {
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	for _, c := range all {
		group.Go(func() { s.watchOne(ctx, c, report) })
	}
	select {
	case <-changes:
	case <-ctx.Done():
	}
	cancel()
	group.Wait()
}

func (s *Service) watchOne(ctx context.Context, c store.Collection, report func(Watched)) {
	roots, err := rootsOf(c, nil)
	if err != nil {
		return // it covers nothing
	}
	id := c.ID()
	run := func(ctx context.Context) {
		result, err := s.Index(ctx, IndexRequest{Collection: id, Target: devices.Target{}}, func(e Event) { report(Watched{Collection: id, Event: &e}) }, nil)
		if ctx.Err() == nil && !errors.Is(err, ErrIndexing) {
			report(Watched{Collection: id, Result: result, Err: err})
		}
	}
	run(ctx)
	w := index.Watcher{Changed: run, Note: func(sentence string) { report(Watched{Collection: id, Note: sentence}) }}
	_ = w.Watch(ctx, roots) // it ends with the context alone
}
