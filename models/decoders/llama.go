package decoders

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// Llama: Touvron et al. 2023, arXiv:2302.13971 and arXiv:2307.09288; Llama 3:
// arXiv:2407.21783. Also TinyLlama, SmolLM2 and many more, which are Llama with
// other sizes.

func readLlama(f *family.Fields) family.Config {
	c := family.DecoderSizes(f, 2048)
	c.Epsilon = f.Epsilon(1e-6, "rms_norm_eps")
	c.Activation = f.ActivationOr(engine.SiLU, "hidden_act")
	c.Everywhere(0, f.Rope(c, 10000, 1))
	bias := f.FlagOr(false, "attention_bias")
	c.Design = llamaDesign{qkvBias: bias, outBias: bias, mlpBias: f.FlagOr(false, "mlp_bias")}
	return c
}

// llama is the network of Llama and of the families that change only its layers.
type llama struct {
	words  nn.Embedding // [vocab, hidden]
	layers nn.Stack
	norm   nn.RMSNorm // [1, hidden]
	head   nn.Linear  // [vocab, hidden]
}

// Forward implements nn.Network.
func (m *llama) Forward(p nn.Pass) *engine.Tensor {
	x := m.words.Forward(p.Graph, p.Tokens) // [tokens, hidden]
	x = m.layers.Forward(p, x)              // [wanted, hidden]
	x = m.norm.Forward(p.Graph, x)
	if p.Hidden {
		return x
	}
	return m.head.Forward(p.Graph, x) // [wanted, vocab]
}

// preNormLayer is Llama's layer: a norm before each part. Many families have the
// same layer with other norms, another attention or another feed-forward part.
type preNormLayer struct {
	attentionNorm nn.Norm  // [1, hidden]
	attention     nn.Layer // nn.Attention or nn.NormedAttention
	mlpNorm       nn.Norm  // [1, hidden]
	mlp           nn.FeedForward
}

// Forward implements nn.Layer.
func (l *preNormLayer) Forward(p nn.Pass, x *engine.Tensor) *engine.Tensor {
	g := p.Graph
	h := l.attentionNorm.Forward(g, x) // [tokens, hidden]
	h = l.attention.Forward(p, h)      // [wanted, hidden]
	x = g.Add(p.Leaving(x), h)
	h = l.mlp.Forward(g, l.mlpNorm.Forward(g, x))
	return g.Add(x, h)
}

// llamaDesign says which linear layers have a bias.
type llamaDesign struct{ qkvBias, outBias, mlpBias bool }

// build implements Design.
func (d llamaDesign) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := newLlama(c, b)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		m.layers = append(m.layers, &preNormLayer{
			attentionNorm: nn.NewRMSNorm(at, "input_layernorm", c.Hidden, c.Epsilon),
			attention:     newAttention(c, i, at.In("self_attn"), d.qkvBias, "o_proj", d.outBias),
			mlpNorm:       nn.NewRMSNorm(at, "post_attention_layernorm", c.Hidden, c.Epsilon),
			mlp:           newGatedMLP(c, at.In("mlp"), d.mlpBias),
		})
	}
	return m, nil
}

// newLlama builds all but the layers, and returns the builder for the layers.
func newLlama(c family.Config, b nn.Builder) (*llama, nn.Builder) {
	m, at := &llama{}, body(b, "model", "embed_tokens")
	m.words, m.head = wordsAndHead(c, b, at, "embed_tokens", "lm_head")
	m.norm = nn.NewRMSNorm(at, "norm", c.Hidden, c.Epsilon)
	return m, at
}

// newAttention returns layer i's attention. Its weights have the names that most families
// share.
func newAttention(c family.Config, i int, b nn.Builder, bias bool, out string, outBias bool) nn.Attention {
	a := nn.NewAttention(b, headsOf(c, i))
	q, kv := c.Heads*c.HeadSize, c.KVHeads*c.HeadSize
	a.Query = nn.NewProjection(b, "q_proj", q, c.Hidden, bias)
	a.Key = nn.NewProjection(b, "k_proj", kv, c.Hidden, bias)
	a.Value = nn.NewProjection(b, "v_proj", kv, c.Hidden, bias)
	a.Out = nn.NewProjection(b, out, c.Hidden, q, outBias)
	return a
}

// newGatedMLP returns a gated feed-forward part. Its weights have the names that most families
// share.
func newGatedMLP(c family.Config, b nn.Builder, bias bool) nn.GatedMLP {
	return nn.GatedMLP{
		Gate:       nn.NewProjection(b, "gate_proj", c.Intermediate, c.Hidden, bias),
		Up:         nn.NewProjection(b, "up_proj", c.Intermediate, c.Hidden, bias),
		Down:       nn.NewProjection(b, "down_proj", c.Hidden, c.Intermediate, bias),
		Activation: c.Activation,
	}
}

// newFusedMLP returns a gated feed-forward part whose gate and up are the halves of one
// matrix [2·inner, hidden].
func newFusedMLP(c family.Config, b nn.Builder, gateUp, down string) nn.GatedMLP {
	inner := c.Intermediate
	return nn.GatedMLP{
		Gate:       nn.Linear{W: b.Rows(gateUp+".weight", 2*inner, c.Hidden, [2]int{0, inner})},
		Up:         nn.Linear{W: b.Rows(gateUp+".weight", 2*inner, c.Hidden, [2]int{inner, 2 * inner})},
		Down:       nn.NewProjection(b, down, c.Hidden, inner, false),
		Activation: c.Activation,
	}
}

// Mistral: Jiang et al. 2023, arXiv:2310.06825. Llama's network, whose layers see
// a window of positions.

func readMistral(f *family.Fields) family.Config {
	c := family.DecoderSizes(f, 131072)
	c.Epsilon = f.Epsilon(1e-6, "rms_norm_eps")
	c.Activation = f.ActivationOr(engine.SiLU, "hidden_act")
	window := f.SizeOr(0, family.MaxPositions, "sliding_window")
	if _, stated := f.Values["sliding_window"]; !stated {
		window = 4096 // the first release omits it
	}
	c.Everywhere(window, f.Rope(c, 10000, 1))
	c.Design = llamaDesign{}
	return c
}
