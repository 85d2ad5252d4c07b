package documents

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/pool"
	text "inglenook/documents"
	"inglenook/documents/extract"
	"inglenook/documents/index"
	"inglenook/documents/store"
	"inglenook/documents/store/sqlite"
	"inglenook/documents/store/vectors"
)

// Service keeps collections of documents and searches them. Its methods may be called
// from any goroutine.
type Service struct {
	life    *base.Lifetime
	log     *slog.Logger
	folder  string
	devices *devices.Service
	library *library.Service
	pool    *pool.Pool
	read    Reader
	busy    func() bool // somebody waits for an answer, so indexing waits; may be nil

	searches  atomic.Int32 // under way
	questions *questions

	mu        sync.Mutex
	store     store.Store               // nil until it is asked for
	runs      map[string]*index.Indexer // by collection
	paused    map[string]bool
	passwords map[string]string // of locked files, by path; they are kept in memory alone
	changed   chan struct{}     // closed when collections or their folders change
}

// Reader reads the text of a file; extract.File is one.
type Reader func(ctx context.Context, path string, o extract.Options) (text.Document, error)

// New returns a service whose collections lie in the data folder. busy reports whether
// somebody waits for an answer of a model.
func New(life *base.Lifetime, log *slog.Logger, paths base.Paths, devices *devices.Service, library *library.Service, pool *pool.Pool, read Reader, busy func() bool) *Service {
	return &Service{
		life: life, log: log, folder: filepath.Join(paths.Data, "documents"), devices: devices, library: library, pool: pool, read: read, busy: busy,
		questions: newQuestions(), runs: map[string]*index.Indexer{}, paused: map[string]bool{}, passwords: map[string]string{}, changed: make(chan struct{}),
	}
}

// Close closes the collections. No call is under way then.
func (s *Service) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.store == nil {
		return nil
	}
	err := s.store.Close()
	s.store = nil
	return err
}

// kept returns the store, opened now if need be.
func (s *Service) kept(ctx context.Context) (store.Store, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.store != nil {
		return s.store, nil
	}
	opened, err := sqlite.Open(ctx, s.folder, vectors.Portable{})
	if err != nil {
		return nil, base.InContext(ctx, s.sentence(err))
	}
	for _, note := range opened.Notes() {
		s.log.Warn("documents", "note", note)
	}
	s.store = opened
	return opened, nil
}

// sentence says of an error of the store what it is and what to do.
func (s *Service) sentence(err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, store.ErrReadOnly):
		return errors.New("another Inglenook has the documents open, so they can be searched here and not changed; do this in its window, or close it and try again")
	case errors.Is(err, store.ErrExists):
		return errors.New("a collection of this name exists already; choose another name")
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s may not be written with your rights; change the permissions of that folder", base.ShortPath(s.folder))
	}
	return fmt.Errorf("the documents in %s cannot be used: %w", base.ShortPath(s.folder), base.PlainError(err))
}

// yieldStep is how often somebody who needs the machine is looked for.
const yieldStep = 50 * time.Millisecond

// yield waits while a model answers or a search goes on.
func (s *Service) yield(ctx context.Context) error {
	for s.searches.Load() > 0 || s.busy != nil && s.busy() {
		select {
		case <-time.After(yieldStep):
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return ctx.Err()
}

// announce tells who watches that collections or their folders have changed.
func (s *Service) announce() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *Service) changes() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}
