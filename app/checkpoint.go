package app

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strconv"
	"time"

	"inglenook/engine"
)

// checkpoint is what an opener gets.
type checkpoint struct {
	files       fs.FS
	weightsFile string
	backends    []engine.Backend
}

// openModel gives an open model from the shelf, or opens it there. The folder
// stays open as long as the model.
func openModel[T io.Closer](ctx context.Context, a *App, job string, e entry, device, options string, open func(context.Context, checkpoint) (T, error)) (model T, release func(), took time.Duration, err error) {
	var none T
	bs, err := a.backends(device)
	if err != nil {
		return none, nil, 0, err
	}
	key := shelfKey{job: job, model: e.ID, stamp: e.stamp, options: options + " " + strconv.Itoa(a.threads())}
	held, release, took, err := borrow(ctx, a.shelf, key, func(ctx context.Context) (*openCheckpoint[T], error) {
		files, folder, err := e.place.open()
		if err != nil {
			return nil, err
		}
		model, err := open(ctx, checkpoint{files, e.place.weightsFile, bs})
		if err != nil {
			return nil, errors.Join(inContext(ctx, err), folder.Close())
		}
		return &openCheckpoint[T]{model, folder}, nil
	})
	if err != nil {
		return none, nil, 0, err
	}
	if took > 0 {
		a.log.Info("open", "job", job, "model", e.ID, "took", took.Round(time.Microsecond))
		a.used(e.ID)
	}
	return held.model, release, took, nil
}

// openCheckpoint is an open model with the folder that it reads from.
type openCheckpoint[T io.Closer] struct {
	model  T
	folder io.Closer
}

// Close closes the model, then its folder.
func (o *openCheckpoint[T]) Close() error { return errors.Join(o.model.Close(), o.folder.Close()) }
