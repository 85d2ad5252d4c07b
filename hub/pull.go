package hub

import (
	"context"
	"errors"
	"inglenook/hub/fault"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Request is what to download.
type Request struct {
	ID       string
	Revision string        // branch, tag or commit; "": main
	Files    []string      // patterns, see Choose; empty: what a model needs
	Wait     time.Duration // Pull gives up after this long without progress; 0: never
}

// The states of a download.
const (
	StateAsking      = "asking"      // the Hub, for the list of files
	StateDownloading = "downloading" //
	StateWaiting     = "waiting"     // for a server or another program; it resumes automatically
	StatePaused      = "paused"
	StateQueued      = "queued"
	StateDone        = "done"
	StateFailed      = "failed"
)

// Progress describes how far a download is. Done counts bytes on this computer; it decreases only
// if some turned out to be wrong.
type Progress struct {
	ID, Revision, Commit string
	State                string
	Why                  string    // a sentence: what it waits for, or why it was paused or failed
	Until                time.Time // the time of the next attempt; zero: unknown
	Done, Total          int64
	Files, FilesDone     int
	Fetched              int64         // bytes received over the network in this run
	Speed                float64       // bytes per second, over the last seconds
	Left                 time.Duration // 0: unknown
}

// Result is the outcome of a download.
type Result struct {
	ID, Revision, Commit string
	Path                 string // the snapshot's folder
	Files                []File
	Bytes                int64
	Fetched              int64 // the part received over the network in this run
	Unchecked            bool  // the Hub could not be reached; this is the copy that was here already
}

// Pull downloads a repository, or its missing files, into the cache. It retries temporary failures
// until ctx ends or r.Wait is over; the received bytes stay, and the next Pull resumes from there.
// Offline, it returns the complete local copy if there is one.
//
// report is called from one goroutine at a time, several times per second.
func (c *Client) Pull(ctx context.Context, cache *Cache, r Request, report func(Progress)) (Result, error) {
	if r.Revision == "" {
		r.Revision = "main"
	}
	if err := errors.Join(CheckID(r.ID), CheckRevision(r.Revision)); err != nil {
		return Result{}, err
	}
	if report == nil {
		report = func(Progress) {}
	}
	report(Progress{ID: r.ID, Revision: r.Revision, State: StateAsking})
	j, err := c.plan(ctx, cache, r)
	if errors.Is(err, fault.ErrOffline) || errors.Is(err, fault.ErrUnreachable) {
		if here, found := cache.whole(r); found {
			return here, nil
		}
	}
	if err != nil {
		return Result{}, err
	}
	result, err := c.runJob(ctx, cache, j, r.Wait, report)
	if err != nil {
		cache.leave(j, err)
	}
	return result, err
}

// leave records that a download ended incomplete, so that a queue does not resume it automatically.
// It records nothing if no bytes arrived and a retry cannot help.
func (c *Cache) leave(j job, why error) {
	s, err := openStore(c.dir, j.ID, false)
	if err != nil {
		return
	}
	defer s.close()
	if u := s.unfinished(j); u.Done == 0 && !fault.Temporary(why) {
		_ = s.dropJob(j.Commit)
		return
	}
	var said *fault.Error
	if j.Paused = true; errors.As(why, &said) {
		j.Why = said.Error()
	}
	_ = s.writeJob(j)
}

// whole returns the installed files of a request if none is missing.
func (c *Cache) whole(r Request) (Result, bool) {
	s, err := openStore(c.dir, r.ID, false)
	if err != nil {
		return Result{}, false
	}
	defer s.close()
	have, err := s.revision(r.Revision)
	if err != nil || !have.Whole {
		return Result{}, false
	}
	result := Result{ID: r.ID, Revision: r.Revision, Commit: have.Commit, Path: have.Path, Bytes: have.Bytes, Unchecked: true}
	for _, f := range have.Files {
		result.Files = append(result.Files, f.file())
	}
	return result, true
}

// plan asks the Hub for the files and stores a job with the wanted ones.
func (c *Client) plan(ctx context.Context, cache *Cache, r Request) (job, error) {
	info, err := c.Info(ctx, r.ID, r.Revision)
	if err != nil {
		return job{}, err
	}
	choices, err := Choose(info.Files, r.Files)
	if err != nil {
		return job{}, err
	}
	j := job{Schema: jobSchema, ID: r.ID, Revision: r.Revision, Commit: info.Commit, Added: time.Now().UTC().Truncate(time.Second)}
	for _, choice := range choices {
		f := choice.File
		if !choice.Wanted {
			continue
		}
		if f.Digest() == "" {
			if f, _, err = c.Head(ctx, r.ID, info.Commit, f.Path); err != nil {
				return job{}, err
			}
		}
		j.Files = append(j.Files, f)
	}
	if err := errors.Join(checkFiles(j.Files), info.checkWhole(r)); err != nil {
		return job{}, err
	}
	s, err := openStore(cache.Dir(), r.ID, true)
	if err != nil {
		return job{}, err
	}
	defer s.close()
	for _, old := range s.jobs() { // an older commit, whose identical bytes can be reused
		if old.Revision == j.Revision && old.Commit != j.Commit {
			_ = s.dropJob(old.Commit)
		}
	}
	_ = s.writeTree(info.Commit, info.Files)
	return j, s.writeJob(j)
}

// checkWhole returns an error if wanted files in the listing cannot be fetched, or if the listing
// is too long and was truncated: without them a snapshot would not be complete.
func (i Info) checkWhole(r Request) error {
	if i.Cut {
		return fault.New(fault.ErrProtocol, nil, "%s lists more than %d files, more than Inglenook downloads; name the files that you want", i.ID, maxFiles)
	}
	if len(i.Refused) == 0 {
		return nil
	}
	listed := i.Files
	for _, name := range i.Refused {
		listed = append(listed[:len(listed):len(listed)], File{Path: name})
	}
	choices, err := Choose(listed, r.Files)
	if err != nil {
		return err
	}
	for _, choice := range choices {
		if choice.Wanted && slices.Contains(i.Refused, choice.Path) {
			return fault.New(fault.ErrUnsafe, nil, "%s cannot be downloaded whole: the name, size or checksum that the server lists for %s is not one that can be trusted; choose another revision or repository", i.ID, choice.Path)
		}
	}
	return nil
}

// runJob downloads a job's files. It gives up after no progress for the time of wait, unless that
// is 0.
func (c *Client) runJob(ctx context.Context, cache *Cache, j job, wait time.Duration, report func(Progress)) (Result, error) {
	s, err := openStore(cache.Dir(), j.ID, true)
	if err != nil {
		return Result{}, err
	}
	defer s.close()
	if err := s.writeJob(j); err != nil {
		return Result{}, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	m := newMeter(j, patience{
		host: c.endpoint.Host, silent: c.tuning.stall, trickle: c.tuning.trickle,
		wait: wait, giveUp: func(err error) { stop(err) },
	}, report)
	defer m.stop()

	files := j.unique()
	missing := m.total
	journals := s.journals("")
	for _, f := range files {
		missing -= s.have(f, journals)
	}
	room, err := c.space.claim(c.tuning, cache.Dir(), missing)
	if err != nil {
		return Result{}, err
	}
	defer room.release()
	err = c.fetchAll(ctx, files, func(i int) *transfer {
		return &transfer{
			c: c, s: s, id: j.ID, commit: j.Commit, file: files[i], room: room,
			show: func(done, came int64) { m.show(i, done, came) },
			say:  func(why error, until time.Time) { m.say(i, why, until) },
			busy: m.busy,
		}
	}, m.whole)
	if err != nil {
		return Result{}, err
	}
	s.sweep(c.tuning.stale)
	s.tidy(j, c.tuning.stale)
	if err := s.finish(j); err != nil {
		return Result{}, err
	}
	m.stop()
	return Result{
		ID: j.ID, Revision: j.Revision, Commit: j.Commit, Files: j.Files, Bytes: m.total, Fetched: m.now().Fetched,
		Path: filepath.Join(cache.Dir(), s.folder, snapshotsFolder, j.Commit),
	}, nil
}

// fetchAll transfers files, several at a time, and calls whole after each. The first error ends all
// of them.
func (c *Client) fetchAll(ctx context.Context, files []File, transferOf func(i int) *transfer, whole func(i int)) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(c.tuning.files, len(files)) {
		workers.Go(func() {
			for i := range next {
				if err := transferOf(i).run(ctx); err != nil {
					stop(err)
					return
				}
				whole(i)
			}
		})
	}
feed:
	for i := range files {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	workers.Wait()
	return context.Cause(ctx)
}
