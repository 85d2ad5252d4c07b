package decoders

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// GPT-NeoX: Black et al. 2022, arXiv:2204.06745; Pythia: Biderman et al. 2023,
// arXiv:2304.01373. Attention and feed-forward in parallel, each after its own
// LayerNorm, and rotary positions in a quarter of each head.

// gptNeoXDesign states whether the parts of a layer are parallel, and whether
// attention has biases.
type gptNeoXDesign struct{ parallel, attentionBias bool }

func readGPTNeoX(f *family.Fields) family.Config {
	f.Values["num_key_value_heads"] = nil // each head has its own
	c := family.DecoderSizes(f, 2048)
	c.HeadSize = f.HeadSize(c)
	c.Epsilon = f.Epsilon(1e-5, "layer_norm_eps")
	c.Activation = f.Activation("hidden_act")
	theta := f.Number(10000, 1, 1e12, "rotary_emb_base")
	c.Everywhere(0, f.Rope(c, theta, f.Number(0.25, 0, 1, "rotary_pct")))
	c.Design = gptNeoXDesign{parallel: f.FlagOr(true, "use_parallel_residual"), attentionBias: f.FlagOr(true, "attention_bias")}
	return c
}

type gptNeoX struct {
	words  nn.Embedding // [vocab, hidden]
	layers nn.Stack
	norm   nn.LayerNorm // [1, hidden]
	head   nn.Linear    // [vocab, hidden]
}

// Forward implements nn.Network.
func (m *gptNeoX) Forward(p nn.Pass) *engine.Tensor {
	x := m.words.Forward(p.Graph, p.Tokens) // [tokens, hidden]
	x = m.layers.Forward(p, x)              // [wanted, hidden]
	x = m.norm.Forward(p.Graph, x)
	if p.Hidden {
		return x
	}
	return m.head.Forward(p.Graph, x) // [wanted, vocab]
}

// build implements Design.
func (d gptNeoXDesign) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := &gptNeoX{}, body(b, "gpt_neox", "embed_in")
	m.words, m.head = wordsAndHead(c, b, at, "embed_in", "embed_out")
	m.norm = nn.NewLayerNorm(at, "final_layer_norm", c.Hidden, c.Epsilon)
	for i := range c.Layers {
		m.layers = append(m.layers, d.layer(c, i, at.In(fmt.Sprintf("layers.%d", i))))
	}
	return m, nil
}

// layer returns layer i with its weights.
func (d gptNeoXDesign) layer(c family.Config, i int, b nn.Builder) nn.Layer {
	heads := headsOf(c, i)
	rows := heads.Grouped()
	if c.GGUF {
		rows = heads.Stacked()
	}
	attention := nn.NewAttention(b, heads)
	attention.SplitFused(b, "attention.query_key_value", rows, c.Hidden, d.attentionBias)
	attention.Out = nn.NewProjection(b, "attention.dense", c.Hidden, c.Hidden, d.attentionBias)
	mlp := nn.MLP{
		Up:         nn.NewLinear(b, "mlp.dense_h_to_4h", c.Intermediate, c.Hidden),
		Down:       nn.NewLinear(b, "mlp.dense_4h_to_h", c.Hidden, c.Intermediate),
		Activation: c.Activation,
	}
	attentionNorm := nn.NewLayerNorm(b, "input_layernorm", c.Hidden, c.Epsilon)
	mlpNorm := nn.NewLayerNorm(b, "post_attention_layernorm", c.Hidden, c.Epsilon)
	if d.parallel {
		return &parallelNormsLayer{attentionNorm: attentionNorm, attention: attention, mlpNorm: mlpNorm, mlp: mlp}
	}
	return &preNormLayer{attentionNorm: attentionNorm, attention: attention, mlpNorm: mlpNorm, mlp: mlp}
}
