package downloads

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"inglenook/app/base"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/hub"
	"inglenook/hub/cache"
	"inglenook/hub/repo"
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
	// Wait is how long PullModel waits without a byte before it gives up; 0: without end.
	Wait time.Duration
}

// abreast is how many downloads run at the same time.
const abreast = 2

// trashAge is how long a deleted model can be put back.
const trashAge = 30 * 24 * time.Hour

// Service brings models of the Hub to this computer and takes them away
// again. The queue of downloads is opened at its first use.
type Service struct {
	life    *base.Lifetime
	log     *slog.Logger
	paths   base.Paths
	hub     *base.Hub
	library *library.Service
	fit     *fit.Service
	pool    *pool.Pool

	mu     sync.Mutex
	queue  *hub.Queue
	closed bool
	aside  map[asideKey]bool // off the list, and may be brought back; whether it ran
}

// New asks nobody for anything yet.
func New(life *base.Lifetime, log *slog.Logger, p base.Paths, h *base.Hub, library *library.Service, fit *fit.Service, pool *pool.Pool) *Service {
	return &Service{life: life, log: log, paths: p, hub: h, library: library, fit: fit, pool: pool}
}

// Close stops all downloads; the next start finds them again.
func (d *Service) Close() {
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	d.closeQueue()
}

// closeQueue stops all downloads, and deletes what came of those that were set aside.
func (d *Service) closeQueue() {
	d.mu.Lock()
	queue := d.queue
	d.queue = nil
	d.mu.Unlock()
	if queue != nil {
		_ = d.dropAside(queue, "")
		queue.Close()
	}
}

// needed reports whether there may be something in the queue: it is open, or the disk
// has downloads that were not finished.
func (d *Service) needed(ctx context.Context) bool {
	d.mu.Lock()
	open := d.queue != nil
	d.mu.Unlock()
	if open {
		return true
	}
	here := cache.Open(d.library.ModelFolder())
	if len(here.Asked(ctx)) > 0 {
		return true
	}
	repos, _ := here.Repos(ctx)
	return slices.ContainsFunc(repos, func(r cache.Repo) bool { return len(r.Unfinished) > 0 })
}

// downloadQueue returns the queue with the client that the settings ask for. What was
// under way when the program ended goes on now.
func (d *Service) downloadQueue(ctx context.Context) (*hub.Queue, error) {
	client, err := d.hub.Client(ctx)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, base.ErrClosing
	}
	if d.queue != nil {
		d.queue.SetClient(client)
		return d.queue, nil
	}
	cache := cache.Open(d.library.ModelFolder())
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
func (d *Service) Downloads() []Download {
	if !d.needed(d.life.Context()) {
		return nil // and nobody is asked for a token
	}
	q, err := d.downloadQueue(d.life.Context())
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(q.List(), d.isAside)
}

// StartDownload puts a model of the Hub in line.
func (d *Service) StartDownload(ctx context.Context, r DownloadRequest) error {
	if d.hub.Offline() {
		return errOffline
	}
	q, err := d.downloadQueue(ctx)
	if err != nil {
		return err
	}
	d.takeAside(r.ID, cmp.Or(r.Revision, "main")) // it goes on from what came before
	return q.Add(hub.Request{ID: r.ID, Revision: r.Revision, Files: r.Files})
}

var errOffline = errors.New("offline mode is on, so nothing can be downloaded; turn it off in Settings")

// PauseDownload stops a download; what came stays.
func (d *Service) PauseDownload(id, revision string) error {
	return d.withQueue(func(q *hub.Queue) error { return q.Pause(id, revision) })
}

// ResumeDownload puts one that was paused or had failed back in line.
func (d *Service) ResumeDownload(id, revision string) error {
	if d.hub.Offline() {
		return errOffline
	}
	return d.withQueue(func(q *hub.Queue) error { return q.Resume(id, revision) })
}

// CancelDownload takes a download off the queue and deletes what came of it.
func (d *Service) CancelDownload(id, revision string) error {
	return d.withQueue(func(q *hub.Queue) error {
		_, err := q.Cancel(id, revision, false)
		d.takeAside(id, revision)
		return err
	})
}

// MoveDownload puts a download at a place of the order, from 0.
func (d *Service) MoveDownload(id, revision string, Location int) error {
	return d.withQueue(func(q *hub.Queue) error { return q.Move(id, revision, Location) })
}

// ClearDownloads takes those that are done off the list.
func (d *Service) ClearDownloads() {
	_ = d.withQueue(func(q *hub.Queue) error { q.Clear(); return nil })
}

func (d *Service) withQueue(do func(*hub.Queue) error) error {
	q, err := d.downloadQueue(d.life.Context())
	if err != nil {
		return err
	}
	return do(q)
}

// FileCheck is what the hash of an installed file says.
type FileCheck = cache.FileCheck

// Verification is what the hashes of an installed model say.
type Verification struct {
	Files int
	Bytes int64
	Bad   []FileCheck // files that are not as the Hub has them
}

// VerifyModel hashes every file of a model in the Hub's cache again and compares with
// the Hub's hashes. It needs no connection.
func (d *Service) VerifyModel(ctx context.Context, id string, report func(base.Progress)) (Verification, error) {
	ctx, done, err := d.life.Begin(ctx)
	if err != nil {
		return Verification{}, err
	}
	defer done()
	stage := base.NewStage(StageVerifying, "bytes", report)
	repository := d.library.RepoOf(ctx, id)
	checks, err := d.cacheOf(ctx, repository).Verify(ctx, repository, d.library.RevisionOf(ctx, id), stage.At)
	if err != nil {
		return Verification{}, base.InContext(ctx, err)
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
func (d *Service) RepairModel(ctx context.Context, id string, report func(base.Progress)) (Verification, error) {
	ctx, client, done, err := d.hub.Begin(ctx)
	if err != nil {
		return Verification{}, err
	}
	defer done()
	stage := base.NewStage(StageVerifying, "bytes", report)
	repository := d.library.RepoOf(ctx, id)
	_, err = client.Repair(ctx, d.cacheOf(ctx, repository), repository, d.library.RevisionOf(ctx, id), func(p hub.Progress) { stage.At(p.Done, p.Total) })
	if err != nil {
		return Verification{}, base.InContext(ctx, err)
	}
	return d.VerifyModel(ctx, id, report)
}

// Removed is a model that was deleted and can be put back for 30 days.
type Removed = cache.Removed

// RemoveModel deletes a model of the Hub's cache, in all its forms, and says how much
// that frees. It goes to a trash in the same folder first. One that is at work stays.
func (d *Service) RemoveModel(id string) (Removed, error) {
	ctx := context.Background() // it is not given up half-way
	p, err := d.library.Locate(ctx, id)
	if err != nil {
		return Removed{}, err
	}
	repository := d.library.RepoOf(ctx, id)
	if !repo.ValidID(repository) || p.Source == library.SourceBundled {
		return Removed{}, fmt.Errorf("%s was not downloaded by Inglenook or by Hugging Face's own tools, so it is not deleted; take it off the list instead", p.Name)
	}
	for _, x := range d.Downloads() {
		if strings.EqualFold(x.ID, repository) && x.State != DownloadDone {
			return Removed{}, fmt.Errorf("%s is not deleted, because a part of it is still being downloaded; cancel the download first", p.Name)
		}
	}
	for _, open := range d.pool.OpenModels() {
		if d.library.RepoOf(ctx, open.Model) != repository {
			continue
		}
		if _, err := d.pool.CloseModel(open.Model); err != nil {
			return Removed{}, err
		}
	}
	here := d.cacheOf(ctx, repository)
	if err := here.MayRemove(repository); err != nil {
		return Removed{}, err
	}
	d.mu.Lock()
	queue := d.queue
	d.mu.Unlock()
	if queue != nil { // only now: what was set aside can still be brought back where the model stays
		_ = d.dropAside(queue, repository)
	}
	return here.Remove(repository, "")
}

// RestoreModel puts a deleted model back.
func (d *Service) RestoreModel(r Removed) error { return d.trashOf(r).Restore(r) }

// Trash lists the models that were deleted and can be put back, the last one first.
func (d *Service) Trash() (list []Removed) {
	for _, folder := range d.library.Folders() {
		list = append(list, cache.Open(folder).Trash()...)
	}
	slices.SortStableFunc(list, func(a, b Removed) int { return b.At.Compare(a.At) })
	return list
}

// UpdateOf asks the Hub whether it has another commit of an installed model than the
// one here, and returns it; "" if it has none. Nothing is changed.
func (d *Service) UpdateOf(ctx context.Context, id string) (commit string, err error) {
	ctx, client, done, err := d.hub.Begin(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	info, err := client.Info(ctx, d.library.RepoOf(ctx, id), "")
	if err != nil || info.Commit == d.library.RevisionOf(ctx, id) {
		return "", base.InContext(ctx, err)
	}
	return info.Commit, nil
}
