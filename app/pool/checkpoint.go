package pool

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/engine"
	"inglenook/pipeline"
	"inglenook/pipeline/placement"
)

// Checkpoint is what an opener gets.
type Checkpoint struct {
	Files       fs.FS
	WeightsFile string
	Backends    []engine.Backend
	Prove       bool // the device has to be proven with this model first
}

// Opened is an open model of the pool. It stays open until release is called.
type Opened[T io.Closer] struct {
	Model   T
	Release func()
	Load    time.Duration // 0 when it was open already
	Notices []string      // about its device
}

// Open returns an open model of the pool, or opens it there. The folder stays
// open as long as the model. report hears of a device that is tested before.
func Open[T io.Closer](ctx context.Context, p *Pool, job string, e library.Entry, t devices.Target, options string, report func(base.Progress), open func(context.Context, Checkpoint) (T, error)) (Opened[T], error) {
	where, err := p.Choose(ctx, t, &e, report)
	if err != nil {
		return Opened[T]{}, err
	}
	return OpenOn(ctx, p, job, e, where, t.Hold, options, open)
}

// OpenOn is Open where the device is chosen already.
func OpenOn[T io.Closer](ctx context.Context, p *Pool, job string, e library.Entry, where Choice, as devices.Hold, options string, open func(context.Context, Checkpoint) (T, error)) (Opened[T], error) {
	key := key{job: job, model: e.ID, stamp: e.Stamp, options: options + " " + where.Device + " " + strconv.Itoa(p.devices.Threads())}
	wants := func() wanted { return p.Wanted(ctx, e, where, as) }
	held, err := borrow(ctx, p.openSet, key, wants, func(ctx context.Context) (*OpenCheckpoint[T], error) {
		return openAlone(ctx, p, e, where, options, open)
	})
	if err != nil {
		return Opened[T]{}, err
	}
	for _, sentence := range held.notices {
		p.log.Info("closed", "why", sentence)
	}
	if held.took > 0 {
		p.log.Info("open", "job", job, "model", e.ID, "device", where.Device, "why", where.Why, "took", held.took.Round(time.Microsecond))
	}
	p.noteUse(job, e.ID)
	return Opened[T]{held.model.Model, held.release, held.took, slices.Concat(where.Notices, held.notices)}, nil
}

// openAlone opens a model past the pool; whoever asks closes it.
func openAlone[T io.Closer](ctx context.Context, p *Pool, e library.Entry, where Choice, options string, open func(context.Context, Checkpoint) (T, error)) (*OpenCheckpoint[T], error) {
	// The model reads from its folder for as long as it is open, and waits for the
	// folder with this request only while it is being opened.
	reading, stop := context.WithCancel(context.WithoutCancel(ctx))
	opening := context.AfterFunc(ctx, stop)
	defer opening()
	files, folder, err := e.Location.Open(reading)
	if err != nil {
		stop()
		return nil, err
	}
	proof := ""
	if len(where.Backends) > 1 {
		proof = p.devices.Proofs.Key(where.Backends[0], e.ID, e.Stamp, options)
	}
	model, err := open(ctx, Checkpoint{files, e.Location.WeightsFile, where.Backends, proof != "" && !p.devices.Proofs.Known(proof)})
	if err != nil {
		stop()
		return nil, errors.Join(base.InContext(ctx, err), folder.Close())
	}
	if q := proofOf(model); q.Device != "" && q.Reason == "" {
		p.devices.Proofs.Remember(proof)
	}
	return &OpenCheckpoint[T]{model, folder}, nil
}

// Wanted says what a model will take, by the code that compat asks.
func (p *Pool) Wanted(ctx context.Context, e library.Entry, where Choice, as devices.Hold) wanted {
	w := wanted{name: e.Title(), device: where.Device, weights: as.Weights, computes: len(where.Backends) > 0}
	if !w.computes {
		return w
	}
	folder, closer, err := e.Location.Open(ctx)
	if err != nil {
		return w
	}
	defer closer.Close()
	memory, err := p.openers.Needs(folder, where.Backends, pipeline.OutlineOptions{WeightsFile: e.Location.WeightsFile, Hold: as})
	if err == nil {
		w.Bytes = memory.Host()
	}
	return w
}

// proofOf is what the comparison of the model's device with the CPU came to.
func proofOf(model any) placement.Proof {
	switch m := model.(type) {
	case pipeline.Embedder:
		return m.Info().Proof
	case pipeline.Reranker:
		return m.Info().Proof
	case *pipeline.Viewer:
		return m.Proof()
	case pipeline.Writer:
		if local := m.Info().Local; local != nil {
			return local.Proof
		}
	}
	return placement.Proof{}
}

// OpenCheckpoint is an open model with the folder that it reads from.
type OpenCheckpoint[T io.Closer] struct {
	Model  T
	folder io.Closer
}

// Close closes the model, then its folder.
func (o *OpenCheckpoint[T]) Close() error { return errors.Join(o.Model.Close(), o.folder.Close()) }
