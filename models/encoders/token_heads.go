package encoders

import (
	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// tokenHead scores something for each token: out(norm(act(in(x)))), in and norm where there are any.
type tokenHead struct {
	in         *nn.Linear // [inner, hidden], or nil
	activation engine.Activation
	norm       nn.Norm   // [1, inner]; nil = none
	out        nn.Linear // [labels, inner] or [vocab, inner]
}

// Forward records the scores [tokens, labels] or [tokens, vocab] of the states [tokens, hidden].
func (h *tokenHead) Forward(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
	if h.in != nil {
		x = h.in.Activate(g, x, h.activation)
	}
	if h.norm != nil {
		x = h.norm.Forward(g, x)
	}
	return h.out.Forward(g, x)
}

// newMarker returns the head that gives each token labels. ModernBERT has a layer before it.
func newMarker(c family.Config, b nn.Builder) *tokenHead {
	h := &tokenHead{out: nn.NewLinear(b, "classifier", c.Labels, c.Hidden)}
	if b.Has(modernHead.in + ".weight") {
		h.inner(c, b, modernHead, c.Hidden)
	}
	return h
}

// inner adds the layer before the last one, with biases where the checkpoint stores any.
func (h *tokenHead) inner(c family.Config, b nn.Builder, names wordHead, width int) {
	in := nn.NewProjection(b, names.in, width, c.Hidden, b.Has(names.in+".bias"))
	h.in, h.activation = &in, c.Activation
	if d, states := c.Design.(headActivator); states {
		h.activation = d.headActivation()
	}
	h.norm = nn.NewNorm(b, names.norm, width, c.Epsilon, b.Has(names.norm+".bias"))
}

// wordHead names the parts of a head that guesses words, of which in and norm may be missing.
type wordHead struct {
	last, in, norm string
	biases         []string // where the bias of the last layer may be stored
}

// wordHeads lists the families' names. The matrix of the last layer is mostly the table of words.
var wordHeads = []wordHead{
	{"cls.predictions.decoder", "cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm", []string{"cls.predictions.bias", "cls.predictions.decoder.bias"}},
	{"cls.predictions.decoder", "cls.predictions.transform.dense", "cls.predictions.transform.layer_norm", []string{"cls.predictions.bias", "cls.predictions.decoder.bias"}},
	{"lm_predictions.lm_head.decoder", "lm_predictions.lm_head.dense", "lm_predictions.lm_head.LayerNorm", []string{"lm_predictions.lm_head.bias"}},
	{"lm_head.decoder", "lm_head.dense", "lm_head.layer_norm", []string{"lm_head.bias", "lm_head.decoder.bias"}},
	{"vocab_projector", "vocab_transform", "vocab_layer_norm", []string{"vocab_projector.bias"}},
	{"generator_lm_head", "generator_predictions.dense", "generator_predictions.LayerNorm", []string{"generator_lm_head.bias"}},
	{"predictions.decoder", "predictions.dense", "predictions.LayerNorm", []string{"predictions.bias", "predictions.decoder.bias"}},
	{"lm_head.decoder", "lm_head.dense", "lm_head.norm", []string{"lm_head.decoder.bias"}},
	modernHead,
}

// modernHead are ModernBERT's names, whose first layer its markers have as well.
var modernHead = wordHead{"decoder", "head.dense", "head.norm", []string{"decoder.bias"}}

// newGuesser returns the head that guesses the words of a text, nil if the checkpoint does
// not hold a whole one. table [vocab, width] are the vectors of words.
func newGuesser(c family.Config, b nn.Builder, table *engine.Tensor) *tokenHead {
	if table == nil || b.GGUF || !c.Guesses() {
		return nil
	}
	if _, plain := c.Design.(euroBERT); plain {
		return newLastLayer(c, b, wordHead{last: "lm_head"}, table)
	}
	for _, names := range wordHeads {
		if b.Has(names.in+".weight") && b.Has(names.norm+".weight") {
			h := newLastLayer(c, b, names, table)
			h.inner(c, b, names, table.Cols)
			return h
		}
	}
	return nil
}

// newLastLayer returns a head of a last layer alone.
func newLastLayer(c family.Config, b nn.Builder, names wordHead, table *engine.Tensor) *tokenHead {
	h := &tokenHead{out: nn.Linear{W: table}}
	biases := names.biases
	if !c.Tied && b.Has(names.last+".weight") {
		h.out.W = b.Matrix(names.last+".weight", c.Vocab, table.Cols)
		biases = append([]string{names.last + ".bias"}, biases...)
	}
	for _, bias := range biases {
		if h.out.B == nil && b.Has(bias) {
			h.out.B = b.Vector(bias, c.Vocab)
		}
	}
	return h
}

// headActivator is a design whose heads have an activation of their own; the others have that
// of the layers.
type headActivator interface{ headActivation() engine.Activation }

func (robertaDesign) headActivation() engine.Activation { return engine.GELU }
func (mpnetDesign) headActivation() engine.Activation   { return engine.GELU }
func (electra) headActivation() engine.Activation       { return engine.GELU }
func (gte) headActivation() engine.Activation           { return engine.GELU }
func (d modernBERT) headActivation() engine.Activation  { return d.classifierActivation }

// speller is a network with a table of words.
type speller interface{ table() *engine.Tensor } // [vocab, width]

func (m *bert) table() *engine.Tensor       { return m.words.Table }
func (m *distilBERT) table() *engine.Tensor { return m.words.Table }
func (m *mpnet) table() *engine.Tensor      { return m.words.Table }
func (m *distances) table() *engine.Tensor  { return m.words.Table }
func (m *modern) table() *engine.Tensor     { return m.words.Table }
func (m *llama) table() *engine.Tensor      { return m.words.Table }
