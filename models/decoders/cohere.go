package decoders

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// Command R (Cohere 2024, docs.cohere.com/docs/command-r) and Aya: Attention and
// feed-forward in parallel after one LayerNorm without a bias, heads that turn in
// neighbouring pairs of columns, and scaled logits. Command R7B and A (arXiv:2504.00698):
// three layers with a window and rotary positions, and one without either.

func readCohere(f *family.Fields) family.Config {
	f.Refuse(f.FlagOr(false, "use_qk_norm"), "use_qk_norm is set: norms of queries and keys are not supported in this family; choose a smaller model of it")
	c, turn := cohereConfig(f)
	c.Everywhere(0, turn)
	return c
}

func readCohere2(f *family.Fields) family.Config {
	c, turn := cohereConfig(f)
	window := usualWindow(f)
	c.Everywhere(0, nil)
	for i, slides := range f.Sliding(c.Layers, every(f, 4)) {
		if slides && window > 0 {
			c.Span[i] = family.Span{Window: window, Rope: turn}
		}
	}
	return c
}

func cohereConfig(f *family.Fields) (family.Config, *nn.Rope) {
	c := family.DecoderSizes(f, 8192)
	c.Epsilon = f.Epsilon(1e-5, "layer_norm_eps")
	c.Activation = f.ActivationOr(engine.SiLU, "hidden_act")
	c.Tied = f.FlagOr(true, "tie_word_embeddings")
	c.Design = cohereDesign{logits: float32(f.Number(0.0625, 1e-6, 1e6, "logit_scale")), bias: f.FlagOr(false, "attention_bias")}
	return c, f.Rope(c, 500000, 1)
}

type cohere struct {
	words      nn.Embedding // [vocab, hidden]
	layers     nn.Stack
	norm       nn.LayerNorm // [1, hidden]
	head       nn.Linear    // [vocab, hidden]
	logitScale float32
}

// Forward implements nn.Network.
func (m *cohere) Forward(p nn.Pass) *engine.Tensor {
	g := p.Graph
	x := m.words.Forward(g, p.Tokens) // [tokens, hidden]
	x = m.layers.Forward(p, x)        // [wanted, hidden]
	x = m.norm.Forward(g, x)
	if p.Hidden {
		return x
	}
	return g.Scale(m.head.Forward(g, x), m.logitScale) // [wanted, vocab]
}

type cohereDesign struct {
	logits float32
	bias   bool
}

// build implements Design.
func (d cohereDesign) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := &cohere{logitScale: d.logits}, body(b, "model", "embed_tokens")
	m.words, m.head = wordsAndHead(c, b, at, "embed_tokens", "lm_head")
	m.norm = nn.NewScaleNorm(at, "norm", c.Hidden, c.Epsilon)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		m.layers = append(m.layers, &parallelLayer{
			norm:      nn.NewScaleNorm(at, "input_layernorm", c.Hidden, c.Epsilon),
			attention: newPairedAttention(c, i, at.In("self_attn"), d.bias, d.bias),
			mlp:       newGatedMLP(c, at.In("mlp"), false),
		})
	}
	return m, nil
}

// cohereGGUF reads what scales the logits, which files have to state.
func cohereGGUF(r *family.Metadata) {
	r.Number("logit_scale", "logit_scale")
	r.Fields.Refuse(r.Fields.Values["logit_scale"] == nil, r.Key("logit_scale")+" is missing")
}

// cohere2GGUF reads the window as well.
func cohere2GGUF(r *family.Metadata) {
	cohereGGUF(r)
	slidingGGUF(r)
}
