package texts

import (
	"context"
	"errors"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/held"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/pipeline"
)

// ReadingRequest names a model, and texts on which to compare how it reads in 8 bits with
// how it reads as in its file.
type ReadingRequest struct {
	Model    string
	Work     string   // [held.Embed] or [held.Rerank]
	Question string   // of Rerank
	Pooling  string   // of Rerank, as in RerankRequest
	Texts    []string // the first few are read
}

// CheckReading compares both ways to read, and keeps the better one with the model.
func (t *Service) CheckReading(ctx context.Context, r ReadingRequest, report func(base.Progress)) (held.Held, error) {
	if len(r.Texts) == 0 || r.Work == held.Rerank && len(r.Texts) < held.FewestScores {
		return held.Held{}, errors.New("there are too few texts to compare both ways to read; add some")
	}
	ctx, done, err := t.life.Begin(ctx)
	if err != nil {
		return held.Held{}, err
	}
	defer done()
	defer t.devices.Awake()()
	e, err := t.library.Encodes(ctx, r.Model)
	if err != nil {
		return held.Held{}, err
	}
	h, err := t.checkReading(ctx, e, r, report)
	if err != nil {
		return held.Held{}, base.InContext(ctx, err)
	}
	return h, t.held.Keep(ctx, e, r.Work, h)
}

func (t *Service) checkReading(ctx context.Context, e library.Entry, r ReadingRequest, report func(base.Progress)) (held.Held, error) {
	var target devices.Target
	if r.Work == held.Rerank {
		return held.CheckReranker(ctx, t.pool, e, target, rerankerOptions(RerankRequest{Pooling: r.Pooling}), r.Question, r.Texts, report)
	}
	return held.CheckEmbedder(ctx, t.pool, e, target, pipeline.EmbedderOptions{}, pipeline.EmbedRequest{}, r.Texts, report)
}

// ReadAs keeps how a model reads from now on: in 8 bits or as in its file. What a check
// found about it stays.
func (t *Service) ReadAs(ctx context.Context, model, work string, h held.Held) error {
	e, err := t.library.Encodes(ctx, model)
	if err != nil {
		return err
	}
	return t.held.Keep(ctx, e, work, h)
}

// asKept sets the weights of a target to what is kept for the model, and notes it in h,
// where a request asks for that.
func (t *Service) asKept(ctx context.Context, kept bool, e library.Entry, target *devices.Target, work string, h *held.Held, report func(base.Progress)) error {
	if !kept {
		return nil
	}
	got, _, err := t.held.Weights(ctx, t.pool, e, *target, work, report)
	if err != nil {
		return err
	}
	*h = got
	target.Weights = got.Weights
	return nil
}

// reranker opens the model of a request, and notes in h how it is held.
func (t *Service) reranker(r RerankRequest, h *held.Held, report func(base.Progress)) func(context.Context, library.Entry) (pool.Opened[pipeline.Reranker], error) {
	return func(ctx context.Context, e library.Entry) (pool.Opened[pipeline.Reranker], error) {
		if err := t.asKept(ctx, r.AsKept, e, &r.Target, held.Rerank, h, report); err != nil {
			return pool.Opened[pipeline.Reranker]{}, err
		}
		return t.pool.OpenReranker(ctx, e, r.Target, rerankerOptions(r), report)
	}
}

func rerankerOptions(r RerankRequest) pipeline.RerankerOptions {
	o := pipeline.RerankerOptions{Weights: r.Weights, Form: r.Form}
	if r.Pooling != "" {
		o.Pooling = []string{r.Pooling}
	}
	return o
}

// embedder opens the model of a request, and notes in h how it is held.
func (t *Service) embedder(r EmbedRequest, h *held.Held, report func(base.Progress)) func(context.Context, library.Entry) (pool.Opened[pipeline.Embedder], error) {
	return func(ctx context.Context, e library.Entry) (pool.Opened[pipeline.Embedder], error) {
		if err := t.asKept(ctx, r.AsKept, e, &r.Target, held.Embed, h, report); err != nil {
			return pool.Opened[pipeline.Embedder]{}, err
		}
		return t.pool.OpenEmbedder(ctx, e, r.Target, pipeline.EmbedderOptions{
			Weights: r.Weights, Pooling: r.Pooling, NoNormalize: r.NoNormalize, Task: r.Task, BatchTokens: r.BatchTokens,
		}, report)
	}
}
