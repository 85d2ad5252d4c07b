package held

import (
	"context"
	"strings"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/pipeline"
)

// The works of a model for which a choice is kept.
const (
	Embed  = "embed"
	Rerank = "rerank"
)

// Weights returns how a model is to be held for a target that leaves it open: as it was
// kept, where the model runs on the processor of this computer. open reports whether it
// runs there and nothing is decided yet.
func (c *Choices) Weights(ctx context.Context, p *pool.Pool, e library.Entry, t devices.Target, work string, report func(base.Progress)) (h Held, open bool, err error) {
	if t.Weights != "" || e.Elsewhere() {
		return Held{}, false, nil
	}
	where, err := p.Choose(ctx, t, &e, report)
	if err != nil || !strings.HasPrefix(where.Device, "cpu") {
		return Held{}, false, err
	}
	h, err = c.Of(ctx, e, work)
	return h, err == nil && h.Weights == "", err
}

// processor is the target that holds weights in one way.
func processor(t devices.Target, weights string) devices.Target {
	t.Device, t.Weights = "cpu", weights
	return t
}

// CheckEmbedder compares an embedder's vectors of some texts in both ways.
func CheckEmbedder(ctx context.Context, p *pool.Pool, e library.Entry, t devices.Target, o pipeline.EmbedderOptions, r pipeline.EmbedRequest, texts []string, report func(base.Progress)) (Held, error) {
	open := func(weights string) (pool.Opened[pipeline.Embedder], error) {
		o.Weights = weights
		return p.OpenEmbedder(ctx, e, processor(t, weights), o, report)
	}
	return compare(ctx, open, func(model pipeline.Embedder) Reader {
		return func(ctx context.Context, text string) ([]float32, error) {
			got, err := model.Embed(ctx, []string{text}, r)
			if err != nil {
				return nil, err
			}
			return got.Vectors[0], nil
		}
	}, texts, Vectors)
}

// CheckReranker compares a reranker's scores of some texts in both ways.
func CheckReranker(ctx context.Context, p *pool.Pool, e library.Entry, t devices.Target, o pipeline.RerankerOptions, question string, texts []string, report func(base.Progress)) (Held, error) {
	open := func(weights string) (pool.Opened[pipeline.Reranker], error) {
		o.Weights = weights
		return p.OpenReranker(ctx, e, processor(t, weights), o, report)
	}
	return compare(ctx, open, func(model pipeline.Reranker) Reader {
		return func(ctx context.Context, text string) ([]float32, error) {
			got, err := model.Score(ctx, question, []string{text}, pipeline.RerankRequest{})
			if err != nil {
				return nil, err
			}
			return got.Values, nil
		}
	}, texts, Scores)
}

// compare opens a model in both ways for [Compare].
func compare[M interface{ Close() error }](ctx context.Context, open func(weights string) (pool.Opened[M], error), reader func(M) Reader, texts []string, alike Alike) (Held, error) {
	plain, err := open(AsInFile)
	if err != nil {
		return Held{}, err
	}
	defer plain.Release()
	eight, err := open(EightBits)
	if err != nil {
		return Held{}, err
	}
	defer eight.Release()
	return Compare(ctx, texts, reader(eight.Model), reader(plain.Model), alike)
}
