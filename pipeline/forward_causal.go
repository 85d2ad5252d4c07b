package pipeline

import (
	"context"
	"fmt"

	"inglenook/engine"
	"inglenook/models"
)

// causalForward is what a Forward does with a model that writes. Every pass has
// a graph and a cache of its own: in F32, so that numbers can be compared, and
// as long as the text.
type causalForward struct {
	source
	decoder  models.Decoder
	backends []engine.Backend
}

func openCausalForward(ctx context.Context, s source, bs []engine.Backend, progress func(done, total int64)) (*causalForward, error) {
	decoder, err := models.LoadDecoder(s.config, s.set)
	if err != nil {
		return nil, err
	}
	f := &causalForward{s, decoder, bs}
	return f, f.record([]int32{0}, models.Logits, func(g *engine.Graph, _ *engine.Tensor) error {
		return g.Prepare(ctx, progress, bs...)
	})
}

// record records a pass over ids whose result has a row for each, and hands it
// to use.
func (f *causalForward) record(ids []int32, out models.Output, use func(*engine.Graph, *engine.Tensor) error) error {
	cache, err := f.decoder.NewCache(engine.F32, len(ids))
	if err != nil {
		return err
	}
	defer cache.Release()
	g := engine.NewGraph()
	defer g.Close()
	return use(g, g.Want(f.decoder.Forward(g, ids, cache, nil, out)))
}

func (f *causalForward) run(ctx context.Context, ids []int32, out models.Output) (ForwardResult, error) {
	var r ForwardResult
	err := f.record(ids, out, func(g *engine.Graph, x *engine.Tensor) error {
		report, err := g.Run(ctx, f.backends...)
		if err != nil {
			return err
		}
		if r.Data, err = g.Result(x); err != nil {
			return err
		}
		for row := range x.Rows {
			if !finite(r.Data[row*x.Cols : (row+1)*x.Cols]) {
				return notFinite(fmt.Sprintf(" for token %d", row+1))
			}
		}
		var on outcome
		on.saw(report)
		r.Rows, r.Cols, r.Device, r.Fallbacks = x.Rows, x.Cols, on.device(), on.fallbacks
		return nil
	})
	if err != nil {
		return ForwardResult{}, err
	}
	return r, nil
}
