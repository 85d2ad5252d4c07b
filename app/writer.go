package app

import (
	"context"
	"fmt"

	"inglenook/pipeline"
)

// ChatOptions say which model writes, where, and how it is held.
type ChatOptions struct {
	Model string
	Target
	Plain bool // prompts will be plain texts, so the model needs no chat template

	idsOnly bool // it takes and gives ids alone, so it needs no tokenizer
}

// held tells apart the ways in which a language model is held.
func (o ChatOptions) held() string { return fmt.Sprint(o.Weights, o.KV, o.Context, o.idsOnly) }

// openWriter returns a model that writes text, open in the pool.
func (p *Pool) openWriter(ctx context.Context, e entry, o ChatOptions, report func(Progress)) (opened[pipeline.Writer], error) {
	return openModel(ctx, p, "chat", e, o.Target, o.held(), p.writerOpener(o, report))
}

// openIDs opens a model past the pool that takes and returns token ids alone, to
// measure it; whoever asks closes it.
func (p *Pool) openIDs(ctx context.Context, e entry, where choice, o ChatOptions) (*openCheckpoint[pipeline.Writer], error) {
	o.idsOnly = true
	return openAlone(ctx, p, e, where, o.held(), p.writerOpener(o, nil))
}

func (p *Pool) writerOpener(o ChatOptions, report func(Progress)) func(context.Context, checkpoint) (pipeline.Writer, error) {
	return func(ctx context.Context, c checkpoint) (pipeline.Writer, error) {
		return p.openers.writer(ctx, c.files, c.backends, pipeline.GeneratorOptions{
			WeightsFile: c.weightsFile, Hold: o.Hold, IDsOnly: o.idsOnly,
			Available: availableMemory, Prove: c.prove, Progress: newStage(StageLoading, "bytes", report).at,
		})
	}
}

// discard takes a model out of the pool, so that its last user closes it.
func (p *Pool) discard(model pipeline.Writer) error {
	return p.shelf.take(func(x *slot) bool {
		open, ok := x.model.(*openCheckpoint[pipeline.Writer])
		return ok && open.model == model
	})
}
