package pool

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/pipeline"
)

// OpenEmbedder returns a model that turns texts into vectors, open in the pool. What o
// leaves out about files and memory comes from the pool. Opened for another task it is another
// model, which may stay open beside the first.
func (p *Pool) OpenEmbedder(ctx context.Context, e library.Entry, t devices.Target, o pipeline.EmbedderOptions, report func(base.Progress)) (Opened[pipeline.Embedder], error) {
	if e.Elsewhere() {
		return p.embedderElsewhere(ctx, e, o, report)
	}
	options := fmt.Sprint(o.Pooling, o.NoNormalize, o.BatchTokens, " ", heldAs(o.Weights))
	return Open(ctx, p, strings.TrimSpace("embed "+o.Task), e, t, options, report, func(ctx context.Context, c Checkpoint) (pipeline.Embedder, error) {
		o.WeightsFile, o.Prove, o.Available, o.Progress = c.WeightsFile, c.Prove, devices.AvailableMemory, loading(report)
		return p.openers.Embedder(ctx, c.Files, c.Backends, o)
	})
}

// OpenReranker is OpenEmbedder for a model that scores texts.
func (p *Pool) OpenReranker(ctx context.Context, e library.Entry, t devices.Target, o pipeline.RerankerOptions, report func(base.Progress)) (Opened[pipeline.Reranker], error) {
	if e.Elsewhere() {
		return p.rerankerElsewhere(ctx, e, o, report)
	}
	if e.Kind == library.KindEmbedding && o.Form == "" {
		if open, err := p.compares(ctx, e, t, o, report); err != nil || open.Model != nil {
			return open, err
		}
	}
	options := strings.Join(o.Pooling, " ") + " " + o.Form + " " + heldAs(o.Weights)
	return Open(ctx, p, "rerank", e, t, options, report, func(ctx context.Context, c Checkpoint) (pipeline.Reranker, error) {
		o.WeightsFile, o.Prove, o.Available, o.Progress = c.WeightsFile, c.Prove, devices.AvailableMemory, loading(report)
		return pipeline.OpenReranker(ctx, c.Files, c.Backends, o)
	})
}

// compares returns an embedder as a reranker, which compares vectors: it is open once for all that do so. The result is
// empty where the embedder cannot be used so.
func (p *Pool) compares(ctx context.Context, e library.Entry, t devices.Target, o pipeline.RerankerOptions, report func(base.Progress)) (Opened[pipeline.Reranker], error) {
	open, err := p.OpenEmbedder(ctx, e, t, pipeline.EmbedderOptions{Weights: o.Weights, Pooling: o.Pooling}, report)
	if err != nil {
		return Opened[pipeline.Reranker]{}, err
	}
	r, err := pipeline.NewCosineReranker(ctx, open.Model, len(o.Pooling) == 0)
	if err != nil || r == nil {
		open.Release()
		return Opened[pipeline.Reranker]{}, err
	}
	return Opened[pipeline.Reranker]{r, open.Release, open.Load, open.Notices}, nil
}

// OpenClassifier is OpenEmbedder for a model that gives texts labels.
func (p *Pool) OpenClassifier(ctx context.Context, e library.Entry, t devices.Target, report func(base.Progress)) (Opened[*pipeline.Classifier], error) {
	return Open(ctx, p, "classify", e, t, heldAs(t.Weights), report, func(ctx context.Context, c Checkpoint) (*pipeline.Classifier, error) {
		return pipeline.OpenClassifier(ctx, c.Files, c.Backends, pipeline.ClassifierOptions{
			WeightsFile: c.WeightsFile, Weights: t.Weights, Prove: c.Prove, Available: devices.AvailableMemory, Progress: loading(report),
		})
	})
}

// OpenViewer is OpenEmbedder for the half of a model that reads pictures.
func (p *Pool) OpenViewer(ctx context.Context, e library.Entry, t devices.Target, report func(base.Progress)) (Opened[*pipeline.Viewer], error) {
	return Open(ctx, p, "embed pictures", e, t, heldAs(t.Weights), report, func(ctx context.Context, c Checkpoint) (*pipeline.Viewer, error) {
		return pipeline.OpenViewer(ctx, c.Files, c.Backends, pipeline.ViewerOptions{
			WeightsFile: c.WeightsFile, Weights: t.Weights, Prove: c.Prove, Available: devices.AvailableMemory, Progress: loading(report),
		})
	})
}

// heldAs is one name for each way to hold weights, of which one has two.
func heldAs(weights string) string { return cmp.Or(weights, "auto") }

// loading reports how many bytes of the weights are read.
func loading(report func(base.Progress)) func(done, total int64) {
	return base.NewStage(base.StageLoading, "bytes", report).At
}
