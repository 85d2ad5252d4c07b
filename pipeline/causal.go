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
	backends []engine.Backend
	graph    *engine.Graph
	scores   []float32 // [vocab], of the last pass
	last     [1]int32  // the row whose scores are wanted
	outcome  outcome
	profiles bool
}

func newCausal(d models.Decoder, c *models.Cache, bs []engine.Backend) *causal {
	return &causal{decoder: d, cache: c, backends: bs, graph: engine.NewGraph()}
}

// record records a pass over ids. Without scores it ends with the last row's
// hidden state, so that the head, a large part of a small model, is left out.
func (p *causal) record(past int, ids []int32, scores bool) *engine.Tensor {
	p.graph.Reset()
	p.cache.Len = past
	p.last[0] = int32(len(ids) - 1)
	if !scores {
		return p.decoder.Forward(p.graph, ids, p.cache, p.last[:], models.Hidden)
	}
	return p.graph.Want(p.decoder.Forward(p.graph, ids, p.cache, p.last[:], models.Logits))
}

func (p *causal) extend(ctx context.Context, past int, ids []int32, scores bool) ([]float32, error) {
	out := p.record(past, ids, scores)
	report, err := p.graph.Run(ctx, p.backends...)
	if err != nil {
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
	p.scores, err = p.graph.AppendResult(p.scores[:0], out)
	return p.scores, err
}

func (p *causal) ran(profile bool) outcome {
	o := p.outcome
	p.outcome, p.profiles = outcome{}, profile
	return o
}

// prepare brings the weights to the devices; the first pass would do it, too,
// but nobody would see how far it is.
func (p *causal) prepare(ctx context.Context, progress func(done, total int64)) error {
	p.record(0, []int32{0}, true)
	return p.graph.Prepare(ctx, progress, p.backends...)
}

func (p *causal) Close() error {
	return errors.Join(p.graph.Close(), p.cache.Release())
}
