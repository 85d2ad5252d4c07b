package decoding

import (
	"context"

	"inglenook/engine"
	"inglenook/pipeline/memory"
	"inglenook/pipeline/placement"
)

// Prepare brings the weights to the devices and reports its progress. Without
// it the first pass would bring them, and nobody would see how far it is.
func (d *Decoder) Prepare(ctx context.Context, progress func(done, total int64), bs []engine.Backend) error {
	if d.List.Moved() {
		if err := d.settle(); err != nil {
			return err
		}
	}
	d.Record(0, []int32{0}, 1)
	return d.Graph.Prepare(ctx, progress, bs...)
}

// Golden is the short pass of a decoder: a few tokens together, then one alone.
func (d *Decoder) Golden(ctx context.Context, bs []engine.Backend) (scores []float32, err error) {
	ids := placement.GoldenIDs(min(9, d.context), d.model.Config().Vocab)
	for past, n := 0, max(1, len(ids)-1); past < len(ids); past, n = past+n, 1 {
		out := d.Record(past, ids[past:past+n], 1)
		if _, err := d.Graph.Run(ctx, bs...); err != nil {
			return nil, err
		}
		if scores, err = d.Graph.AppendResult(scores, out); err != nil {
			return nil, err
		}
		d.cache.Advance()
	}
	return scores, nil
}

// Forget frees the caches, and the weights of the pass that was recorded last.
func (d *Decoder) Forget() {
	placement.ReleaseWeights(d.Graph)
	_ = d.release()
}

// Quantized implements placement.Loader.
func (d *Decoder) Quantized() bool { return placement.HasBlocks(d.Graph) }

// Bytes implements placement.Loader.
func (d *Decoder) Bytes() (n int64) {
	d.Record(0, []int32{0}, 1)
	seen := map[*engine.Tensor]bool{}
	for w := range placement.WeightsOf(d.Graph) {
		if !seen[w] {
			seen[w] = true
			n += int64(w.Bytes())
		}
	}
	return n
}

// Needs returns the memory that the predictor will take, and where its
// operations will run. It reads no weights and allocates none of that memory.
func (d *Decoder) Needs() (memory.Needs, engine.Report, error) {
	d.Record(0, make([]int32, d.Chunk), 1)
	needs, report, err := memory.Weigh(d.Graph, d.List.Backends, d.model.Config().Vocab)
	needs.Cache *= int64(1 + len(d.others))
	return needs, report, err
}
