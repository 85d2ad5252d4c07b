package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"inglenook/hub"
)

// Download is how far a download is.
type Download = hub.Progress

// The states of a download; any other means that it is under way.
const (
	DownloadAsking  = hub.StateAsking
	DownloadWaiting = hub.StateWaiting
	DownloadQueued  = hub.StateQueued
	DownloadPaused  = hub.StatePaused
	DownloadDone    = hub.StateDone
	DownloadFailed  = hub.StateFailed
)

// DownloadRequest is what to download from the Hub.
type DownloadRequest struct {
	ID       string
	Revision string   // "": main
	Files    []string // patterns; none: what a model needs
}

// abreast is how many downloads run at the same time.
const abreast = 2

// trashAge is how long a deleted model can be put back.
const trashAge = 30 * 24 * time.Hour

// downloads is the queue, opened at its first use.
type downloads struct {
	mu     sync.Mutex
	queue  *hub.Queue
	closed bool
}

// close stops all downloads; the next start finds them again.
func (d *downloads) close() {
	d.mu.Lock()
	queue := d.queue
	d.closed, d.queue = true, nil
	d.mu.Unlock()
	if queue != nil {
		queue.Close()
	}
}

// needed reports whether there may be something in the queue: it is open, or the disk
// has downloads that were not finished.
func (d *downloads) needed(ctx context.Context) bool {
	d.mu.Lock()
	open := d.queue != nil
	d.mu.Unlock()
	if open {
		return true
	}
	repos, _ := hub.OpenCache(hubCache()).Repos(ctx)
	return slices.ContainsFunc(repos, func(r hub.Repo) bool { return len(r.Unfinished) > 0 })
}

// downloadQueue returns the queue with the client that the settings ask for. What was
// under way when the program ended goes on now.
func (a *App) downloadQueue(ctx context.Context) (*hub.Queue, error) {
	client, err := a.hubClient(ctx)
	if err != nil {
		return nil, err
	}
	d := &a.queue
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, errClosing
	}
	if d.queue != nil {
		d.queue.SetClient(client)
		return d.queue, nil
	}
	cache := hub.OpenCache(hubCache())
	if freed, err := cache.EmptyTrash(trashAge); err != nil || freed > 0 {
		a.log.Info("trash emptied", "bytes", freed, "error", err)
	}
	if d.queue, err = hub.OpenQueue(client, cache, abreast, func(p Download) {
		if p.State == DownloadFailed || p.State == DownloadDone {
			a.log.Info("download", "model", p.ID, "state", p.State, "why", p.Why)
		}
	}); err != nil {
		return nil, err
	}
	d.queue.Start()
	return d.queue, nil
}

// Downloads lists the downloads in their order, those that an earlier run of the
// program left as well.
func (a *App) Downloads() []Download {
	if !a.queue.needed(a.ctx) {
		return nil // and nobody is asked for a token
	}
	q, err := a.downloadQueue(a.ctx)
	if err != nil {
		return nil
	}
	return q.List()
}

// StartDownload puts a model of the Hub in line.
func (a *App) StartDownload(ctx context.Context, r DownloadRequest) error {
	if a.Offline() {
		return errOffline
	}
	q, err := a.downloadQueue(ctx)
	if err != nil {
		return err
	}
	return q.Add(hub.Request{ID: r.ID, Revision: r.Revision, Files: r.Files})
}

var errOffline = errors.New("connections are forbidden, so nothing can be downloaded; allow them in Settings")

// PauseDownload stops a download; what came stays.
func (a *App) PauseDownload(id, revision string) error {
	return a.withQueue(func(q *hub.Queue) error { return q.Pause(id, revision) })
}

// ResumeDownload puts one that was paused or had failed back in line.
func (a *App) ResumeDownload(id, revision string) error {
	if a.Offline() {
		return errOffline
	}
	return a.withQueue(func(q *hub.Queue) error { return q.Resume(id, revision) })
}

// CancelDownload takes a download off the queue and deletes what came of it.
func (a *App) CancelDownload(id, revision string) error {
	return a.withQueue(func(q *hub.Queue) error {
		_, err := q.Cancel(id, revision, false)
		return err
	})
}

// MoveDownload puts a download at a place of the order, from 0.
func (a *App) MoveDownload(id, revision string, place int) error {
	return a.withQueue(func(q *hub.Queue) error { return q.Move(id, revision, place) })
}

// ClearDownloads takes those that are done off the list.
func (a *App) ClearDownloads() {
	_ = a.withQueue(func(q *hub.Queue) error { q.Clear(); return nil })
}

func (a *App) withQueue(do func(*hub.Queue) error) error {
	q, err := a.downloadQueue(a.ctx)
	if err != nil {
		return err
	}
	return do(q)
}

// FileCheck is what the hash of an installed file says.
type FileCheck = hub.FileCheck

// Verification is what the hashes of an installed model say.
type Verification struct {
	Files int
	Bytes int64
	Bad   []FileCheck // files that are not as the Hub has them
}

// VerifyModel hashes every file of a model of the Hub's cache anew and compares with
// the Hub's hashes. It needs no connection.
func (a *App) VerifyModel(ctx context.Context, id string, report func(Progress)) (Verification, error) {
	ctx, done, err := a.begin(ctx)
	if err != nil {
		return Verification{}, err
	}
	defer done()
	stage := newStage(StageVerifying, "bytes", report)
	checks, err := hub.OpenCache(hubCache()).Verify(ctx, a.repoOf(id), a.revisionOf(id), stage.at)
	if err != nil {
		return Verification{}, inContext(ctx, err)
	}
	v := Verification{Files: len(checks)}
	for _, c := range checks {
		v.Bytes += c.Size
		if !c.OK {
			v.Bad = append(v.Bad, c)
		}
	}
	return v, nil
}

// StageVerifying is the hashing of files.
const StageVerifying = "verifying"

// revisionOf is the installed commit that a Hub id stands for here.
func (a *App) revisionOf(id string) string {
	if p, err := a.locate(id); err == nil {
		return p.revision()
	}
	return ""
}

// repoOf is the Hub id of the repository that a model is of: its own, but for one of
// several forms, which goes by its path.
func (a *App) repoOf(model string) string {
	p, err := a.locate(model)
	if err != nil || p.revision() == "" {
		return model
	}
	if id, ok := hub.IDOfFolder(filepath.Base(p.root)); ok {
		return id
	}
	return model
}

// RepairModel fetches what of a model is not as it should be, and no more.
func (a *App) RepairModel(ctx context.Context, id string, report func(Progress)) (Verification, error) {
	ctx, client, done, err := a.beginHub(ctx)
	if err != nil {
		return Verification{}, err
	}
	defer done()
	stage := newStage(StageVerifying, "bytes", report)
	_, err = client.Repair(ctx, hub.OpenCache(hubCache()), a.repoOf(id), a.revisionOf(id), func(p hub.Progress) { stage.at(p.Done, p.Total) })
	if err != nil {
		return Verification{}, inContext(ctx, err)
	}
	return a.VerifyModel(ctx, id, report)
}

// Removed is a model that was deleted and can be put back for 30 days.
type Removed = hub.Removed

// RemoveModel deletes a model of the Hub's cache, in all its forms, and says how much
// that frees. It goes to a trash in the same folder first. One that is at work stays.
func (a *App) RemoveModel(id string) (Removed, error) {
	p, err := a.locate(id)
	if err != nil {
		return Removed{}, err
	}
	repo := a.repoOf(id)
	if !hub.ValidID(repo) || p.source == SourceBundled {
		return Removed{}, fmt.Errorf("%s was not downloaded by Inglenook or another of the Hub's tools, so it is not deleted; take it off the list instead", p.name)
	}
	for _, open := range a.OpenModels() {
		if a.repoOf(open.Model) != repo {
			continue
		}
		if _, err := a.CloseModel(open.Model); err != nil {
			return Removed{}, err
		}
	}
	return hub.OpenCache(hubCache()).Remove(repo, "")
}

// RestoreModel puts a deleted model back.
func (a *App) RestoreModel(r Removed) error { return hub.OpenCache(hubCache()).Restore(r) }

// Trash lists the models that were deleted and can be put back, the last one first.
func (a *App) Trash() []Removed { return hub.OpenCache(hubCache()).Trash() }

// EmptyTrash deletes them for good and says how much that freed.
func (a *App) EmptyTrash() (freed int64, err error) {
	return hub.OpenCache(hubCache()).EmptyTrash(0)
}

// UpdateOf asks the Hub whether it has another commit of an installed model than the
// one here, and gives it; "": it has none. Nothing is changed.
func (a *App) UpdateOf(ctx context.Context, id string) (commit string, err error) {
	ctx, client, done, err := a.beginHub(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	info, err := client.Info(ctx, a.repoOf(id), "")
	if err != nil || info.Commit == a.revisionOf(id) {
		return "", inContext(ctx, err)
	}
	return info.Commit, nil
}
