// Package decoders has the families that read from left to right and write, one in
// each file, and what they have in common.
package decoders

import (
	"errors"
	"fmt"
	"slices"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
	"inglenook/weights"
)

// Decoder records passes of one language model that reads from left to right.
// It is safe for use by several goroutines, each with its own graph and cache.
type Decoder interface {
	Config() family.Config
	// NewCache makes a cache for so many tokens, in F32, F16 or Q8_0. It holds
	// memory from the first pass that uses it until Release.
	NewCache(d engine.DType, tokens int) (*Cache, error)
	// Forward records a pass over an input that continues what c holds; one with a
	// source begins anew. The result has a row for each of wanted, which are indexes
	// into the tokens (nil: all):
	// Logits [wanted, vocab] or Hidden [wanted, hidden], the state after the
	// last norm. The last layer computes only these rows after its attention.
	// Errors (an id outside the vocabulary, a full cache) are recorded in the
	// graph.
	Forward(g *engine.Graph, in nn.Input, c *Cache, wanted []int32, out family.Output) *engine.Tensor
	// Together records a pass over several sequences, each of which continues what its own
	// cache holds. The rows of the result are those of Forward for each sequence. It refuses
	// what can only be read alone, see Alone.
	Together(g *engine.Graph, parts []nn.Part, wanted []int32, out family.Output) *engine.Tensor
	// Alone reports whether a pass reads one sequence only, because layers keep states of
	// it, or because it answers a text that was read whole.
	Alone() bool
}

// Cache holds a model's keys and values of the tokens seen so far.
type Cache = nn.Cache

// Load builds the decoder that config.json or the metadata of a GGUF file
// describes. It reads only the tensor directory; the error names all missing
// tensors at once.
func Load(c family.Config, set *weights.Set) (Decoder, error) {
	d, ok := c.Design.(Design)
	if !ok {
		return nil, fmt.Errorf("%s is an encoder and cannot write text", c.Architecture)
	}
	if c.GGUF {
		var err error
		if c, err = c.FromTensors(set); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Architecture, err)
		}
	}
	b := nn.NewBuilder(set.Scope(), c.GGUF)
	n, err := d.build(c, b)
	if err == nil {
		err = b.Err()
	}
	if err != nil {
		return nil, c.Refused(err)
	}
	m := &decoder{config: c, network: n, parts: b}
	g, why := withHead(m, d, set)
	m.config.Notes = slices.Concat(c.Notes, b.Notes(), why, c.LeftOver(set))
	if g != nil {
		return g, nil
	}
	return m, nil
}

// Design builds the network of a decoder. It has the fields of the config
// that only the family reads.
type Design interface {
	build(family.Config, nn.Builder) (nn.Network, error)
}

// decoder does for a network what all families have in common: it checks the
// arguments and makes caches.
type decoder struct {
	config  family.Config
	network nn.Network
	parts   nn.Builder // knows what the network's layers cache
}

// Config implements Decoder.
func (m *decoder) Config() family.Config { return m.config }

// NewCache implements Decoder.
func (m *decoder) NewCache(d engine.DType, tokens int) (*Cache, error) {
	switch c := m.config; {
	case tokens < 1 || tokens > family.MaxPositions:
		return nil, fmt.Errorf("a context of %d tokens is not possible; choose 1 to %d", tokens, family.MaxPositions)
	case c.Positions > 0 && tokens > c.Positions:
		return nil, fmt.Errorf("a context of %d tokens is longer than the %d positions of this model", tokens, c.Positions)
	case !slices.Contains(engine.CacheTypes(), d):
		return nil, fmt.Errorf("the cache cannot be of type %s; choose one of %v", d, engine.CacheTypes())
	}
	return m.parts.NewCache(d, tokens)
}

// Forward implements Decoder.
func (m *decoder) Forward(g *engine.Graph, in nn.Input, c *Cache, wanted []int32, out family.Output) *engine.Tensor {
	if err := m.check(in, c, wanted, out); err != nil {
		return g.Fail(err)
	}
	return m.network.Forward(nn.NewPass(g, in, c, wanted, out == family.Hidden))
}

// Alone implements Decoder.
func (m *decoder) Alone() bool { return m.config.TextToText || m.parts.KeepsStates() }

// Together implements Decoder.
func (m *decoder) Together(g *engine.Graph, parts []nn.Part, wanted []int32, out family.Output) *engine.Tensor {
	if len(parts) == 0 {
		return g.Fail(errors.New("there are no sequences to read"))
	}
	if m.Alone() {
		return g.Fail(fmt.Errorf("%s reads one sequence at a time", m.config.Architecture))
	}
	for i, s := range parts {
		if err := m.check(nn.Input{Tokens: s.Tokens}, s.Cache, wanted, out); err != nil {
			return g.Fail(err)
		}
		if s.Cache.Capacity != parts[0].Cache.Capacity || slices.ContainsFunc(parts[:i], func(o nn.Part) bool { return o.Cache == s.Cache }) {
			return g.Fail(errors.New("sequences of a pass need caches of their own, all of one size"))
		}
	}
	return m.network.Forward(nn.NewTogether(g, parts, wanted, out == family.Hidden))
}

// check rejects mistakes that a person may have typed, and passes that do not
// fit into the cache.
func (m *decoder) check(in nn.Input, c *Cache, wanted []int32, out family.Output) error {
	tokens := in.Tokens
	switch {
	case out != family.Logits && out != family.Hidden:
		return fmt.Errorf("%s computes logits or hidden states, not the output %q", m.config.Architecture, out)
	case len(tokens) == 0:
		return errors.New("there are no tokens to read")
	case wanted != nil && len(wanted) == 0:
		return errors.New("no rows are wanted")
	case !m.parts.Fits(c):
		return errors.New("the cache was made for another model")
	case c.Len < 0 || c.Len > c.Capacity || len(tokens) > c.Capacity-c.Len:
		return fmt.Errorf("%d tokens after %d do not fit into a context of %d tokens", len(tokens), c.Len, c.Capacity)
	}
	if err := m.checkSource(in.Source, c); err != nil {
		return err
	}
	if err := m.checkIDs(in.Source, 0); err != nil {
		return err
	}
	return m.checkIDs(tokens, c.Len)
}

// checkSource refuses a source that the model does not read, and a pass without one that it
// needs.
func (m *decoder) checkSource(source []int32, c *Cache) error {
	switch {
	case !m.config.TextToText && source != nil:
		return fmt.Errorf("%s continues a text and answers no other one", m.config.Architecture)
	case !m.config.TextToText:
	case source == nil && c.Source == 0, source != nil && len(source) == 0:
		return errors.New("there is no text to answer")
	case source != nil && c.Len > 0:
		return fmt.Errorf("a text to answer comes first, not after %d tokens", c.Len)
	case len(source) > c.Capacity || c.Source > c.Capacity:
		return fmt.Errorf("a text of %d tokens does not fit into a context of %d tokens", max(len(source), c.Source), c.Capacity)
	}
	return nil
}

// checkIDs refuses ids outside the vocabulary; the first is at a position.
func (m *decoder) checkIDs(ids []int32, position int) error {
	for i, id := range ids {
		if id < 0 || int(id) >= m.config.Vocab {
			return fmt.Errorf("token id %d at position %d is outside the vocabulary of this model (0 to %d)", id, position+i, m.config.Vocab-1)
		}
	}
	return nil
}

// headsOf returns how layer i of a decoder attends.
func headsOf(c family.Config, i int) nn.Heads {
	return nn.Heads{Count: c.Heads, KV: c.KVHeads, Size: c.HeadSize, Scale: c.ScoreScale, Window: c.Span[i].Window, Rope: c.Span[i].Rope}
}

// body returns the builder of a decoder's own weights. Checkpoints without a head
// may lack the prefix, and those that hold more than a language model have a
// longer one.
func body(b nn.Builder, prefix, words string) nn.Builder {
	for _, p := range []string{prefix, prefix + ".language_model", "language_model." + prefix, "", "language_model"} {
		if at := b.In(p); at.Has(words + ".weight") {
			return at
		}
	}
	return b.In(prefix)
}

// wordsAndHead returns the table of word vectors from at, and the head from b.
// Stored weights take precedence over config.json, as in the reference library:
// a stored head is used even if config.json ties it to the word vectors, and if
// the word vectors are not stored, a tied head serves as both. A GGUF file ties
// them by storing no head; for a GGUF file that is only assumed, config.json
// decides. A stored head that is a copy of the word vectors is not kept a second time.
func wordsAndHead(c family.Config, b, at nn.Builder, words, head string) (nn.Embedding, nn.Linear) {
	if part := b.In("language_model"); part.Has(head + ".weight") {
		b = part
	}
	tied := c.Tied || c.GGUF && at.Has(words+".weight")
	switch {
	case tied && !b.Has(head+".weight"):
		e := nn.NewEmbedding(at, words, c.Vocab, c.Hidden)
		return e, nn.Linear{W: e.Table}
	case c.Tied && !at.Has(words+".weight"):
		l := nn.NewProjection(b, head, c.Vocab, c.Hidden, false)
		return nn.Embedding{Table: l.W}, l
	case b.Copies(head+".weight", at.Scope, words+".weight"):
		e := nn.NewEmbedding(at, words, c.Vocab, c.Hidden)
		return e, nn.Linear{W: e.Table}
	case c.Tied && !c.GGUF:
		b.Note("config.json says that the output layer is the table of word vectors (tie_word_embeddings), but the checkpoint stores one of its own (" + head + "): the stored one is used")
	}
	return nn.NewEmbedding(at, words, c.Vocab, c.Hidden), nn.NewProjection(b, head, c.Vocab, c.Hidden, false)
}
