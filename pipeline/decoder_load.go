package pipeline

import (
	"context"

	"inglenook/engine"
)

// prepare brings the weights to the devices; the first pass would do it, too,
// but nobody would see how far it is.
func (d *decoder) prepare(ctx context.Context, progress func(done, total int64), bs []engine.Backend) error {
	if d.on.moved() {
		if err := d.settle(); err != nil {
			return err
		}
	}
	d.record(0, []int32{0}, true)
	return d.graph.Prepare(ctx, progress, bs...)
}

// golden is the short pass of a decoder: a few tokens together, then one alone.
func (d *decoder) golden(ctx context.Context, bs []engine.Backend) (scores []float32, err error) {
	ids := goldenIDs(min(9, d.context), d.model.Config().Vocab)
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

// forget frees the cache, and the weights of the pass that was recorded last.
func (d *decoder) forget() {
	releaseWeights(d.graph)
	_ = d.cache.Release()
}

func (d *decoder) quantized() bool { return blocks(d.graph) }

func (d *decoder) bytes() (n int64) {
	d.record(0, []int32{0}, true)
	seen := map[*engine.Tensor]bool{}
	for w := range weightsOf(d.graph) {
		if !seen[w] {
			seen[w] = true
			n += int64(w.Bytes())
		}
	}
	return n
}

// needs tells what the predictor will take, and where its operations will run.
// Nothing is read or taken for that.
func (d *decoder) needs() (Memory, engine.Report, error) {
	d.record(0, make([]int32, d.chunk), true)
	return weigh(d.graph, d.on.backends, d.model.Config().Vocab)
}
