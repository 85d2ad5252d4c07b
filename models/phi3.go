package models

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/nn"
)

// Phi-3, 3.5 and 4-mini: Abdin et al. 2024, arXiv:2404.14219; arXiv:2503.01743.
// Llama's network with fused weights: queries, keys and values in one matrix, gate and up
// in another.

func readPhi3(f *fields) Config {
	c := decoderSizes(f, 4096)
	c.Epsilon = f.epsilon(1e-5, "rms_norm_eps")
	c.Activation = f.activationOr(engine.SiLU, "hidden_act")
	c.everywhere(f.sizeOr(0, maxPositions, "sliding_window"), f.phi3Rope(c))
	c.design = phi3Design{}
	return c
}

// phi3Rope reads the positions as this family defines them: 4096 positions if
// none are stated, and longrope under all of its older names.
func (f *fields) phi3Rope(c Config) *nn.Rope {
	if f.m["original_max_position_embeddings"] == nil {
		f.m["original_max_position_embeddings"] = wholeNumber(4096)
	}
	for _, name := range []string{"rope_parameters", "rope_scaling"} {
		m, _ := f.m[name].(map[string]any)
		for _, key := range []string{"rope_type", "type"} {
			if m[key] == "yarn" || m[key] == "su" {
				m[key] = "longrope"
			}
		}
	}
	return f.rope(c, 10000, 1)
}

type phi3Design struct{}

// build implements decoderDesign: Llama's network and layers.
func (phi3Design) build(c Config, b nn.Builder) (network, error) {
	m, at := newLlama(c, b)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		heads, f := c.heads(i), c.Intermediate
		attention := nn.NewAttention(at, heads)
		attention.SplitFused(at, "self_attn.qkv_proj", heads.Stacked(), c.Hidden, false)
		attention.Out = nn.NewProjection(at, "self_attn.o_proj", c.Hidden, c.Heads*c.HeadSize, false)
		m.layers = append(m.layers, &preNormLayer{
			attentionNorm: nn.NewRMSNorm(at, "input_layernorm", c.Hidden, c.Epsilon),
			attention:     attention,
			mlpNorm:       nn.NewRMSNorm(at, "post_attention_layernorm", c.Hidden, c.Epsilon),
			mlp: nn.GatedMLP{
				Gate:       nn.Linear{W: at.Rows("mlp.gate_up_proj.weight", 2*f, c.Hidden, [2]int{0, f})},     // [inner, hidden]
				Up:         nn.Linear{W: at.Rows("mlp.gate_up_proj.weight", 2*f, c.Hidden, [2]int{f, 2 * f})}, // [inner, hidden]
				Down:       nn.NewProjection(at, "mlp.down_proj", c.Hidden, f, false),
				Activation: c.Activation,
			},
		})
	}
	return m, nil
}

// phi3GGUF reads the metadata of a GGUF file, which does not state the type. It
// is longrope if the file has its tensors, which only LoadDecoder sees.
func phi3GGUF(r *ggufReader) {
	r.whole("original_max_position_embeddings", "rope.scaling.original_context_length")
	r.whole("sliding_window", "attention.sliding_window")
	if r.fields.m["rope_scaling"] == nil && r.meta.Has(r.key("rope.scaling.attn_factor")) {
		r.stretched("longrope", 0)
	}
}
