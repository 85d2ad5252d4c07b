package decoders

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// GLM-4 (the models of April 2025; GLM team 2024, arXiv:2406.12793): Llama's layers with
// a norm before and after each part, biases at queries, keys and values, and half of
// each head rotating, in neighbouring pairs of columns.

func readGLM4(f *family.Fields) family.Config {
	c := family.DecoderSizes(f, 131072)
	c.Epsilon = f.Epsilon(1.5625e-7, "rms_norm_eps")
	c.Activation = f.ActivationOr(engine.SiLU, "hidden_act")
	c.Everywhere(0, f.Rope(c, 10000, 0.5))
	c.Design = glm4Design{f.FlagOr(true, "attention_bias")}
	return c
}

type glm4Design struct{ qkvBias bool }

// build implements Design: Llama's network.
func (d glm4Design) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := newLlama(c, b)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		m.layers = append(m.layers, &gemmaLayer{
			attentionNorm: nn.NewRMSNorm(at, "input_layernorm", c.Hidden, c.Epsilon),
			attention:     newPairedAttention(c, i, at.In("self_attn"), d.qkvBias, false),
			attentionEnd:  nn.NewRMSNorm(at, "post_self_attn_layernorm", c.Hidden, c.Epsilon),
			mlpNorm:       nn.NewRMSNorm(at, "post_attention_layernorm", c.Hidden, c.Epsilon),
			mlp:           newFusedMLP(c, at.In("mlp"), "gate_up_proj", "down_proj"),
			mlpEnd:        nn.NewRMSNorm(at, "post_mlp_layernorm", c.Hidden, c.Epsilon),
		})
	}
	return m, nil
}

// newPairedAttention is newAttention for families in which neighbouring columns of a
// head turn together.
func newPairedAttention(c family.Config, i int, b nn.Builder, qkvBias, outBias bool) nn.Attention {
	h := headsOf(c, i)
	a := nn.NewAttention(b, h)
	a.Query = nn.NewPairs(b, "q_proj", h, h.Count, c.Hidden, qkvBias)
	a.Key = nn.NewPairs(b, "k_proj", h, h.KV, c.Hidden, qkvBias)
	a.Value = nn.NewProjection(b, "v_proj", h.KV*h.Size, c.Hidden, qkvBias)
	a.Out = nn.NewProjection(b, "o_proj", c.Hidden, h.Count*h.Size, outBias)
	return a
}

// glm4GGUF refuses files whose positions have several parts, which belong to models
// that read pictures.
func glm4GGUF(r *family.Metadata) {
	if key := r.Key("rope.dimension_sections"); r.Meta.Has(key) {
		r.Fields.Fail("%s is set, which is not supported in this architecture", key)
	}
}
