package hub

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"inglenook/hub/cache"
	"inglenook/hub/fault"
	"inglenook/hub/repo"
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
	Files                []repo.File
	Bytes                int64
	Fetched              int64 // the part received over the network in this run
	Unchecked            bool  // the Hub could not be reached; this is the copy that was here already
}

// Pull downloads a repository, or its missing files, into the cache. It retries temporary failures
// until ctx ends or r.Wait is over; the received bytes stay, and the next Pull resumes from there.
// Offline, it returns the complete local copy if there is one.
//
// report is called from one goroutine at a time, several times per second.
func (c *Client) Pull(ctx context.Context, into *cache.Cache, r Request, report func(Progress)) (Result, error) {
	if r.Revision == "" {
		r.Revision = "main"
	}
	if err := errors.Join(repo.CheckID(r.ID), repo.CheckRevision(r.Revision)); err != nil {
		return Result{}, err
	}
	if report == nil {
		report = func(Progress) {}
	}
	report(Progress{ID: r.ID, Revision: r.Revision, State: StateAsking})
	j, err := c.plan(ctx, into, r)
	if errors.Is(err, fault.ErrOffline) || errors.Is(err, fault.ErrUnreachable) {
		if here, found := whole(into, r); found {
			return here, nil
		}
	}
	if err != nil {
		return Result{}, err
	}
	result, err := c.runJob(ctx, into, j, r.Wait, report)
	if err != nil {
		leave(into, j, err)
	}
	return result, err
}

// leave records that a download ended incomplete, so that a queue does not resume it automatically.
// It records nothing if no bytes arrived and a retry cannot help.
func leave(in *cache.Cache, j cache.Job, why error) {
	s, err := cache.OpenStore(in.Dir(), j.ID, false)
	if err != nil {
		return
	}
	defer s.Close()
	if u := s.Unfinished(j); u.Done == 0 && !fault.Temporary(why) {
		_ = s.DropJob(j.Commit)
		return
	}
	var said *fault.Error
	if j.Paused = true; errors.As(why, &said) {
		j.Why = said.Error()
	}
	_ = s.WriteJob(j)
}

// whole returns the installed files of a request if none is missing.
func whole(in *cache.Cache, r Request) (Result, bool) {
	s, err := cache.OpenStore(in.Dir(), r.ID, false)
	if err != nil {
		return Result{}, false
	}
	defer s.Close()
	have, err := s.Revision(r.Revision)
	if err != nil || !have.Whole {
		return Result{}, false
	}
	result := Result{ID: r.ID, Revision: r.Revision, Commit: have.Commit, Path: have.Path, Bytes: have.Bytes, Unchecked: true}
	for _, f := range have.Files {
		result.Files = append(result.Files, f.Listed())
	}
	return result, true
}

// plan asks the Hub for the files and stores a job with the wanted ones.
func (c *Client) plan(ctx context.Context, into *cache.Cache, r Request) (cache.Job, error) {
	info, err := c.Info(ctx, r.ID, r.Revision)
	if err != nil {
		return cache.Job{}, err
	}
	choices, err := Choose(info.Files, r.Files)
	if err != nil {
		return cache.Job{}, err
	}
	j := cache.Job{Schema: cache.JobSchema, ID: r.ID, Revision: r.Revision, Commit: info.Commit, Added: time.Now().UTC().Truncate(time.Second)}
	for _, choice := range choices {
		f := choice.File
		if !choice.Wanted {
			continue
		}
		if f.Digest() == "" {
			if f, _, err = c.Head(ctx, r.ID, info.Commit, f.Path); err != nil {
				return cache.Job{}, err
			}
		}
		j.Files = append(j.Files, f)
	}
	if err := errors.Join(repo.CheckFiles(j.Files), info.checkWhole(r)); err != nil {
		return cache.Job{}, err
	}
	s, err := cache.OpenStore(into.Dir(), r.ID, true)
	if err != nil {
		return cache.Job{}, err
	}
	defer s.Close()
	for _, old := range s.Jobs() { // an older commit, whose identical bytes can be reused
		if old.Revision == j.Revision && old.Commit != j.Commit {
			_ = s.DropJob(old.Commit)
		}
	}
	_ = s.WriteTree(info.Commit, info.Files)
	return j, s.WriteJob(j)
}

// checkWhole returns an error if wanted files in the listing cannot be fetched, or if the listing
// is too long and was truncated: without them a snapshot would not be complete.
func (i Info) checkWhole(r Request) error {
	if i.Cut {
		return fault.New(fault.ErrProtocol, nil, "%s lists more than %d files, more than Inglenook downloads; name the files that you want", i.ID, repo.MaxFiles)
	}
	if len(i.Refused) == 0 {
		return nil
	}
	listed := i.Files
	for _, name := range i.Refused {
		listed = append(listed[:len(listed):len(listed)], repo.File{Path: name})
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
func (c *Client) runJob(ctx context.Context, into *cache.Cache, j cache.Job, wait time.Duration, report func(Progress)) (Result, error) {
	s, err := cache.OpenStore(into.Dir(), j.ID, true)
	if err != nil {
		return Result{}, err
	}
	defer s.Close()
	if err := s.WriteJob(j); err != nil {
		return Result{}, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	m := newMeter(j, patience{
		host: c.endpoint.Host, silent: c.tuning.stall, trickle: c.tuning.trickle,
		wait: wait, giveUp: func(err error) { stop(err) },
	}, report)
	defer m.stop()

	files := j.Unique()
	missing := m.total
	journals := s.Journals("")
	for _, f := range files {
		missing -= s.Have(f, journals)
	}
	room, err := c.space.claim(c.tuning, into.Dir(), missing)
	if err != nil {
		return Result{}, err
	}
	defer room.release()
	err = c.fetchAll(ctx, files, func(i int) *transfer {
		return &transfer{
			c: c, s: s, id: j.ID, commit: j.Commit, file: files[i], room: room,
			show: func(done, came int64) { m.show(i, done, came) },
			wait: func(why error, until time.Time) { m.setWaiting(i, why, until) },
			busy: m.busy,
		}
	}, m.whole)
	if err != nil {
		return Result{}, err
	}
	s.Sweep(c.tuning.stale)
	s.Tidy(j, c.tuning.stale)
	if err := s.Finish(j); err != nil {
		return Result{}, err
	}
	m.stop()
	return Result{
		ID: j.ID, Revision: j.Revision, Commit: j.Commit, Files: j.Files, Bytes: m.total, Fetched: m.now().Fetched,
		Path: filepath.Join(into.Dir(), s.Folder, cache.SnapshotsFolder, j.Commit),
	}, nil
}

// fetchAll transfers files, several at a time, and calls whole after each. The first error ends all
// of them.
func (c *Client) fetchAll(ctx context.Context, files []repo.File, transferOf func(i int) *transfer, whole func(i int)) error {
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
