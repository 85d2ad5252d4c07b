package decoding

import (
	"context"
	"errors"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/placement"
)

// Decoder is the predictor that runs a decoder on the backends.
type Decoder struct {
	Chunk int             // most tokens of a pass
	List  *placement.List // where passes run
	Graph *engine.Graph   // of the pass that was recorded last

	model    models.Decoder
	cache    *models.Cache   // of the first sequence
	others   []*models.Cache // of further ones, see Group
	epoch    int             // counts how often all that was read was lost
	source   int             // of a text-to-text model: how many of the first ids are the text that it answers
	context  int             // tokens that the cache holds
	values   []float32       // of the last pass: scores [rows, vocab], or a hidden state
	wanted   []int32         // the rows that are wanted, the last ones of the pass
	outcome  placement.Outcome
	profiles bool
	ahead    *Ahead // the model's head that guesses; nil: nobody has asked for it
	widened  bool   // the cache, since the last scores, because they were not finite

	peak, hiddenPeak float32 // the largest magnitudes so far, of scores and hidden states
}

// NewDecoder makes a predictor whose cache is of type kv.
func NewDecoder(d models.Decoder, kv engine.DType, context, chunk int, on *placement.List) (*Decoder, error) {
	cache, err := d.NewCache(kv, context)
	if err != nil {
		return nil, err
	}
	if d.Config().TextToText {
		chunk = context // it reads a text whole
	}
	return &Decoder{model: d, cache: cache, context: context, Chunk: chunk, List: on, Graph: engine.NewGraph()}, nil
}

// Record records a pass over ids that ends with the scores after so many of the last
// ones. Without any it ends with the hidden state of the last row. It leaves out the
// head, which is a large part of a small model. Only the check for odd numbers reads
// that state.
func (d *Decoder) Record(past int, ids []int32, scores int) *engine.Tensor {
	return d.record(past, ids, scores, nil)
}

// record is Record of a pass of which a head that guesses wants something.
func (d *Decoder) record(past int, ids []int32, scores int, ahead *models.Ahead) *engine.Tensor {
	d.Graph.Reset()
	in := d.input(past, ids)
	in.Ahead = ahead
	d.wanted = d.wanted[:0]
	for row := len(in.Tokens) - max(scores, 1); row < len(in.Tokens); row++ {
		d.wanted = append(d.wanted, int32(row))
	}
	out := models.Hidden
	if scores > 0 {
		out = models.Logits
	}
	result := d.Graph.Want(d.model.Forward(d.Graph, in, d.cache, d.wanted, out))
	if ahead != nil && d.Graph.Err() == nil {
		d.Graph.Want(ahead.States)
	}
	return result
}

// Extend implements Predictor.
func (d *Decoder) Extend(ctx context.Context, past int, ids []int32, scores int) ([]float32, error) {
	if err := d.arrive(past); err != nil {
		return nil, err
	}
	ahead := d.ahead.wants(past, ids)
	if err := d.run(ctx, d.record(past, ids, scores, ahead), scores > 0); err != nil {
		return nil, err
	}
	if ahead != nil {
		if err := d.ahead.saw(ahead, ids); err != nil {
			return nil, err
		}
	}
	d.cache.Advance()
	if scores == 0 {
		return nil, nil
	}
	return d.values, nil
}

// arrive moves the model where a device has left. What was read of past tokens is lost then.
func (d *Decoder) arrive(past int) error {
	if !d.List.Moved() {
		return nil
	}
	if err := d.settle(); err != nil {
		return err
	}
	if past > 0 {
		return errForgotten
	}
	return nil
}

// run runs the pass that was recorded, and checks its values.
func (d *Decoder) run(ctx context.Context, out *engine.Tensor, scores bool) error {
	report, err := d.Graph.Run(ctx, d.List.Backends...)
	if err != nil {
		return err
	}
	if d.values, err = d.Graph.AppendResult(d.values[:0], out); err != nil {
		return err
	}
	if err := d.judge(scores); err != nil {
		return err
	}
	if d.profiles {
		d.outcome.Add(report, d.Graph.Ops())
	} else {
		d.outcome.Saw(report)
	}
	return nil
}

// Resume implements Resumer.
func (d *Decoder) Resume(n int) int {
	if n < d.source {
		return 0
	}
	return d.cache.Reach(n)
}

// Recurrent implements Resumer.
func (d *Decoder) Recurrent() bool { return d.cache.Recurrent() }

// Steady implements Steady.
func (d *Decoder) Steady(n int) bool {
	if len(d.List.Backends) != 1 {
		return false
	}
	b, ok := d.List.Backends[0].(engine.Steady)
	if !ok {
		return false
	}
	for _, op := range d.Graph.Ops() {
		if !b.Steady(op, n) {
			return false
		}
	}
	return true
}

// Ran implements Predictor.
func (d *Decoder) Ran(profile bool) placement.Outcome {
	o := d.outcome
	d.outcome, d.profiles = placement.Outcome{}, profile
	return o
}

// Close frees the graph and the caches.
func (d *Decoder) Close() error {
	errs := []error{d.Graph.Close(), d.release()}
	if d.ahead != nil {
		errs = append(errs, d.ahead.Close())
	}
	return errors.Join(errs...)
}

// release empties all caches.
func (d *Decoder) release() error {
	d.epoch++
	errs := []error{d.cache.Release(), d.ahead.release()}
	for _, c := range d.others {
		errs = append(errs, c.Release())
	}
	return errors.Join(errs...)
}
