// Package encoders has the families that read whole texts, one in each file, and
// what they have in common.
package encoders

import (
	"fmt"
	"slices"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
	"inglenook/weights"
)

// Load builds the encoder that config.json describes from the weights of its
// checkpoint. It reads only the tensor directory; the error names all missing
// tensors at once.
func Load(c family.Config, set *weights.Set) (Model, error) {
	d, ok := c.Design.(Design)
	if !ok {
		if c.Causal {
			return nil, fmt.Errorf("%s is a language model and cannot embed or score texts", c.Architecture)
		}
		return nil, family.Unsupported(c.Architecture, c.ModelType, nil)
	}
	if c.PicturesOnly {
		return LoadPictures(c, set)
	}
	b := nn.NewBuilder(set.Scope(), c.GGUF)
	e := d.build(c, b)
	if c.Head == family.Marks {
		e.marker = newMarker(c, b)
	}
	if m, spells := e.network.(speller); spells {
		e.guesser = newGuesser(c, b, m.table())
	}
	if err := b.Err(); err != nil {
		return nil, c.Refused(err)
	}
	e.config.Notes = slices.Concat(c.Notes, b.Notes(), c.LeftOver(set))
	return e, nil
}

// Design builds the network of an encoder. It has the fields of the config
// that only the family reads.
type Design interface {
	build(family.Config, nn.Builder) *encoder
}

// encoder does for a network what all families of encoders have in common: it
// checks the arguments, and computes the outputs that follow the last layer.
type encoder struct {
	config     family.Config
	network    nn.Network // to the hidden states [tokens, hidden], or those of first tokens [texts, hidden]
	types      int        // rows of the table of token types; 0 = none
	positions  func(ids []int32) []int32
	pooler     *pooler     // nil if the checkpoint has none
	classifier *classifier // nil if the checkpoint has none
	marker     *tokenHead  // of labels of tokens; nil if the checkpoint has none
	guesser    *tokenHead  // of words; nil if the checkpoint has none
}

// pooler makes the vector of a text of the state of one of its tokens.
type pooler struct {
	linear     *nn.Linear // [width, hidden]; nil: the state itself is the vector
	activation engine.Activation
	of         func(ids []int32) int // which token; nil: the first
}

// Forward records the vectors [texts, width] of the states [texts, hidden].
func (p *pooler) Forward(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
	if p.linear == nil {
		return x
	}
	return p.linear.Activate(g, x, p.activation)
}

// rows returns which of the rows of a batch the vectors are made of.
func (p *pooler) rows(b family.Batch) []int32 {
	rows := slices.Clone(b.Starts[:len(b.Starts)-1])
	if p.of != nil {
		for i, start := range rows {
			rows[i] += int32(p.of(b.Tokens[start:b.Starts[i+1]]))
		}
	}
	return rows
}

// classifier is a head that scores labels: out(norm(act(in(x)))), x being the state of the
// first token unless pooling says otherwise.
type classifier struct {
	in, out    nn.Linear // [hidden, hidden], [labels, hidden]
	activation engine.Activation
	norm       nn.Norm // [1, hidden]; nil = none
	pooling    headPooling
}

// headPooling is how a classifier makes one result of a text's tokens.
type headPooling uint8

const (
	ofFirst    headPooling = iota // of the first token alone
	meanBefore                    // of the mean of the states
	meanBehind                    // the mean of what each token gives
)

// Forward records the scores [texts, labels] of the states [texts, hidden] of first tokens,
// or of all states [tokens, hidden]; starts is where the texts begin.
func (c *classifier) Forward(g *engine.Graph, x *engine.Tensor, starts []int32) *engine.Tensor {
	if c.pooling == meanBefore {
		x = g.Pool(x, g.Ints("texts", starts), engine.PoolMean)
	}
	x = c.in.Activate(g, x, c.activation)
	if c.norm != nil {
		x = c.norm.Forward(g, x)
	}
	x = c.out.Forward(g, x)
	if c.pooling == meanBehind {
		x = g.Pool(x, g.Ints("texts", starts), engine.PoolMean)
	}
	return x
}

// Config implements Model.
func (e *encoder) Config() family.Config { return e.config }

// Has implements Model.
func (e *encoder) Has(out family.Output) bool {
	switch out {
	case family.Pooled:
		return e.pooler != nil
	case family.Logits:
		return e.classifier != nil
	case family.Marks:
		return e.marker != nil
	case family.Words:
		return e.guesser != nil
	}
	return true
}

// Forward implements Model.
func (e *encoder) Forward(g *engine.Graph, b family.Batch, out family.Output) *engine.Tensor {
	if !e.Has(out) {
		return g.Fail(fmt.Errorf("this checkpoint (%s) has no %s output", e.config.Architecture, out))
	}
	if err := e.check(b); err != nil {
		return g.Fail(err)
	}
	x := e.network.Forward(e.pass(g, b, out))
	switch out {
	case family.Pooled:
		return e.pooler.Forward(g, x) // [texts, width]
	case family.Logits:
		return e.classifier.Forward(g, x, b.Starts) // [texts, labels]
	case family.Marks:
		return e.marker.Forward(g, x) // [wanted, labels]
	case family.Words:
		return e.guesser.Forward(g, x) // [wanted, vocab]
	}
	return x
}

// pass begins a pass over the batch. Every output but the hidden states, and what is
// pooled from all of them, needs only one token of each text, mostly the first.
func (e *encoder) pass(g *engine.Graph, b family.Batch, out family.Output) nn.Pass {
	positions := make([]int32, 0, len(b.Tokens))
	var first []int32
	for i := range len(b.Starts) - 1 {
		positions = append(positions, e.positions(b.Tokens[b.Starts[i]:b.Starts[i+1]])...)
	}
	types := b.Types
	switch {
	case e.types == 0:
		types = nil
	case e.types == 1 || types == nil:
		types = make([]int32, len(b.Tokens))
	}
	if pools := out == family.Logits && e.classifier.pooling != ofFirst; out != family.Hidden && !pools {
		first = b.Starts[:len(b.Starts)-1]
	}
	switch out {
	case family.Pooled:
		first = e.pooler.rows(b)
	case family.Marks, family.Words:
		first = b.Wanted
	}
	return nn.NewTextsPass(g, nn.Texts{Tokens: b.Tokens, Types: types, Positions: positions, Starts: b.Starts, Wanted: first})
}

// check rejects mistakes that a person may have typed: ids and types outside
// their tables, and texts longer than the positions.
func (e *encoder) check(b family.Batch) error {
	for i, id := range b.Tokens {
		if id < 0 || int(id) >= e.config.Vocab {
			return fmt.Errorf("token id %d at position %d is outside the vocabulary of this model (0 to %d)", id, i, e.config.Vocab-1)
		}
	}
	if e.types > 1 {
		for i, typ := range b.Types {
			if typ < 0 || int(typ) >= e.types {
				return fmt.Errorf("type id %d at position %d is outside the types of this model (0 to %d)", typ, i, e.types-1)
			}
		}
	}
	for _, i := range b.Wanted {
		if i < 0 || int(i) >= len(b.Tokens) {
			return fmt.Errorf("token %d is wanted of %d tokens", i, len(b.Tokens))
		}
	}
	for i := range len(b.Starts) - 1 {
		if n := int(b.Starts[i+1] - b.Starts[i]); n > e.config.MaxTokens {
			return fmt.Errorf("a text of %d tokens is longer than the %d positions of this model", n, e.config.MaxTokens)
		}
	}
	return nil
}

// fromZero numbers the tokens of a text 0, 1, 2 …
func fromZero(ids []int32) []int32 {
	p := make([]int32, len(ids))
	for i := range p {
		p[i] = int32(i)
	}
	return p
}

// afterPad numbers the tokens pad+1, pad+2 … as fairseq does; a padding token
// within the text keeps position pad and is not counted.
func afterPad(pad int) func([]int32) []int32 {
	return func(ids []int32) []int32 {
		p, next := make([]int32, len(ids)), int32(pad)
		for i, id := range ids {
			p[i] = int32(pad)
			if id != int32(pad) {
				next++
				p[i] = next
			}
		}
		return p
	}
}

// newPooler returns BERT's pooler, nil if the checkpoint has none.
func newPooler(c family.Config, b nn.Builder, name string) *pooler {
	if !b.Has(name + ".weight") {
		return nil
	}
	l := nn.NewLinear(b, name, c.Hidden, c.Hidden)
	return &pooler{linear: &l, activation: engine.Tanh}
}

// base is the builder of the encoder's own weights under BERT's names.
func base(b nn.Builder, prefix string) nn.Builder {
	return body(b, "embeddings.word_embeddings", prefix)
}

// body is the builder of the encoder's own weights: checkpoints with a head put
// them under a prefix of the family, plain ones don't. words names the table of words.
func body(b nn.Builder, words string, prefixes ...string) nn.Builder {
	for _, prefix := range prefixes {
		if b.Has(prefix + "." + words + ".weight") {
			return b.In(prefix)
		}
	}
	return b
}
