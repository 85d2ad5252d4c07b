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
	"inglenook/app/held"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/cpubackend/scan"
	text "inglenook/documents"
	"inglenook/documents/extract"
	"inglenook/documents/index"
	"inglenook/documents/store"
	"inglenook/documents/store/sqlite"
	"inglenook/hub/fault"
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
	held    *held.Choices // of models that read passages beside a question
	read    reader
	apart   *readers    // nil: files are read in this process
	busy    func() bool // somebody waits for an answer, so indexing waits; may be nil
	offline func() bool // nothing leaves this computer; may be nil

	searches  atomic.Int32  // under way
	measuring chan struct{} // holds one while Settle measures
	questions *questions
	pictures  pictures
	silent    silent
	covering  sync.Mutex // held by Forget, and where a collection is to cover more

	mu        sync.Mutex
	database  string              // the address of one that keeps the collections; "": they lie in folder
	store     store.Store         // nil until it is asked for
	before    store.Store         // that could not be written; searches may still be in it
	tried     time.Time           // to write, last
	runs      map[string]*running // by collection
	paused    map[string]bool
	far       map[string]unrelated // by collection
	adopted   map[[3]string]bool   // see adopts
	passwords map[string]string    // of locked files, by path; they are kept in memory alone
	changed   chan struct{}        // closed when collections or their folders change
}

// reader reads the text of a file; extract.File is one.
type reader func(ctx context.Context, path string, o extract.Options) (text.Document, error)

// Options say how the service works.
type Options struct {
	// Apart reads files in processes of their own, so that a hostile file harms
	// nothing else. The program has to hand ReaderArgument to ServeReader.
	Apart bool
	// Busy reports whether somebody waits for an answer of a model; indexing waits
	// as long. It may be nil.
	Busy func() bool
	// Offline reports whether every connection to another computer is forbidden. It may be nil.
	Offline func() bool
}

// New returns a service whose collections lie in the data folder.
func New(life *base.Lifetime, log *slog.Logger, paths base.Paths, devices *devices.Service, library *library.Service, pool *pool.Pool, choices *held.Choices, o Options) *Service {
	s := &Service{
		life: life, log: log, folder: filepath.Join(paths.Data, "documents"), devices: devices, library: library, pool: pool, held: choices, read: extract.File, busy: o.Busy, offline: o.Offline,
		questions: newQuestions(), runs: map[string]*running{}, paused: map[string]bool{}, far: map[string]unrelated{}, measuring: make(chan struct{}, 1), adopted: map[[3]string]bool{}, passwords: map[string]string{}, changed: make(chan struct{}),
	}
	if !o.Apart {
		return s
	}
	apart, err := newReaders()
	if err != nil {
		log.Warn("files are read in this process", "error", err)
		return s
	}
	s.apart, s.read = apart, apart.file
	return s
}

// Close closes the collections and ends the readers. No call is under way then.
func (s *Service) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	if s.apart != nil {
		errs = append(errs, s.apart.close())
	}
	return errors.Join(append(errs, s.closeStores())...)
}

// Rest closes the collections until they are asked for again, so that another process can
// change them. No call is under way then.
func (s *Service) Rest() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closeStores()
}

// closeStores closes the collections. The caller holds the lock.
func (s *Service) closeStores() error {
	var errs []error
	for _, opened := range []store.Store{s.store, s.before} {
		if opened != nil {
			errs = append(errs, opened.Close())
		}
	}
	s.store, s.before = nil, nil
	return errors.Join(errs...)
}

// takeOverEvery is how often it is tried to write what another process has open.
const takeOverEvery = 2 * time.Second

// kept returns the store, opened now if need be. One that another process had open
// when it was opened is opened again once that process is done.
func (s *Service) kept(ctx context.Context) (store.Store, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.database != "" {
		return s.inDatabase(ctx)
	}
	if s.store != nil && (!s.store.ReadOnly() && len(s.store.Closed()) == 0 || time.Since(s.tried) < takeOverEvery) {
		return s.store, nil
	}
	s.tried = time.Now()
	if s.store != nil && !s.store.ReadOnly() {
		return s.store, s.store.Retry(ctx)
	}
	scanner, err := scan.New("")
	if err != nil {
		return nil, err
	}
	open := sqlite.Open
	if s.store != nil {
		open = sqlite.OpenToWrite
	}
	opened, err := open(ctx, s.folder, scanner)
	switch {
	case err != nil && s.store != nil:
		return s.store, s.store.Retry(ctx) // as it was; the other process may have mended what was closed
	case err != nil:
		return nil, base.InContext(ctx, s.sentence(err))
	case s.store != nil:
		s.before = s.store
		close(s.changed)
		s.changed = make(chan struct{})
	}
	for _, note := range opened.Notes() {
		s.log.Warn("documents", "note", note)
	}
	for _, c := range opened.Closed() {
		s.log.Warn("documents", "collection", c.Name, "error", c.Err)
	}
	s.store = opened
	return opened, nil
}

// sentence turns an error of the store into a sentence that says what to do.
func (s *Service) sentence(err error) error {
	var server *fault.Error
	var model *index.ModelError
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &server): // it names the server, and the documents are as they were
		return server
	case errors.As(err, &model):
		return model
	case s.database != "" && !errors.Is(err, store.ErrExists):
		return databaseSentence(err)
	case errors.Is(err, store.ErrReadOnly):
		return errors.New("another Inglenook has the documents open, so they can be searched here and not changed; do this in its window, or close it and try again")
	case errors.Is(err, store.ErrExists):
		return errors.New("a collection of this name exists already; choose another name")
	case errors.Is(err, store.ErrDiskFull):
		return fmt.Errorf("the disk of %s is full; free some space and try again: what was indexed before is kept", base.ShortPath(s.folder))
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

// announce tells watchers that collections or their folders have changed.
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
