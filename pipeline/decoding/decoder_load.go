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
		if len(bs) > 1 {
			bs = d.List.Backends // those that are left
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
	for w := range weightsOf(d.Graph) {
		n += int64(w.Bytes())
	}
	return n
}

// weightsOf returns the weights of a recorded pass, each once.
func weightsOf(g *engine.Graph) map[*engine.Tensor]bool {
	list := map[*engine.Tensor]bool{}
	for w := range placement.WeightsOf(g) {
		list[w] = true
	}
	return list
}

// Divide leaves layers to the CPU for which the first device has no room.
func (d *Decoder) Divide() error {
	d.Record(0, make([]int32, d.Chunk), 1)
	return d.List.Divide(d.Graph, 1+len(d.others))
}

// Needs returns the memory that the predictor will take, and where its
// operations will run. It reads no weights and allocates none of that memory.
func (d *Decoder) Needs() (memory.Needs, engine.Report, error) {
	d.Record(0, make([]int32, d.Chunk), 1)
	needs, report, err := memory.Weigh(d.Graph, d.List.Backends, d.model.Config().Vocab)
	needs.Cache *= int64(1 + len(d.others))
	return needs, report, err
}

// Spare leaves as many experts in their file as it takes for the rest to fit into the
// available bytes, and returns what the model needs then. If that is not enough, or no
// device reads them there, it leaves none and returns an error that says what does not
// fit.
func (d *Decoder) Spare(needs memory.Needs, available int64) (memory.Needs, error) {
	short := needs.Fits(available, d.context)
	if short == nil {
		return needs, nil
	}
	experts := d.experts()
	for len(experts) > 0 {
		over := needs.Host() - available
		for over > 0 && len(experts) > 0 {
			last := experts[len(experts)-1]
			experts = experts[:len(experts)-1]
			if w := last.Src[2]; !w.InFile() && w.LeaveInFile(true) {
				over -= int64(w.Bytes())
				needs.Left += int64(w.Bytes())
				needs.LeftToken += int64(w.Bytes() / w.Parts * last.Src[1].Cols / 2)
			}
		}
		if over > 0 {
			break
		}
		less, _, err := d.Needs()
		if err != nil {
			return needs, err
		}
		less.Text, less.Left, less.LeftToken = needs.Text, needs.Left, needs.LeftToken
		if less.Weights >= needs.Weights {
			break // no device reads them there
		}
		if needs = less; needs.Fits(available, d.context) == nil {
			return needs, nil
		}
	}
	d.Keep()
	return needs, short
}

// Keep leaves no experts in their file any more. None may be prepared.
func (d *Decoder) Keep() {
	for _, op := range d.experts() {
		op.Src[2].LeaveInFile(false)
	}
}

// experts returns the operations on experts of the pass that was recorded last.
func (d *Decoder) experts() (ops []*engine.Tensor) {
	for _, op := range d.Graph.Ops() {
		if op.Op == engine.OpExperts {
			ops = append(ops, op)
		}
	}
	return ops
}
