package pool

import (
	"context"
	"fmt"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/pipeline"
)

// WriterOptions say which model writes, where, and how it is held.
type WriterOptions struct {
	Model string
	devices.Target
	Plain bool   // prompts will be plain texts, so the model needs no chat template
	Draft string // how to guess what comes next: "auto", "lookup", "model=NAME", "off"; "": off

	idsOnly bool // it takes and gives ids alone, so it needs no tokenizer
}

// held returns a key for the way in which a language model is held.
func (o WriterOptions) held() string {
	return fmt.Sprint(o.Weights, o.KV, o.Context, max(o.Sequences, 1), o.idsOnly)
}

// OpenWriter returns a model that writes text, open in the pool.
func (p *Pool) OpenWriter(ctx context.Context, e library.Entry, o WriterOptions, report func(base.Progress)) (Opened[pipeline.Writer], error) {
	if e.Elsewhere() {
		return p.writerElsewhere(ctx, e, o)
	}
	return Open(ctx, p, jobChat, e, o.Target, o.held(), report, p.writerOpener(o, report))
}

// OpenIDs opens a model past the pool that takes and returns token ids alone, to
// measure it; whoever asks closes it.
func (p *Pool) OpenIDs(ctx context.Context, e library.Entry, where Choice, o WriterOptions) (*OpenCheckpoint[pipeline.Writer], error) {
	o.idsOnly = true
	return p.OpenAlone(ctx, e, where, o)
}

// OpenAlone opens a model past the pool; whoever asks closes it.
func (p *Pool) OpenAlone(ctx context.Context, e library.Entry, where Choice, o WriterOptions) (*OpenCheckpoint[pipeline.Writer], error) {
	return openAlone(ctx, p, e, where, o.held(), p.writerOpener(o, nil))
}

func (p *Pool) writerOpener(o WriterOptions, report func(base.Progress)) func(context.Context, Checkpoint) (pipeline.Writer, error) {
	return func(ctx context.Context, c Checkpoint) (pipeline.Writer, error) {
		return p.openers.Writer(ctx, c.Files, c.Backends, pipeline.GeneratorOptions{
			WeightsFile: c.WeightsFile, Hold: o.Hold, IDsOnly: o.idsOnly,
			Available: devices.AvailableMemory, Prove: c.Prove, Progress: loading(report),
		})
	}
}

// Discard takes a model out of the pool, so that its last user closes it.
func (p *Pool) Discard(model pipeline.Writer) error {
	return p.openSet.take(func(x *slot) bool {
		open, ok := x.model.(*OpenCheckpoint[pipeline.Writer])
		return ok && open.Model == model
	})
}
