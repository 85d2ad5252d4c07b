package pipeline

import (
	"context"
	"errors"

	"inglenook/engine"
	"inglenook/models"
)

// causal is the predictor that runs a decoder on the backends.
type causal struct {
	decoder  models.Decoder
	cache    *models.Cache
	context  int // tokens that the cache holds
	chunk    int // most tokens of a pass
	on       *standby
	graph    *engine.Graph
	values   []float32 // of the last pass: scores [vocab], or a hidden state
	last     [1]int32  // the row that is wanted
	outcome  outcome
	profiles bool
	widened  bool // the cache, since the last scores, because they were not finite

	peak, hiddenPeak float32 // the largest magnitudes so far, of scores and hidden states
}

// newCausal makes a predictor whose cache is of type kv.
func newCausal(d models.Decoder, kv engine.DType, context, chunk int, on *standby) (*causal, error) {
	cache, err := d.NewCache(kv, context)
	if err != nil {
		return nil, err
	}
	return &causal{decoder: d, cache: cache, context: context, chunk: chunk, on: on, graph: engine.NewGraph()}, nil
}

// record records a pass over ids. Without scores it ends with the last row's
// hidden state, so that the head, a large part of a small model, is left out;
// nobody reads that but who looks for odd numbers.
func (p *causal) record(past int, ids []int32, scores bool) *engine.Tensor {
	p.graph.Reset()
	p.cache.Len = past
	p.last[0] = int32(len(ids) - 1)
	out := models.Hidden
	if scores {
		out = models.Logits
	}
	return p.graph.Want(p.decoder.Forward(p.graph, ids, p.cache, p.last[:], out))
}

func (p *causal) extend(ctx context.Context, past int, ids []int32, scores bool) ([]float32, error) {
	if p.on.moved() {
		if err := p.settle(); err != nil {
			return nil, err
		}
		if past > 0 {
			return nil, errForgotten
		}
	}
	out := p.record(past, ids, scores)
	report, err := p.graph.Run(ctx, p.on.backends...)
	if err != nil {
		return nil, err
	}
	if p.values, err = p.graph.AppendResult(p.values[:0], out); err != nil {
		return nil, err
	}
	if err := p.judge(scores); err != nil {
		return nil, err
	}
	p.cache.Len = past + len(ids)
	if p.profiles {
		p.outcome.add(report, p.graph.Ops())
	} else {
		p.outcome.saw(report)
	}
	if !scores {
		return nil, nil
	}
	return p.values, nil
}

func (p *causal) ran(profile bool) outcome {
	o := p.outcome
	p.outcome, p.profiles = outcome{}, profile
	return o
}

// prepare brings the weights to the devices; the first pass would do it, too,
// but nobody would see how far it is.
func (p *causal) prepare(ctx context.Context, progress func(done, total int64), bs []engine.Backend) error {
	if p.on.moved() {
		if err := p.settle(); err != nil {
			return err
		}
	}
	p.record(0, []int32{0}, true)
	return p.graph.Prepare(ctx, progress, bs...)
}

func (p *causal) Close() error {
	return errors.Join(p.graph.Close(), p.cache.Release())
}
