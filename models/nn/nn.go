// Package nn holds the building blocks of networks: linear layers, norms,
// attention, feed-forward parts and rotary positions. A block takes its weights
// by name from a Builder and records its operations in a graph; it computes
// nothing itself and knows no config.json. Package models arranges blocks into
// networks. Shapes in comments are [rows, columns].
package nn

import (
	"inglenook/engine"
	"inglenook/weights"
)

// Builder returns the weights of a network by their names below a prefix, and
// collects the cache slots of its layers.
type Builder struct {
	*weights.Scope
	GGUF bool // the weights come from a GGUF file, which stores a bias only where there is one
	log  *log
}

// log is what accumulates while a network is built.
type log struct {
	slots []slot   // in a cache
	kept  []int    // columns of the states of recurrent layers
	notes []string // sentences for the user
}

// NewBuilder returns a builder without a prefix.
func NewBuilder(s *weights.Scope, gguf bool) Builder {
	return Builder{Scope: s, GGUF: gguf, log: &log{}}
}

// In returns the builder for the names below prefix.
func (b Builder) In(prefix string) Builder {
	b.Scope = b.Scope.In(prefix)
	return b
}

// Note adds a sentence for the user about the weights.
func (b Builder) Note(sentence string) { b.log.notes = append(b.log.notes, sentence) }

// Notes returns the sentences so far.
func (b Builder) Notes() []string { return b.log.notes }

// Linear is a fully connected layer.
type Linear struct {
	W *engine.Tensor // [out, in]
	B *engine.Tensor // [1, out], or nil
}

// NewLinear takes a linear layer with a bias.
func NewLinear(b Builder, name string, out, in int) Linear {
	return Linear{b.Matrix(name+".weight", out, in), b.Vector(name+".bias", out)}
}

// NewProjection takes a linear layer with or without a bias. For a GGUF file,
// the stored tensors decide.
func NewProjection(b Builder, name string, out, in int, bias bool) Linear {
	if b.GGUF {
		bias = b.Has(name + ".bias")
	}
	if bias {
		return NewLinear(b, name, out, in)
	}
	return Linear{W: b.Matrix(name+".weight", out, in)}
}

// NewPairs takes the projection to some heads of queries or of keys in whose rows the
// columns that turn together are neighbours (0 and 1, 2 and 3 …). Its columns come in
// the order of RoPE, in which they are half of what turns apart.
func NewPairs(b Builder, name string, h Heads, heads, in int, bias bool) Linear {
	if h.Rope == nil {
		return NewProjection(b, name, heads*h.Size, in, bias)
	}
	if b.GGUF {
		bias = b.Has(name + ".bias")
	}
	turning := 2 * h.Rope.Pairs()
	l := Linear{W: b.Paired(name+".weight", heads*h.Size, in, h.Size, turning)}
	if bias {
		l.B = b.Paired(name+".bias", 1, heads*h.Size, h.Size, turning)
	}
	return l
}

// NewRows takes ranges of rows, each [from, to), of a stored linear layer [out, in] with or
// without a bias. For a GGUF file, the stored tensors decide.
func NewRows(b Builder, name string, out, in int, bias bool, rows ...[2]int) Linear {
	if b.GGUF {
		bias = b.Has(name + ".bias")
	}
	l := Linear{W: b.Rows(name+".weight", out, in, rows...)}
	if bias {
		l.B = b.VectorPart(name+".bias", out, rows...)
	}
	return l
}

// Forward records x·Wᵀ + b: [n, in] to [n, out].
func (l Linear) Forward(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
	return g.Linear(x, l.W, l.B, engine.None)
}

// Activate records Forward and the activation of its result.
func (l Linear) Activate(g *engine.Graph, x *engine.Tensor, act engine.Activation) *engine.Tensor {
	return g.Linear(x, l.W, l.B, act)
}

// Embedding is a table of vectors, one for each id.
type Embedding struct {
	Table *engine.Tensor // [ids, hidden]
}

// NewEmbedding takes a table of vectors.
func NewEmbedding(b Builder, name string, ids, hidden int) Embedding {
	return Embedding{b.Matrix(name+".weight", ids, hidden)}
}

// NewParts takes a table whose rows [parts·hidden] hold several vectors, as a
// table of one vector a row: part i of id n is its row n·parts+i.
func NewParts(b Builder, name string, ids, parts, hidden int) Embedding {
	return Embedding{b.Folded(name+".weight", ids, parts*hidden, parts)}
}

// Forward looks up the vectors of ids: [n, 1] to [n, hidden].
func (e Embedding) Forward(g *engine.Graph, ids *engine.Tensor) *engine.Tensor {
	return g.Embed(e.Table, ids)
}

// Network is what a family's file defines: the pass from tokens to logits
// [wanted, vocab], or to the hidden states [wanted, hidden] if the pass asks for
// them.
type Network interface {
	Forward(p Pass) *engine.Tensor
}
