package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/placement"
)

// ForwardOptions belong to OpenForward.
type ForwardOptions struct {
	WeightsFile string
	Weights     string       // of a model that writes: as in GeneratorOptions
	Available   func() int64 // as in EmbedderOptions
	Progress    func(done, total int64)
}

// Forward runs single passes on token ids, for checking numbers.
type Forward struct {
	enc     *encoder        // of a model that reads
	decoder *decoderForward // of one that writes
}

// ForwardResult is the result [Rows, Cols] of one pass, row-major.
type ForwardResult struct {
	Rows, Cols int
	Data       []float32
	Device     string
	Fallbacks  []engine.Fallback
	Notices    []string // as in Embeddings
	Notes      []string // sentences for a person about the numbers
}

// OpenForward opens a checkpoint without its tokenizer.
func OpenForward(ctx context.Context, checkpoint fs.FS, bs []engine.Backend, o ForwardOptions) (*Forward, error) {
	quantize, err := weightType(o.Weights)
	if err != nil {
		return nil, err
	}
	s, err := openSource(checkpoint, o.WeightsFile, quantize)
	if err != nil {
		return nil, err
	}
	on := placement.NewList(bs, o.Available)
	if s.config.Causal {
		c, err := openDecoderForward(ctx, s, on, o.Progress)
		if err != nil {
			return nil, errors.Join(err, s.close())
		}
		return &Forward{decoder: c}, nil
	}
	enc, err := newEncoder(s, on, 0)
	if err != nil {
		return nil, err
	}
	f := &Forward{enc: enc}
	out := enc.config.Head
	if err := enc.load(ctx, func(g *engine.Graph, b models.Batch) *engine.Tensor { return enc.model.Forward(g, b, out) }, o.Progress, false); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Config is the checkpoint's.
func (f *Forward) Config() models.Config {
	if f.decoder != nil {
		return f.decoder.config
	}
	return f.enc.config
}

// Run returns the named output ("hidden", "pooled", "logits"; "" is the architecture's
// usual one) for one text's ids; typeIDs may be nil. A language model has a row for each
// id.
func (f *Forward) Run(ctx context.Context, ids, typeIDs []int32, output string) (ForwardResult, error) {
	out, err := f.output(output)
	if err != nil {
		return ForwardResult{}, err
	}
	if len(ids) == 0 {
		return ForwardResult{}, errors.New("there are no token ids; give at least one")
	}
	if typeIDs != nil && len(typeIDs) != len(ids) {
		return ForwardResult{}, fmt.Errorf("there are %d type ids for %d token ids; give one for each", len(typeIDs), len(ids))
	}
	if f.decoder != nil {
		if typeIDs != nil {
			return ForwardResult{}, errors.New("a model that writes has no token types; leave the type ids out")
		}
		return f.decoder.run(ctx, ids, out)
	}
	var o placement.Outcome
	rows, err := f.enc.pass(ctx, models.Batch{Tokens: ids, Types: typeIDs, Starts: []int32{0, int32(len(ids))}},
		func(g *engine.Graph, b models.Batch) *engine.Tensor { return f.enc.model.Forward(g, b, out) }, &o)
	if err != nil {
		return ForwardResult{}, err
	}
	r := ForwardResult{Rows: len(rows), Cols: len(rows[0]), Device: o.Device(), Fallbacks: o.Fallbacks, Notices: f.enc.notices()}
	for _, row := range rows {
		if !placement.Finite(row) {
			return ForwardResult{}, notFinite("")
		}
		r.Data = append(r.Data, row...)
	}
	return r, nil
}

func (f *Forward) output(name string) (models.Output, error) {
	switch name {
	case "":
		return f.Config().Head, nil
	case "hidden":
		return models.Hidden, nil
	case "pooled":
		return models.Pooled, nil
	case "logits":
		return models.Logits, nil
	}
	return 0, fmt.Errorf("there is no output %q; choose hidden, pooled or logits", name)
}

// Close frees the weights.
func (f *Forward) Close() error {
	if f.decoder != nil {
		return f.decoder.close()
	}
	return f.enc.close()
}
