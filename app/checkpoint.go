package app

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"time"

	"inglenook/engine"
	"inglenook/pipeline"
)

// checkpoint is what an opener gets.
type checkpoint struct {
	files       fs.FS
	weightsFile string
	backends    []engine.Backend
	prove       bool // the device has to be proven with this model first
}

// opened is an open model from the shelf. It stays open until release is called.
type opened[T io.Closer] struct {
	model   T
	release func()
	load    time.Duration // 0 when it was open already
	notices []string      // about its device
}

// openModel returns an open model from the shelf, or opens it there. The folder stays
// open as long as the model.
func openModel[T io.Closer](ctx context.Context, p *Pool, job string, e entry, t Target, options string, open func(context.Context, checkpoint) (T, error)) (opened[T], error) {
	where, err := p.choose(ctx, t, &e)
	if err != nil {
		return opened[T]{}, err
	}
	return openOn(ctx, p, job, e, where, t.Hold, options, open)
}

// openOn is openModel where the device is chosen already.
func openOn[T io.Closer](ctx context.Context, p *Pool, job string, e entry, where choice, as Hold, options string, open func(context.Context, checkpoint) (T, error)) (opened[T], error) {
	key := shelfKey{job: job, model: e.ID, stamp: e.stamp, options: options + " " + where.device + " " + strconv.Itoa(p.devices.Threads())}
	held, err := borrow(ctx, p.shelf, key, p.wanted(e, where, as), func(ctx context.Context) (*openCheckpoint[T], error) {
		return openAlone(ctx, p, e, where, options, open)
	})
	if err != nil {
		return opened[T]{}, err
	}
	for _, sentence := range held.told {
		p.log.Info("closed", "why", sentence)
	}
	if held.took > 0 {
		p.log.Info("open", "job", job, "model", e.ID, "device", where.device, "why", where.why, "took", held.took.Round(time.Microsecond))
		p.library.used(e.ID)
	}
	return opened[T]{held.model.model, held.release, held.took, slices.Concat(where.notices, held.told)}, nil
}

// openAlone opens a model past the shelf; whoever asks closes it.
func openAlone[T io.Closer](ctx context.Context, p *Pool, e entry, where choice, options string, open func(context.Context, checkpoint) (T, error)) (*openCheckpoint[T], error) {
	files, folder, err := e.place.open()
	if err != nil {
		return nil, err
	}
	proof := ""
	if len(where.backends) > 1 {
		proof = p.devices.proofs.key(where.backends[0], e.ID, e.stamp, options)
	}
	model, err := open(ctx, checkpoint{files, e.place.weightsFile, where.backends, proof != "" && !p.devices.proofs.known(proof)})
	if err != nil {
		return nil, errors.Join(inContext(ctx, err), folder.Close())
	}
	if q := proofOf(model); q.Device != "" && q.Reason == "" {
		p.devices.proofs.remember(proof)
	}
	return &openCheckpoint[T]{model, folder}, nil
}

// wanted tells the shelf what a model will take, by the code that compat asks.
func (p *Pool) wanted(e entry, where choice, as Hold) wanted {
	w := wanted{name: e.Name, device: where.device, computes: len(where.backends) > 0}
	if !w.computes {
		return w
	}
	folder, closer, err := e.place.open()
	if err != nil {
		return w
	}
	defer closer.Close()
	memory, err := p.openers.needs(folder, where.backends, pipeline.OutlineOptions{WeightsFile: e.place.weightsFile, Hold: as})
	if err == nil {
		w.bytes = memory.Total()
	}
	return w
}

// proofOf is what the comparison of the model's device with the CPU came to.
func proofOf(model any) pipeline.Proof {
	switch m := model.(type) {
	case pipeline.Embedder:
		return m.Info().Proof
	case pipeline.Reranker:
		return m.Info().Proof
	case pipeline.Writer:
		return m.Info().Proof
	}
	return pipeline.Proof{}
}

// openCheckpoint is an open model with the folder that it reads from.
type openCheckpoint[T io.Closer] struct {
	model  T
	folder io.Closer
}

// Close closes the model, then its folder.
func (o *openCheckpoint[T]) Close() error { return errors.Join(o.model.Close(), o.folder.Close()) }
