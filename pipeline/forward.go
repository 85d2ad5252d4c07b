package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/pictures"
	"inglenook/pipeline/placement"
)

// ForwardOptions belong to OpenForward.
type ForwardOptions struct {
	WeightsFile string
	Weights     string       // of a model that writes: as in GeneratorOptions
	Available   func() int64 // as in EmbedderOptions
	Pictures    bool         // open the half that reads pictures
	Progress    func(done, total int64)
}

// Forward runs single passes on token ids, for checking numbers.
type Forward struct {
	enc     *encoder           // of a model that reads
	look    pictures.Processor // of one that reads pictures
	decoder *decoderForward    // of one that writes
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
	if s.pictures = s.pictures || o.Pictures; s.config.Causal && !s.pictures {
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
	if s.pictures {
		if f.look, err = enc.look(); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	out := enc.config.Head
	if err := enc.load(ctx, func(g *engine.Graph, b models.Batch) *engine.Tensor { return enc.model.Forward(g, b, out) }, o.Progress, false); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// ForwardInput is what a pass reads: token ids, with their types or without. A text-to-text
// model reads IDs whole and has a row for each of DecoderIDs, which begin with its start
// token.
type ForwardInput struct {
	IDs, TypeIDs, DecoderIDs []int32
	Image                    []byte // a PNG or JPEG file instead of token ids
}

// Config is the checkpoint's.
func (f *Forward) Config() models.Config {
	if f.decoder != nil {
		return f.decoder.config
	}
	return f.enc.config
}

// Run returns the named output ("hidden", "pooled", "logits"; "" is the architecture's
// usual one) for one text. A language model has a row for each id.
func (f *Forward) Run(ctx context.Context, in ForwardInput, output string) (ForwardResult, error) {
	out, err := f.output(output)
	if err != nil {
		return ForwardResult{}, err
	}
	if err := f.check(in); err != nil {
		return ForwardResult{}, err
	}
	if f.decoder != nil {
		return f.decoder.run(ctx, in, out)
	}
	batch, err := f.batch(ctx, in)
	if err != nil {
		return ForwardResult{}, err
	}
	var o placement.Outcome
	rows, err := f.enc.pass(ctx, batch,
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

// batch returns one text, or one picture.
func (f *Forward) batch(ctx context.Context, in ForwardInput) (models.Batch, error) {
	if !f.enc.pictures {
		return models.Batch{Tokens: in.IDs, Types: in.TypeIDs, Starts: []int32{0, int32(len(in.IDs))}}, nil
	}
	pixels, err := f.look.Read(ctx, in.Image)
	if ctx.Err() != nil {
		return models.Batch{}, ctx.Err()
	}
	if err != nil {
		return models.Batch{}, fmt.Errorf("the picture cannot be used: %w", err)
	}
	return models.Batch{Pixels: pixels, Starts: []int32{0, 1}}, nil
}

// check refuses inputs that the model does not read, and those that lack something.
func (f *Forward) check(in ForwardInput) error {
	c := f.Config()
	switch {
	case in.Image != nil:
		return nil
	case f.enc != nil && f.enc.pictures:
		return fmt.Errorf("%s reads pictures and no token ids; give one with --image", c.Architecture)
	case len(in.IDs) == 0:
		return errors.New("there are no token ids; give at least one")
	case in.TypeIDs != nil && len(in.TypeIDs) != len(in.IDs):
		return fmt.Errorf("there are %d type ids for %d token ids; give one for each", len(in.TypeIDs), len(in.IDs))
	case in.TypeIDs != nil && c.Causal:
		return errors.New("a model that writes has no token types; leave the type ids out")
	case in.DecoderIDs != nil && !c.TextToText:
		return fmt.Errorf("%s is no text-to-text model; leave the decoder ids out", c.Architecture)
	case len(in.DecoderIDs) == 0 && c.TextToText:
		return fmt.Errorf("%s writes an answer to the token ids; give its decoder ids, the first of which is the start token %d", c.Architecture, c.Start)
	}
	return nil
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
		return f.logits(), nil
	}
	return 0, fmt.Errorf("there is no output %q; choose hidden, pooled or logits", name)
}

// logits is what the head of the model gives: scores of labels, also of each token, or of words.
func (f *Forward) logits() models.Output {
	if f.decoder == nil && !f.enc.model.Has(models.Logits) {
		for _, out := range []models.Output{models.Marks, models.Words} {
			if f.enc.model.Has(out) {
				return out
			}
		}
	}
	return models.Logits
}

// Close frees the weights.
func (f *Forward) Close() error {
	if f.decoder != nil {
		return f.decoder.close()
	}
	return f.enc.close()
}
