package documents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
	text "inglenook/documents"
	"inglenook/documents/chunk"
	"inglenook/documents/extract"
	"inglenook/documents/index"
	"inglenook/documents/store"
	"inglenook/remote"
)

// The words of the indexer that a caller has to name.
type (
	Event   = index.Event
	Summary = index.Summary
	State   = store.State
	File    = store.File
)

// ErrIndexing is the error of a run that comes while another one goes on.
var ErrIndexing = index.ErrRunning

// IndexRequest says what to bring in step.
type IndexRequest struct {
	Collection string            // its name or id
	Paths      []string          // folders and files of it; empty: all
	Retry      bool              // files that are not indexed are tried again
	Passwords  map[string]string // of locked files, by path or name; kept until the program ends
	Model      string            // that embeds the collection from now on; "": the one that does
	Waits      func()            // is called where another run goes on, and this one then waits for its end; nil: it fails with ErrIndexing
	devices.Target
}

// IndexResult is what a run did.
type IndexResult struct {
	Summary
	Collection Collection
	Device     string
	Notices    []string // sentences about the model
	Anew       int      // passages that were known and got vectors of another model
}

// Index brings a collection in step with its files. What was done stays when ctx ends,
// and the next run goes on from there. report is told what happens, by one goroutine at
// a time; loading tells of the model that is opened. Both may be nil.
func (s *Service) Index(ctx context.Context, r IndexRequest, report func(Event), loading func(base.Progress)) (result IndexResult, _ error) {
	ctx, c, done, err := s.enter(ctx, r.Collection)
	if err != nil {
		return result, err
	}
	defer done()
	defer s.devices.Awake()()
	s.remember(r.Passwords)
	ctx, x, err := s.begin(ctx, c, r.Waits)
	if err != nil {
		return result, err
	}
	defer s.end(c)
	if c, err = s.find(ctx, c.ID()); err != nil { // its folders may have changed until now
		return result, base.InContext(ctx, err)
	}
	roots, err := rootsOf(c, r.Paths)
	if err != nil {
		return result, err
	}
	entry, err := s.toEmbed(ctx, c, r.Model)
	if err != nil {
		return result, err
	}
	told := telling{report: report}
	var e *embedder
	if entry.Elsewhere() { // no chat here waits for it, and its addresses share a batch
		x.BatchTime = serverBatchTime
	}
	var silent error // the server of the model did not answer: it is not waited for twice in a run
	x.Open = func(ctx context.Context) (_ text.Embedder, err error) {
		switch {
		case e != nil:
			return e, nil
		case silent != nil:
			return nil, silent
		}
		defer func() {
			if remote.IsSilent(err) {
				silent = err
			}
		}()
		now, err := s.library.Encodes(ctx, entry.ID) // its files may have changed since
		if err != nil {
			return nil, err
		}
		if e, err = s.borrow(ctx, now, library.TaskPassages, r.Target, []store.Collection{c}, loading); err != nil {
			return nil, err
		}
		e.note = told.note
		if now.Elsewhere() {
			e.outage = awaitedServer(now.Server, loading)
		}
		if err := s.recognise(ctx, c, e); err != nil {
			return nil, err
		}
		if done, err := settled(ctx, c, e.ID()); err != nil {
			return nil, s.sentence(err)
		} else if !done {
			e.first = func(ctx context.Context, passages []string) error { return s.settle(ctx, c, e, passages) }
		}
		result.Anew, err = s.serveWith(ctx, c, x, e, loading, told.note)
		return e, err
	}
	defer func() {
		if e != nil {
			e.Close()
		}
	}()
	if err := s.openChanged(ctx, c, entry, x, told.note); err != nil {
		return result, err
	}
	all := len(roots) == len(foldersOf(c))
	reading := s.reads(c, all)
	result.Summary, err = x.Run(ctx, index.Request{Roots: roots, Leaving: takenOff([]store.Collection{c}), Retry: r.Retry || len(r.Passwords) > 0, Report: func(e Event) {
		reading.take(ctx, e)
		if e.Kind == index.Noted {
			told.note(e.Note)
			return
		}
		told.event(e)
	}})
	reading.end(ctx, err)
	result.Notices = told.notes
	if e != nil {
		result.Device = e.device
	}
	s.log.Info("index", "collection", c.Name(), "files", result.Files, "indexed", result.Indexed, "linked", result.Linked, "failed", result.Failed,
		"skipped", result.Skipped, "removed", result.Removed, "tokens", result.Tokens, "took", result.Took, "error", err)
	if err != nil {
		return result, base.InContext(ctx, s.sentence(err))
	}
	if err := s.improve(ctx, c, loading); err != nil {
		return result, base.InContext(ctx, s.sentence(err))
	}
	if all && result.LeftOut != leftOutOf(c) {
		if err := setJSON(c, leftOutKey, result.LeftOut); err != nil {
			s.log.Warn("how much was left out is not kept", "error", err)
		}
	}
	result.Collection, err = s.describe(ctx, c)
	return result, err
}

// awaitedServer tells that a server fails and is awaited, and then that it works again. report may
// be nil.
func awaitedServer(server string, report func(base.Progress)) func(why string) {
	return func(why string) {
		switch {
		case report == nil:
		case why == "":
			report(base.Progress{})
		default:
			report(base.Progress{Stage: base.StageServer, Server: server, Fails: why})
		}
	}
}

// toEmbed is the model that is chosen to embed a collection, or with "" the one that it has.
func (s *Service) toEmbed(ctx context.Context, c store.Collection, chosen string) (library.Entry, error) {
	if chosen != "" {
		entry, err := s.library.Encodes(ctx, chosen)
		if err == nil {
			err = s.library.ChooseFor(c.ID(), entry)
		}
		return entry, err
	}
	model, err := s.modelToAsk(ctx, c, "")
	if err != nil {
		return library.Entry{}, err
	}
	return s.library.Encodes(ctx, cmp.Or(model, library.StarterEmbed))
}

// serverBatchTime is about how long one batch of an embedder of a server may take.
const serverBatchTime = 10 * time.Second

// openChanged opens the model of a collection before any file is looked at, where the
// vectors are not known to be of it. A server that cannot be asked stops only a run that
// needs it.
func (s *Service) openChanged(ctx context.Context, c store.Collection, entry library.Entry, x *index.Indexer, note func(string)) error {
	serves, err := s.serves(ctx, c, entry)
	if err != nil || serves {
		return err
	}
	_, err = x.Open(ctx)
	if err == nil || ctx.Err() != nil || !entry.Elsewhere() || s.modelOf(ctx, c) != entry.ID {
		return err
	}
	note(fmt.Sprintf("It is not known whether %s still is the model that embedded “%s”: %v.", entry.Name, c.Name(), err))
	return nil
}

// StageImproving is the stage in which a large collection is prepared for fast searches;
// how far is not known.
const StageImproving = "preparing fast searches"

// improve makes searches of a large collection faster, where its store can do that.
func (s *Service) improve(ctx context.Context, c store.Collection, report func(base.Progress)) error {
	start := time.Now()
	began := false
	err := store.Improve(ctx, c, func() { began = true; base.NewStage(StageImproving, "", report).At(0, 0) })
	if began {
		s.log.Info("improve", "collection", c.Name(), "took", time.Since(start), "error", err)
	}
	return err
}

// rootsOf are the folders of a collection, those of some paths where there are any.
func rootsOf(c store.Collection, paths []string) (roots []index.Root, _ error) {
	folders := foldersOf(c)
	if len(folders) == 0 {
		return nil, errors.New("the collection " + c.Name() + " covers no folder yet; add one")
	}
	if len(paths) == 0 {
		for _, f := range folders {
			roots = append(roots, f.root())
		}
		return roots, nil
	}
	for _, p := range paths {
		path, err := filepath.Abs(base.ExpandHome(p))
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(folders, func(f Folder) bool { return f.Path == path })
		if i < 0 {
			return nil, errors.New("the collection " + c.Name() + " does not cover " + base.ShortPath(path) + "; add it first")
		}
		roots = append(roots, folders[i].root())
	}
	return roots, nil
}

// running is a collection that is being indexed.
type running struct {
	*index.Indexer
	stop     context.CancelFunc
	stopped  bool // for good, so that no run waits for its end any more
	ended    chan struct{}
	progress index.Progress  // as it was told last
	toRead   map[string]File // by path
	began    unread          // as the run planned
}

// begin notes that a collection is being indexed, where waits is not nil after the run that goes on.
// The context ends with Stop.
func (s *Service) begin(ctx context.Context, c store.Collection, waits func()) (context.Context, *index.Indexer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for told := false; s.runs[c.ID()] != nil; told = true {
		if waits == nil {
			return nil, nil, ErrIndexing
		}
		if told {
			waits = func() {}
		}
		if err := s.awaitEnd(ctx, s.runs[c.ID()], waits); err != nil {
			return nil, nil, err
		}
	}
	if s.store.ReadOnly() {
		return nil, nil, s.sentence(store.ErrReadOnly)
	}
	x := &index.Indexer{Collection: c, Read: s.readFile, Yield: s.yield, Chunks: chunk.Defaults()}
	if s.paused[c.ID()] {
		x.Pause()
	}
	ctx, stop := context.WithCancel(ctx)
	s.runs[c.ID()] = &running{Indexer: x, stop: stop, ended: make(chan struct{})}
	return ctx, x, nil
}

// awaitEnd calls waits and returns when a run has ended, with an error if it was stopped for good. The
// caller holds the lock, which is free meanwhile.
func (s *Service) awaitEnd(ctx context.Context, r *running, waits func()) error {
	s.mu.Unlock()
	defer s.mu.Lock()
	waits()
	select {
	case <-r.ended:
	case <-ctx.Done():
		return ctx.Err()
	}
	if r.stopped {
		return context.Canceled
	}
	return nil
}

func (s *Service) end(c store.Collection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.runs[c.ID()]
	delete(s.runs, c.ID())
	r.stop()
	close(r.ended)
}

// Stop ends the indexing of a collection, if it goes on, and returns when it has. What
// was indexed is kept.
func (s *Service) Stop(id string) {
	s.stop(id, true)
}

// stop is Stop. Without forGood, runs that wait for this one begin when it has ended.
func (s *Service) stop(id string, forGood bool) {
	s.mu.Lock()
	r := s.runs[id]
	if r != nil {
		r.stopped = r.stopped || forGood
	}
	s.mu.Unlock()
	if r != nil {
		r.stop()
		<-r.ended
	}
}

func (s *Service) readFile(ctx context.Context, path string) (text.Document, error) {
	return s.read(ctx, path, extract.Options{Password: s.password(path)})
}

// remember keeps passwords for this run of the program. A file is named by its path or
// by its name alone.
func (s *Service) remember(passwords map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, password := range passwords {
		s.passwords[path] = password
	}
}

func (s *Service) password(path string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return cmp.Or(s.passwords[path], s.passwords[filepath.Base(path)])
}

// Pause stops the indexing of a collection until Resume, also of runs to come.
func (s *Service) Pause(id string) { s.setPaused(id, true) }

// Resume goes on after Pause.
func (s *Service) Resume(id string) { s.setPaused(id, false) }

func (s *Service) setPaused(id string, paused bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paused[id] = paused
	switch r := s.runs[id]; {
	case r == nil:
	case paused:
		r.Pause()
	default:
		r.Resume()
	}
}

// Kept reports whether what was read of a file before is searched until it can be read again.
func Kept(f File) bool { return f.State == store.Waiting }

// LeftOut reports whether a file is not searched, for a reason that its record says.
func LeftOut(f File) bool { return f.State == store.Failed || f.State == store.Skipped }

// Health are the files of a collection that are not indexed, with the reasons.
func (s *Service) Health(ctx context.Context, collection string) ([]File, error) {
	_, files, err := s.filesOf(ctx, collection, store.FileFilter{States: []store.State{store.Failed, store.Skipped, store.Waiting}})
	return files, err
}

// Files are all files of a collection by path, whatever became of them, also those that the run
// which goes on has still to read.
func (s *Service) Files(ctx context.Context, collection string) ([]File, error) {
	id, files, err := s.filesOf(ctx, collection, store.FileFilter{})
	if err != nil {
		return nil, err
	}
	return s.withUnread(id, files), nil
}

// filesOf are files of a collection without those that were taken off it, and the id that it has.
func (s *Service) filesOf(ctx context.Context, collection string, which store.FileFilter) (id string, files []File, err error) {
	ctx, c, done, err := s.enter(ctx, collection)
	if err != nil {
		return "", nil, err
	}
	defer done()
	files, err = c.Files(ctx, which)
	off := takenOff([]store.Collection{c})
	return c.ID(), slices.DeleteFunc(files, func(f File) bool { return off(f.Path) }), s.sentence(err)
}
