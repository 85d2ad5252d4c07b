package decoders

import (
	"errors"
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// NewReader returns a model that reads texts with a decoder, as embedders such as
// Qwen3-Embedding do: its output is the hidden states after the last norm. Each
// pass reads one text, from the first token on, so the passes of a reader must
// not overlap. Close frees what its last pass holds.
func NewReader(d Decoder) *Reader { return &Reader{decoder: d} }

// Reader is a decoder that reads.
type Reader struct {
	decoder Decoder
	cache   *Cache // of the last pass
}

// Config implements Model.
func (r *Reader) Config() family.Config {
	c := r.decoder.Config()
	c.Head = family.Hidden
	return c
}

// Has implements Model.
func (r *Reader) Has(out family.Output) bool { return out == family.Hidden }

// Forward implements Model, for one text.
func (r *Reader) Forward(g *engine.Graph, b family.Batch, out family.Output) *engine.Tensor {
	switch {
	case out == family.First:
		return r.read(g, b, []int32{0}, family.Hidden)
	case out != family.Hidden:
		return g.Fail(fmt.Errorf("this checkpoint (%s) has no %s output", r.decoder.Config().Architecture, out))
	}
	return r.read(g, b, nil, family.Hidden)
}

// Last records a pass over one text for its last token alone: what follows it, Logits
// [1, vocab], or its state after the last norm, Hidden [1, hidden].
func (r *Reader) Last(g *engine.Graph, b family.Batch, out family.Output) *engine.Tensor {
	return r.read(g, b, []int32{int32(len(b.Tokens)) - 1}, out)
}

// read records a pass over one text, with a cache of its own.
func (r *Reader) read(g *engine.Graph, b family.Batch, wanted []int32, out family.Output) *engine.Tensor {
	if len(b.Starts) != 2 {
		return g.Fail(fmt.Errorf("a pass of a language model reads one text, not %d", len(b.Starts)-1))
	}
	if err := r.Close(); err != nil {
		return g.Fail(err)
	}
	var err error
	if r.cache, err = r.decoder.NewCache(engine.F32, len(b.Tokens)); err != nil {
		return g.Fail(err)
	}
	return r.decoder.Forward(g, nn.Input{Tokens: b.Tokens}, r.cache, wanted, out)
}

// Close frees the keys and values of the last pass.
func (r *Reader) Close() error {
	if r.cache == nil {
		return nil
	}
	err := r.cache.Release()
	r.cache = nil
	if err != nil {
		return errors.Join(errors.New("the memory of a text that was read cannot be freed"), err)
	}
	return nil
}
