package pool

import (
	"context"
	"fmt"
	"io"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/servers"
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
		_, end := base.Awaiting(e.Server, 0, report)
		defer end()
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
	}
	p.noteUse(job, e.ID)
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

func (p *Pool) embedderElsewhere(ctx context.Context, e library.Entry, o pipeline.EmbedderOptions, report func(base.Progress)) (Opened[pipeline.Embedder], error) {
	if err := onlyAsMade(e, len(o.Pooling) > 0 || o.NoNormalize || o.Task != ""); err != nil {
		return Opened[pipeline.Embedder]{}, err
	}
	open, err := elsewhere(ctx, p, "embed", e, devices.Hold{Weights: o.Weights}, "", report, func(ctx context.Context) (servers.Embedder, error) {
		return p.servers.Embedder(ctx, e.ID)
	})
	if err != nil {
		return Opened[pipeline.Embedder]{}, err
	}
	return Opened[pipeline.Embedder]{awaitedEmbedder{open.Model, e.Server, report}, open.Release, open.Load, open.Notices}, nil
}

func (p *Pool) rerankerElsewhere(ctx context.Context, e library.Entry, o pipeline.RerankerOptions, report func(base.Progress)) (Opened[pipeline.Reranker], error) {
	if err := onlyAsMade(e, len(o.Pooling) > 0 || o.Form != ""); err != nil {
		return Opened[pipeline.Reranker]{}, err
	}
	open, err := elsewhere(ctx, p, "rerank", e, devices.Hold{Weights: o.Weights}, "", report, func(ctx context.Context) (pipeline.Reranker, error) {
		return p.servers.Reranker(ctx, e.ID)
	})
	if err == nil {
		open.Model = awaitedReranker{open.Model, e.Server, report}
	}
	return open, err
}

func (p *Pool) writerElsewhere(ctx context.Context, e library.Entry, o WriterOptions) (Opened[pipeline.Writer], error) {
	return elsewhere(ctx, p, jobChat, e, o.Hold, fmt.Sprint(o.Context), nil, func(ctx context.Context) (pipeline.Writer, error) {
		return p.servers.Writer(ctx, e.ID, o.Context)
	})
}

// awaitedEmbedder tells who opened it for how long the server is awaited.
type awaitedEmbedder struct {
	servers.Embedder
	server string
	report func(base.Progress)
}

// Embed implements pipeline.Embedder.
func (e awaitedEmbedder) Embed(ctx context.Context, texts []string, r pipeline.EmbedRequest) (pipeline.Embeddings, error) {
	heard, end := base.Awaiting(e.server, base.LongWait, e.report)
	defer end()
	r.Progress = hearing(heard, r.Progress)
	return e.Embedder.Embed(ctx, texts, r)
}

// awaitedReranker is awaitedEmbedder for a model that scores texts.
type awaitedReranker struct {
	pipeline.Reranker
	server string
	report func(base.Progress)
}

// Score implements pipeline.Reranker.
func (s awaitedReranker) Score(ctx context.Context, query string, documents []string, r pipeline.RerankRequest) (pipeline.Scores, error) {
	heard, end := base.Awaiting(s.server, base.LongWait, s.report)
	defer end()
	r.Progress = hearing(heard, r.Progress)
	return s.Reranker.Score(ctx, query, documents, r)
}

// hearing is progress, which may be nil, that is also heard.
func hearing(heard func(), progress func(done, total int)) func(done, total int) {
	return func(done, total int) {
		heard()
		if progress != nil {
			progress(done, total)
		}
	}
}
