package models

import (
	"fmt"
	"math"

	"inglenook/engine"
	"inglenook/weights"
)

// Limits of sizes in config.json: several times those of any published model
// of these families, and small enough that no product of two overflows.
const (
	maxVocab     = 1 << 24
	maxHidden    = 1 << 16
	maxLayers    = 1 << 10
	maxPositions = 1 << 24
)

// linear is a fully connected layer.
type linear struct {
	w *engine.Tensor // [out, in]
	b *engine.Tensor // [1, out]
}

func newLinear(s *weights.Scope, name string, out, in int) linear {
	return linear{s.Matrix(name+".weight", out, in), s.Vector(name+".bias", out)}
}

func (l linear) forward(g *engine.Graph, x *engine.Tensor, act engine.Activation) *engine.Tensor {
	return g.Linear(x, l.w, l.b, act)
}

// norm is a layer normalization.
type norm struct {
	w, b    *engine.Tensor // [1, hidden]
	epsilon float32
}

func newNorm(s *weights.Scope, name string, hidden int, epsilon float32) norm {
	return norm{s.Vector(name+".weight", hidden), s.Vector(name+".bias", hidden), epsilon}
}

// forward normalizes x + residual; residual may be nil.
func (n norm) forward(g *engine.Graph, x, residual *engine.Tensor) *engine.Tensor {
	return g.LayerNorm(x, residual, n.w, n.b, n.epsilon)
}

// layer is one post-norm transformer layer (Vaswani et al. 2017), the block
// that BERT, DistilBERT, RoBERTa and MPNet share.
type layer struct {
	query, key, value, out linear
	attentionNorm          norm
	up, down               linear
	outputNorm             norm
}

// layerNames are one family's names for the parts of a layer.
type layerNames struct {
	query, key, value, out, attentionNorm, up, down, outputNorm string
}

func newLayer(s *weights.Scope, c Config, n layerNames) layer {
	d := c.Hidden
	return layer{
		query: newLinear(s, n.query, d, d), key: newLinear(s, n.key, d, d), value: newLinear(s, n.value, d, d),
		out: newLinear(s, n.out, d, d), attentionNorm: newNorm(s, n.attentionNorm, d, c.Epsilon),
		up: newLinear(s, n.up, c.Intermediate, d), down: newLinear(s, n.down, d, c.Intermediate),
		outputNorm: newNorm(s, n.outputNorm, d, c.Epsilon),
	}
}

// encoder is a bidirectional transformer with an optional pooler and an
// optional classification head.
type encoder struct {
	config          Config
	word, pos, typ  *engine.Tensor // [vocab, hidden], [positions, hidden], [types, hidden] or nil
	embeddingNorm   norm
	layers          []layer
	relative        *engine.Tensor // [buckets, heads] or nil
	maxDistance     int
	positions       func(ids []int32) []int32 // of one text's tokens
	pooler          *linear
	headIn, headOut *linear // classification: headOut(act(headIn(first token)))
	headAct         engine.Activation
}

// newEncoder builds what every family has: word and position vectors with
// their norm, and the layers, numbered under the given name.
func newEncoder(s *weights.Scope, c Config, layers string, n layerNames) *encoder {
	em := s.In("embeddings")
	e := &encoder{
		config:        c,
		word:          em.Matrix("word_embeddings.weight", c.Vocab, c.Hidden),
		pos:           em.Matrix("position_embeddings.weight", c.Positions, c.Hidden),
		embeddingNorm: newNorm(em, "LayerNorm", c.Hidden, c.Epsilon),
	}
	for i := range c.Layers {
		e.layers = append(e.layers, newLayer(s.In(fmt.Sprintf("%s.%d", layers, i)), c, n))
	}
	return e
}

// Config implements Model.
func (e *encoder) Config() Config { return e.config }

// Has implements Model.
func (e *encoder) Has(out Output) bool {
	switch out {
	case Pooled:
		return e.pooler != nil
	case Logits:
		return e.headOut != nil
	}
	return true
}

// Forward implements Model.
func (e *encoder) Forward(g *engine.Graph, b Batch, out Output) *engine.Tensor {
	if !e.Has(out) {
		return g.Fail(fmt.Errorf("this checkpoint (%s) has no %s output", e.config.Architecture, out))
	}
	starts := g.Ints("starts", b.Starts)
	x := e.embed(g, b) // [tokens, hidden]
	var first *engine.Tensor
	if out != Hidden {
		first = g.Ints("first tokens", b.Starts[:len(b.Starts)-1])
	}
	for i, l := range e.layers {
		var wanted *engine.Tensor
		if i == len(e.layers)-1 {
			wanted = first // nothing reads the other rows of the last layer
		}
		x = e.layer(g, l, x, starts, wanted)
	}
	switch out {
	case Pooled:
		return e.pooler.forward(g, x, engine.Tanh) // [texts, hidden]
	case Logits:
		return e.headOut.forward(g, e.headIn.forward(g, x, e.headAct), engine.None) // [texts, labels]
	}
	return x
}

// embed sums the word, position and type vectors and normalizes: [tokens, hidden].
func (e *encoder) embed(g *engine.Graph, b Batch) *engine.Tensor {
	if err := e.check(b); err != nil {
		return g.Fail(err)
	}
	positions := make([]int32, 0, len(b.Tokens))
	for i := range len(b.Starts) - 1 {
		positions = append(positions, e.positions(b.Tokens[b.Starts[i]:b.Starts[i+1]])...)
	}
	x := g.Add(g.Embed(e.word, g.Ints("tokens", b.Tokens)), g.Embed(e.pos, g.Ints("positions", positions)))
	if e.typ != nil {
		types := b.Types
		if types == nil || e.typ.Rows == 1 {
			types = make([]int32, len(b.Tokens))
		}
		x = g.Add(x, g.Embed(e.typ, g.Ints("types", types)))
	}
	return e.embeddingNorm.forward(g, x, nil)
}

// check refuses what a person may have typed wrong: ids and types outside
// their tables, texts longer than the positions.
func (e *encoder) check(b Batch) error {
	for i, id := range b.Tokens {
		if id < 0 || int(id) >= e.config.Vocab {
			return fmt.Errorf("token id %d at position %d is outside the vocabulary of this model (0 to %d)", id, i, e.config.Vocab-1)
		}
	}
	if e.typ != nil && e.typ.Rows > 1 {
		for i, typ := range b.Types {
			if typ < 0 || int(typ) >= e.typ.Rows {
				return fmt.Errorf("type id %d at position %d is outside the types of this model (0 to %d)", typ, i, e.typ.Rows-1)
			}
		}
	}
	for i := range len(b.Starts) - 1 {
		if n := int(b.Starts[i+1] - b.Starts[i]); n > e.config.MaxTokens {
			return fmt.Errorf("a text of %d tokens is longer than the %d positions of this model", n, e.config.MaxTokens)
		}
	}
	return nil
}

// layer records one layer; with wanted only those rows leave it.
func (e *encoder) layer(g *engine.Graph, l layer, x, starts, wanted *engine.Tensor) *engine.Tensor {
	q := l.query.forward(g, x, engine.None)
	k := l.key.forward(g, x, engine.None)
	v := l.value.forward(g, x, engine.None)
	h := g.Attention(q, k, v, starts, e.relative, engine.AttentionParams{
		Heads:       e.config.Heads,
		Scale:       float32(1 / math.Sqrt(float64(e.config.Hidden/e.config.Heads))),
		MaxDistance: e.maxDistance,
	})
	if wanted != nil {
		h, x = g.Rows(h, wanted), g.Rows(x, wanted)
	}
	x = l.attentionNorm.forward(g, l.out.forward(g, h, engine.None), x)
	h = l.down.forward(g, l.up.forward(g, x, e.config.Activation), engine.None)
	return l.outputNorm.forward(g, h, x)
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

// optionalPooler is the dense layer of a pooler where the checkpoint has one.
func optionalPooler(s *weights.Scope, hidden int) *linear {
	if !s.Has("pooler.dense.weight") {
		return nil
	}
	l := newLinear(s, "pooler.dense", hidden, hidden)
	return &l
}

// base is the scope of the encoder's own weights: checkpoints with a head put
// them under the family's prefix, plain ones don't.
func base(s *weights.Scope, prefix string) *weights.Scope {
	if s.Has(prefix + ".embeddings.word_embeddings.weight") {
		return s.In(prefix)
	}
	return s
}
