package pipeline

import (
	"context"

	"inglenook/engine"
	"inglenook/pipeline/memory"
	"inglenook/pipeline/placement"
)

// Prepare brings the weights to the devices; the first pass would do it, too,
// but nobody would see how far it is.
func (d *decoder) Prepare(ctx context.Context, progress func(done, total int64), bs []engine.Backend) error {
	if d.on.Moved() {
		if err := d.settle(); err != nil {
			return err
		}
	}
	d.record(0, []int32{0}, true)
	return d.graph.Prepare(ctx, progress, bs...)
}

// Golden is the short pass of a decoder: a few tokens together, then one alone.
func (d *decoder) Golden(ctx context.Context, bs []engine.Backend) (scores []float32, err error) {
	ids := placement.GoldenIDs(min(9, d.context), d.model.Config().Vocab)
	for past, n := 0, max(1, len(ids)-1); past < len(ids); past, n = past+n, 1 {
		out := d.record(past, ids[past:past+n], true)
		if _, err := d.graph.Run(ctx, bs...); err != nil {
			return nil, err
		}
		if scores, err = d.graph.AppendResult(scores, out); err != nil {
			return nil, err
		}
	}
	return scores, nil
}

// Forget frees the cache, and the weights of the pass that was recorded last.
func (d *decoder) Forget() {
	placement.ReleaseWeights(d.graph)
	_ = d.cache.Release()
}

func (d *decoder) Quantized() bool { return placement.HasBlocks(d.graph) }

func (d *decoder) Bytes() (n int64) {
	d.record(0, []int32{0}, true)
	seen := map[*engine.Tensor]bool{}
	for w := range placement.WeightsOf(d.graph) {
		if !seen[w] {
			seen[w] = true
			n += int64(w.Bytes())
		}
	}
	return n
}

// needs tells what the predictor will take, and where its operations will run.
// Nothing is read or taken for that.
func (d *decoder) needs() (memory.Needs, engine.Report, error) {
	d.record(0, make([]int32, d.chunk), true)
	return memory.Weigh(d.graph, d.on.Backends, d.model.Config().Vocab)
}
