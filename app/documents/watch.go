package documents

import (
	"context"
	"errors"
	"sync"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/documents/index"
	"inglenook/documents/store"
)

// Watched tells what the watch does to a collection.
type Watched struct {
	Collection string         // its id
	Event      *Event         // something happened to a file
	Loading    *base.Progress // a model is opened, or makes vectors of all passages
	Result     IndexResult    // of a run that has ended; the other three are nil or empty
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
	for begins := true; ctx.Err() == nil; {
		changes := s.changes()
		all, err := s.all(ctx)
		if err != nil && s.shared() && ctx.Err() == nil { // the database may come back, or another store be chosen
			select {
			case <-changes:
			case <-time.After(databaseAgain):
			case <-ctx.Done():
			}
			continue
		}
		if err != nil {
			return err
		}
		if begins { // nobody can take back any more what the program before has taken off
			begins = false
			for _, c := range all {
				if err := s.forget(ctx, c); err != nil && ctx.Err() == nil {
					s.log.Warn("what was taken off is not deleted", "collection", c.Name(), "error", err)
				}
			}
		}
		s.watchUntil(ctx, changes, all, report)
	}
	return ctx.Err()
}

// databaseAgain is how long a watch leaves a database alone that does not answer.
const databaseAgain = 30 * time.Second

// shared reports whether a database keeps the collections.
func (s *Service) shared() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.database != ""
}

// watchUntil watches collections until there are others, or theirs are other folders.
func (s *Service) watchUntil(ctx context.Context, changes <-chan struct{}, all []store.Collection, report func(Watched)) {
	whole := ctx
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	for _, c := range all {
		group.Go(func() {
			s.watchOne(ctx, c, func(w Watched) {
				if whole.Err() == nil {
					report(w)
				}
			})
		})
	}
	s.untilChanged(ctx, changes)
	cancel()
	group.Wait()
}

// untilChanged returns when collections have changed, or can be written at last, or
// the context ends.
func (s *Service) untilChanged(ctx context.Context, changes <-chan struct{}) {
	for {
		kept, err := s.kept(ctx)
		var again <-chan time.Time
		if err == nil && kept.ReadOnly() {
			again = time.After(takeOverEvery)
		}
		select {
		case <-again:
		case <-changes:
			return
		case <-ctx.Done():
			return
		}
	}
}

func (s *Service) watchOne(ctx context.Context, c store.Collection, report func(Watched)) {
	roots, err := rootsOf(c, nil)
	if err != nil {
		return // it covers nothing
	}
	id := c.ID()
	run := func(ctx context.Context) {
		result, err := s.Index(ctx, IndexRequest{Collection: id, Target: devices.Target{}}, func(e Event) { report(Watched{Collection: id, Event: &e}) },
			func(p base.Progress) { report(Watched{Collection: id, Loading: &p}) })
		if !errors.Is(err, ErrIndexing) { // also of a run that ends as the folders have changed
			if err != nil {
				err = base.InContext(ctx, err)
			}
			report(Watched{Collection: id, Result: result, Err: err})
		}
	}
	w := index.Watcher{Changed: run, Note: func(sentence string) { report(Watched{Collection: id, Note: sentence}) }}
	_ = w.Watch(ctx, roots) // it ends with the context alone
}
