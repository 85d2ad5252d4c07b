package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
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

// DownloadsService brings models of the Hub to this computer and takes them away
// again. The queue of downloads is opened at its first use.
type DownloadsService struct {
	life    *Lifetime
	log     *slog.Logger
	paths   Paths
	hub     *Hub
	library *LibraryService
	fit     *FitService
	pool    *Pool

	mu     sync.Mutex
	queue  *hub.Queue
	closed bool
}

// NewDownloadsService asks nobody for anything yet.
func NewDownloadsService(life *Lifetime, log *slog.Logger, p Paths, h *Hub, library *LibraryService, fit *FitService, pool *Pool) *DownloadsService {
	return &DownloadsService{life: life, log: log, paths: p, hub: h, library: library, fit: fit, pool: pool}
}

// Close stops all downloads; the next start finds them again.
func (d *DownloadsService) Close() {
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
func (d *DownloadsService) needed(ctx context.Context) bool {
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
func (d *DownloadsService) downloadQueue(ctx context.Context) (*hub.Queue, error) {
	client, err := d.hub.Client(ctx)
	if err != nil {
		return nil, err
	}
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
		d.log.Info("trash emptied", "bytes", freed, "error", err)
	}
	if d.queue, err = hub.OpenQueue(client, cache, abreast, func(p Download) {
		if p.State == DownloadFailed || p.State == DownloadDone {
			d.log.Info("download", "model", p.ID, "state", p.State, "why", p.Why)
		}
	}); err != nil {
		return nil, err
	}
	d.queue.Start()
	return d.queue, nil
}

// Downloads lists the downloads in their order, those that an earlier run of the
// program left as well.
func (d *DownloadsService) Downloads() []Download {
	if !d.needed(d.life.Context()) {
		return nil // and nobody is asked for a token
	}
	q, err := d.downloadQueue(d.life.Context())
	if err != nil {
		return nil
	}
	return q.List()
}

// StartDownload puts a model of the Hub in line.
func (d *DownloadsService) StartDownload(ctx context.Context, r DownloadRequest) error {
	if d.hub.Offline() {
		return errOffline
	}
	q, err := d.downloadQueue(ctx)
	if err != nil {
		return err
	}
	return q.Add(hub.Request{ID: r.ID, Revision: r.Revision, Files: r.Files})
}

var errOffline = errors.New("connections are forbidden, so nothing can be downloaded; allow them in Settings")

// PauseDownload stops a download; what came stays.
func (d *DownloadsService) PauseDownload(id, revision string) error {
	return d.withQueue(func(q *hub.Queue) error { return q.Pause(id, revision) })
}

// ResumeDownload puts one that was paused or had failed back in line.
func (d *DownloadsService) ResumeDownload(id, revision string) error {
	if d.hub.Offline() {
		return errOffline
	}
	return d.withQueue(func(q *hub.Queue) error { return q.Resume(id, revision) })
}

// CancelDownload takes a download off the queue and deletes what came of it.
func (d *DownloadsService) CancelDownload(id, revision string) error {
	return d.withQueue(func(q *hub.Queue) error {
		_, err := q.Cancel(id, revision, false)
		return err
	})
}

// MoveDownload puts a download at a place of the order, from 0.
func (d *DownloadsService) MoveDownload(id, revision string, place int) error {
	return d.withQueue(func(q *hub.Queue) error { return q.Move(id, revision, place) })
}

// ClearDownloads takes those that are done off the list.
func (d *DownloadsService) ClearDownloads() {
	_ = d.withQueue(func(q *hub.Queue) error { q.Clear(); return nil })
}

func (d *DownloadsService) withQueue(do func(*hub.Queue) error) error {
	q, err := d.downloadQueue(d.life.Context())
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
func (d *DownloadsService) VerifyModel(ctx context.Context, id string, report func(Progress)) (Verification, error) {
	ctx, done, err := d.life.Begin(ctx)
	if err != nil {
		return Verification{}, err
	}
	defer done()
	stage := newStage(StageVerifying, "bytes", report)
	checks, err := hub.OpenCache(hubCache()).Verify(ctx, d.library.repoOf(id), d.library.revisionOf(id), stage.at)
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

// RepairModel fetches what of a model is not as it should be, and no more.
func (d *DownloadsService) RepairModel(ctx context.Context, id string, report func(Progress)) (Verification, error) {
	ctx, client, done, err := d.hub.Begin(ctx)
	if err != nil {
		return Verification{}, err
	}
	defer done()
	stage := newStage(StageVerifying, "bytes", report)
	_, err = client.Repair(ctx, hub.OpenCache(hubCache()), d.library.repoOf(id), d.library.revisionOf(id), func(p hub.Progress) { stage.at(p.Done, p.Total) })
	if err != nil {
		return Verification{}, inContext(ctx, err)
	}
	return d.VerifyModel(ctx, id, report)
}

// Removed is a model that was deleted and can be put back for 30 days.
type Removed = hub.Removed

// RemoveModel deletes a model of the Hub's cache, in all its forms, and says how much
// that frees. It goes to a trash in the same folder first. One that is at work stays.
func (d *DownloadsService) RemoveModel(id string) (Removed, error) {
	p, err := d.library.locate(id)
	if err != nil {
		return Removed{}, err
	}
	repo := d.library.repoOf(id)
	if !hub.ValidID(repo) || p.source == SourceBundled {
		return Removed{}, fmt.Errorf("%s was not downloaded by Inglenook or another of the Hub's tools, so it is not deleted; take it off the list instead", p.name)
	}
	for _, open := range d.pool.OpenModels() {
		if d.library.repoOf(open.Model) != repo {
			continue
		}
		if _, err := d.pool.CloseModel(open.Model); err != nil {
			return Removed{}, err
		}
	}
	return hub.OpenCache(hubCache()).Remove(repo, "")
}

// RestoreModel puts a deleted model back.
func (d *DownloadsService) RestoreModel(r Removed) error { return hub.OpenCache(hubCache()).Restore(r) }

// Trash lists the models that were deleted and can be put back, the last one first.
func (d *DownloadsService) Trash() []Removed { return hub.OpenCache(hubCache()).Trash() }

// EmptyTrash deletes them for good and says how much that freed.
func (d *DownloadsService) EmptyTrash() (freed int64, err error) {
	return hub.OpenCache(hubCache()).EmptyTrash(0)
}

// UpdateOf asks the Hub whether it has another commit of an installed model than the
// one here, and gives it; "": it has none. Nothing is changed.
func (d *DownloadsService) UpdateOf(ctx context.Context, id string) (commit string, err error) {
	ctx, client, done, err := d.hub.Begin(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	info, err := client.Info(ctx, d.library.repoOf(id), "")
	if err != nil || info.Commit == d.library.revisionOf(id) {
		return "", inContext(ctx, err)
	}
	return info.Commit, nil
}
