package decoders

import (
	"errors"
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// StableLM: Bellagente et al. 2024, arXiv:2402.17834. Llama with LayerNorm and
// rotary positions in a quarter of each head. In some, attention and
// feed-forward are parallel after one norm.

func readStableLM(f *family.Fields) family.Config {
	c := family.DecoderSizes(f, 4096)
	c.Epsilon = f.Epsilon(1e-5, "layer_norm_eps")
	c.Activation = f.ActivationOr(engine.SiLU, "hidden_act")
	f.Refuse(f.FlagOr(false, "qk_layernorm"), stableLMHeadNorms)
	c.Everywhere(0, f.Rope(c, 10000, 0.25))
	c.Design = stableLMDesign{qkvBias: f.FlagOr(false, "use_qkv_bias"), parallel: f.FlagOr(false, "use_parallel_residual")}
	return c
}

const stableLMHeadNorms = "the model has norms of each head's queries and keys (qk_layernorm), which this version does not compute; choose another model of this family"

type stableLM struct {
	words  nn.Embedding // [vocab, hidden]
	layers nn.Stack
	norm   nn.LayerNorm // [1, hidden]
	head   nn.Linear    // [vocab, hidden]
}

// Forward implements nn.Network.
func (m *stableLM) Forward(p nn.Pass) *engine.Tensor {
	x := m.words.Forward(p.Graph, p.Tokens) // [tokens, hidden]
	x = m.layers.Forward(p, x)              // [wanted, hidden]
	x = m.norm.Forward(p.Graph, x)
	if p.Hidden {
		return x
	}
	return m.head.Forward(p.Graph, x) // [wanted, vocab]
}

type stableLMDesign struct{ qkvBias, parallel bool }

// build implements Design.
func (d stableLMDesign) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := &stableLM{}, body(b, "model", "embed_tokens")
	if at.Has("layers.0.self_attn.q_layernorm.weight") {
		return nil, errors.New(stableLMHeadNorms)
	}
	if c.GGUF { // some files state it wrongly
		d.parallel = !at.Has("layers.0.post_attention_layernorm.weight")
	}
	m.words, m.head = wordsAndHead(c, b, at, "embed_tokens", "lm_head")
	m.norm = nn.NewLayerNorm(at, "norm", c.Hidden, c.Epsilon)
	for i := range c.Layers {
		m.layers = append(m.layers, d.layer(c, i, at.In(fmt.Sprintf("layers.%d", i))))
	}
	return m, nil
}

// layer returns layer i with its weights.
func (d stableLMDesign) layer(c family.Config, i int, b nn.Builder) nn.Layer {
	norm := nn.NewLayerNorm(b, "input_layernorm", c.Hidden, c.Epsilon)
	attention := newAttention(c, i, b.In("self_attn"), d.qkvBias, "o_proj", false)
	mlp := newGatedMLP(c, b.In("mlp"), false)
	if d.parallel {
		return &parallelLayer{norm: norm, attention: attention, mlp: mlp}
	}
	return &preNormLayer{
		attentionNorm: norm, attention: attention,
		mlpNorm: nn.NewLayerNorm(b, "post_attention_layernorm", c.Hidden, c.Epsilon), mlp: mlp,
	}
}
