package pipeline

import (
	"context"
	"errors"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/placement"
)

// decoder is the predictor that runs a decoder on the backends.
type decoder struct {
	model    models.Decoder
	cache    *models.Cache
	context  int // tokens that the cache holds
	chunk    int // most tokens of a pass
	on       *placement.List
	graph    *engine.Graph
	values   []float32 // of the last pass: scores [vocab], or a hidden state
	last     [1]int32  // the row that is wanted
	outcome  placement.Outcome
	profiles bool
	widened  bool // the cache, since the last scores, because they were not finite

	peak, hiddenPeak float32 // the largest magnitudes so far, of scores and hidden states
}

// newDecoder makes a predictor whose cache is of type kv.
func newDecoder(d models.Decoder, kv engine.DType, context, chunk int, on *placement.List) (*decoder, error) {
	cache, err := d.NewCache(kv, context)
	if err != nil {
		return nil, err
	}
	return &decoder{model: d, cache: cache, context: context, chunk: chunk, on: on, graph: engine.NewGraph()}, nil
}

// record records a pass over ids. Without scores it ends with the last row's
// hidden state, so that the head, a large part of a small model, is left out;
// nobody reads that but who looks for odd numbers.
func (d *decoder) record(past int, ids []int32, scores bool) *engine.Tensor {
	d.graph.Reset()
	d.cache.Len = past
	d.last[0] = int32(len(ids) - 1)
	out := models.Hidden
	if scores {
		out = models.Logits
	}
	return d.graph.Want(d.model.Forward(d.graph, ids, d.cache, d.last[:], out))
}

func (d *decoder) extend(ctx context.Context, past int, ids []int32, scores bool) ([]float32, error) {
	if d.on.Moved() {
		if err := d.settle(); err != nil {
			return nil, err
		}
		if past > 0 {
			return nil, errForgotten
		}
	}
	out := d.record(past, ids, scores)
	report, err := d.graph.Run(ctx, d.on.Backends...)
	if err != nil {
		return nil, err
	}
	if d.values, err = d.graph.AppendResult(d.values[:0], out); err != nil {
		return nil, err
	}
	if err := d.judge(scores); err != nil {
		return nil, err
	}
	d.cache.Len = past + len(ids)
	if d.profiles {
		d.outcome.Add(report, d.graph.Ops())
	} else {
		d.outcome.Saw(report)
	}
	if !scores {
		return nil, nil
	}
	return d.values, nil
}

func (d *decoder) ran(profile bool) placement.Outcome {
	o := d.outcome
	d.outcome, d.profiles = placement.Outcome{}, profile
	return o
}

func (d *decoder) Close() error {
	return errors.Join(d.graph.Close(), d.cache.Release())
}
