package pool

import (
	"context"
	"fmt"
	"io"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/pipeline"
)

// elsewhere opens a model of a server in the pool. It takes no memory here.
func elsewhere[T io.Closer](ctx context.Context, p *Pool, job string, e library.Entry, as devices.Hold, options string, open func(context.Context) (T, error)) (Opened[T], error) {
	if err := onlyUsual(e, as); err != nil {
		return Opened[T]{}, err
	}
	key := key{job: job, model: e.ID, stamp: e.Stamp, options: options}
	held, err := borrow(ctx, p.openSet, key, func() wanted { return wanted{name: e.Name, device: e.Server} }, func(ctx context.Context) (*OpenCheckpoint[T], error) {
		model, err := open(ctx)
		if err != nil {
			return nil, err
		}
		return &OpenCheckpoint[T]{model, io.NopCloser(nil)}, nil
	})
	if err != nil {
		return Opened[T]{}, err
	}
	if held.took > 0 {
		p.log.Info("open", "job", job, "model", e.ID, "server", e.Server, "took", held.took)
		p.library.Used(e.ID)
	}
	return Opened[T]{held.model.Model, held.release, held.took, held.notices}, nil
}

// onlyUsual refuses wishes that only whoever runs the server can fulfil.
func onlyUsual(e library.Entry, as devices.Hold) error {
	if heldAs(as.Weights) != "auto" || as.KV != "" && as.KV != devices.CacheTypes()[0] {
		return fmt.Errorf("%s runs on the server %s, which holds weights and caches in its own way; leave out how they are held", e.Name, e.Server)
	}
	return nil
}

// onlyAsMade refuses another way to make vectors or scores than the server's.
func onlyAsMade(e library.Entry, wishes bool) error {
	if wishes {
		return fmt.Errorf("%s runs on the server %s, which makes vectors and scores in its own way; leave out task, pooling, scaling and form", e.Name, e.Server)
	}
	return nil
}

func (p *Pool) embedderElsewhere(ctx context.Context, e library.Entry, o pipeline.EmbedderOptions) (Opened[pipeline.Embedder], error) {
	if err := onlyAsMade(e, len(o.Pooling) > 0 || o.NoNormalize || o.Task != ""); err != nil {
		return Opened[pipeline.Embedder]{}, err
	}
	return elsewhere(ctx, p, "embed", e, devices.Hold{Weights: o.Weights}, "", func(ctx context.Context) (pipeline.Embedder, error) {
		return p.servers.Embedder(ctx, e.ID)
	})
}

func (p *Pool) rerankerElsewhere(ctx context.Context, e library.Entry, o pipeline.RerankerOptions) (Opened[pipeline.Reranker], error) {
	if err := onlyAsMade(e, len(o.Pooling) > 0 || o.Form != ""); err != nil {
		return Opened[pipeline.Reranker]{}, err
	}
	return elsewhere(ctx, p, "rerank", e, devices.Hold{Weights: o.Weights}, "", func(ctx context.Context) (pipeline.Reranker, error) {
		return p.servers.Reranker(ctx, e.ID)
	})
}

func (p *Pool) writerElsewhere(ctx context.Context, e library.Entry, o WriterOptions) (Opened[pipeline.Writer], error) {
	return elsewhere(ctx, p, "chat", e, o.Hold, fmt.Sprint(o.Context), func(ctx context.Context) (pipeline.Writer, error) {
		return p.servers.Writer(ctx, e.ID, o.Context)
	})
}
