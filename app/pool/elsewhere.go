package pool

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/pipeline"
)

// elsewhere opens a model of a server in the pool. It takes no memory here. report hears how long
// the server is awaited.
func elsewhere[T io.Closer](ctx context.Context, p *Pool, job string, e library.Entry, as devices.Hold, options string, report func(base.Progress), open func(context.Context) (T, error)) (Opened[T], error) {
	if err := onlyUsual(e, as); err != nil {
		return Opened[T]{}, err
	}
	key := key{job: job, model: e.ID, stamp: e.Stamp, options: options}
	held, err := borrow(ctx, p.openSet, key, func() wanted { return wanted{name: e.Name, device: e.Server} }, func(ctx context.Context) (*OpenCheckpoint[T], error) {
		defer awaiting(e.Server, report)()
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

// awaiting reports once a second how long a server is awaited, until the function that it returns is
// called. report may be nil.
func awaiting(server string, report func(base.Progress)) (end func()) {
	if report == nil {
		return func() {}
	}
	began, ended := time.Now(), make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() {
		each := time.NewTicker(time.Second)
		defer each.Stop()
		for {
			select {
			case now := <-each.C:
				report(base.Progress{Stage: base.StageServer, Server: server, Done: int64(now.Sub(began).Seconds())})
			case <-ended:
				return
			}
		}
	})
	return func() {
		close(ended)
		telling.Wait()
	}
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

func (p *Pool) embedderElsewhere(ctx context.Context, e library.Entry, o pipeline.EmbedderOptions, report func(base.Progress)) (Opened[pipeline.Embedder], error) {
	if err := onlyAsMade(e, len(o.Pooling) > 0 || o.NoNormalize || o.Task != ""); err != nil {
		return Opened[pipeline.Embedder]{}, err
	}
	return elsewhere(ctx, p, "embed", e, devices.Hold{Weights: o.Weights}, "", report, func(ctx context.Context) (pipeline.Embedder, error) {
		return p.servers.Embedder(ctx, e.ID)
	})
}

func (p *Pool) rerankerElsewhere(ctx context.Context, e library.Entry, o pipeline.RerankerOptions, report func(base.Progress)) (Opened[pipeline.Reranker], error) {
	if err := onlyAsMade(e, len(o.Pooling) > 0 || o.Form != ""); err != nil {
		return Opened[pipeline.Reranker]{}, err
	}
	return elsewhere(ctx, p, "rerank", e, devices.Hold{Weights: o.Weights}, "", report, func(ctx context.Context) (pipeline.Reranker, error) {
		return p.servers.Reranker(ctx, e.ID)
	})
}

func (p *Pool) writerElsewhere(ctx context.Context, e library.Entry, o WriterOptions) (Opened[pipeline.Writer], error) {
	return elsewhere(ctx, p, "chat", e, o.Hold, fmt.Sprint(o.Context), nil, func(ctx context.Context) (pipeline.Writer, error) {
		return p.servers.Writer(ctx, e.ID, o.Context)
	})
}
