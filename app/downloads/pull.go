package downloads

import (
	"context"
	"fmt"

	"inglenook/app/base"
	"inglenook/hub"
	"inglenook/hub/repo"
)

// Pulled is what a download came to.
type Pulled = hub.Result

// PullModel downloads a model of the Hub while the caller waits, past the queue of
// downloads. Where nothing is said about its files, it takes the form of the weights
// that fits this computer best, and a model that cannot run here is an error before a
// byte of its weights was fetched. What came stays when ctx ends, and the next call
// goes on there.
func (d *Service) PullModel(ctx context.Context, r DownloadRequest, report func(Download)) (Pulled, error) {
	ctx, client, done, err := d.hub.Begin(ctx)
	if err != nil {
		return Pulled{}, err
	}
	defer done()
	if len(r.Files) == 0 {
		// Where this cannot be told, the download itself says what is wrong, or takes the
		// middle of the road.
		p, err := d.Preview(ctx, PreviewRequest{ID: r.ID, Revision: r.Revision})
		switch why := p.Compat.RunsNowhere(); {
		case err == nil && why != "":
			return Pulled{}, fmt.Errorf("%s is not downloaded, because it cannot be used here: %s; to have its files all the same, name them with --file", r.ID, why)
		case err == nil && len(p.Variants) > 1:
			r.Files = p.Variants[p.Suggested].Patterns()
		}
	}
	pulled, err := client.Pull(ctx, d.cacheOf(ctx, r.ID), hub.Request{ID: r.ID, Revision: r.Revision, Files: r.Files, Wait: r.Wait}, report)
	d.log.Info("download", "model", r.ID, "bytes", pulled.Fetched, "error", err)
	return pulled, base.InContext(ctx, err)
}

// CheckFiles is VerifyModel with what each file's hash says.
func (d *Service) CheckFiles(ctx context.Context, id string, report func(base.Progress)) ([]FileCheck, error) {
	ctx, done, err := d.life.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	if err := repo.CheckID(id); err != nil {
		return nil, err
	}
	checks, err := d.cacheOf(ctx, id).Verify(ctx, id, d.library.RevisionOf(ctx, id), base.NewStage(StageVerifying, "bytes", report).At)
	return checks, base.InContext(ctx, err)
}

// DeleteRemoved takes a model that was removed out of the trash for good, and says how
// many bytes that freed.
func (d *Service) DeleteRemoved(r Removed) (int64, error) {
	return d.trashOf(r).Delete(r)
}
