package pipeline

import (
	"context"
	"fmt"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/memory"
	"inglenook/pipeline/placement"
)

// decoderForward runs the passes of a Forward whose model writes. Every pass
// has a graph and a cache of its own. The cache is F32, so that numbers can be
// compared, and as long as the text. Passes run one after the other.
type decoderForward struct {
	source
	decoder models.Decoder
	bytes   int64 // of the weights

	turn chan struct{} // holds one token: who has it may use on
	on   *placement.List
}

func openDecoderForward(ctx context.Context, s source, on *placement.List, progress func(done, total int64)) (*decoderForward, error) {
	decoder, err := models.LoadDecoder(s.config, s.set)
	if err != nil {
		return nil, err
	}
	f := &decoderForward{source: s, decoder: decoder, bytes: s.set.Bytes(), turn: make(chan struct{}, 1), on: on}
	first := models.Input{Tokens: []int32{0}}
	if s.config.TextToText {
		first.Source = []int32{0}
	}
	return f, f.record(first, models.Logits, func(g *engine.Graph, _ *engine.Tensor) error {
		return g.Prepare(ctx, progress, on.Backends...)
	})
}

// record records a pass over an input whose result has a row for each token, and hands it
// to use. If a device fails, it does both once more.
func (f *decoderForward) record(in models.Input, out models.Output, use func(*engine.Graph, *engine.Tensor) error) error {
	return f.on.Somewhere(func() error {
		cache, err := f.decoder.NewCache(engine.F32, max(len(in.Tokens), len(in.Source)))
		if err != nil {
			return err
		}
		defer cache.Release()
		g := engine.NewGraph()
		defer g.Close()
		x := g.Want(f.decoder.Forward(g, in, cache, nil, out))
		if f.on.Moved() {
			placement.ReleaseWeights(g)
			if err := f.on.Arrived(func(available int64) error { return memory.WeightsFit(f.bytes, available) }); err != nil {
				return err
			}
		}
		return use(g, x)
	})
}

func (f *decoderForward) run(ctx context.Context, in ForwardInput, out models.Output) (ForwardResult, error) {
	select {
	case f.turn <- struct{}{}:
		defer func() { <-f.turn }()
	case <-ctx.Done():
		return ForwardResult{}, ctx.Err()
	}
	pass := models.Input{Tokens: in.IDs}
	if f.config.TextToText {
		pass = models.Input{Tokens: in.DecoderIDs, Source: in.IDs}
	}
	var r ForwardResult
	err := f.record(pass, out, func(g *engine.Graph, x *engine.Tensor) (err error) {
		report, err := g.Run(ctx, f.on.Backends...)
		if err != nil {
			return err
		}
		if r.Data, err = g.Result(x); err != nil {
			return err
		}
		var peak float32 // outputs of different kinds have nothing to do with each other
		if err := f.on.Doubt(r.Data, x.Cols, &peak); err != nil {
			return err
		}
		f.on.Settle(r.Data, x.Cols, peak)
		for row := range x.Rows {
			if !placement.Finite(r.Data[row*x.Cols : (row+1)*x.Cols]) {
				return notFinite(fmt.Sprintf(" for token %d", row+1))
			}
		}
		var on placement.Outcome
		on.Saw(report)
		r.Rows, r.Cols, r.Device, r.Fallbacks = x.Rows, x.Cols, on.Device(), on.Fallbacks
		return nil
	})
	if err != nil {
		return ForwardResult{}, err
	}
	r.Notices = f.on.Notices()
	if most, n := f.config.MaxTokens, len(in.IDs)+len(in.DecoderIDs); n > most && most > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("there are %d token ids, more than this model's context of %d; results beyond it mean little", n, most))
	}
	return r, nil
}
