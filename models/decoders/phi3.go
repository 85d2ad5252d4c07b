package decoders

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// Phi-3, 3.5 and 4-mini: Abdin et al. 2024, arXiv:2404.14219; arXiv:2503.01743.
// Llama's network with fused weights: queries, keys and values in one matrix, gate and up
// in another.

func readPhi3(f *family.Fields) family.Config {
	c := family.DecoderSizes(f, 4096)
	c.Epsilon = f.Epsilon(1e-5, "rms_norm_eps")
	c.Activation = f.ActivationOr(engine.SiLU, "hidden_act")
	c.Everywhere(f.SizeOr(0, family.MaxPositions, "sliding_window"), phi3Rope(f, c))
	c.Design = phi3Design{}
	return c
}

// phi3Rope reads the positions as this family defines them: 4096 positions if
// none are stated, and longrope under all of its older names.
func phi3Rope(f *family.Fields, c family.Config) *nn.Rope {
	if f.Values["original_max_position_embeddings"] == nil {
		f.Values["original_max_position_embeddings"] = family.WholeNumber(4096)
	}
	for _, name := range []string{"rope_parameters", "rope_scaling"} {
		m, _ := f.Values[name].(map[string]any)
		for _, key := range []string{"rope_type", "type"} {
			if m[key] == "yarn" || m[key] == "su" {
				m[key] = "longrope"
			}
		}
	}
	return f.Rope(c, 10000, 1)
}

type phi3Design struct{}

// build implements Design: Llama's network and layers.
func (phi3Design) build(c family.Config, b nn.Builder) (nn.Network, error) {
	m, at := newLlama(c, b)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		heads := headsOf(c, i)
		attention := nn.NewAttention(at, heads)
		attention.SplitFused(at, "self_attn.qkv_proj", heads.Stacked(), c.Hidden, false)
		attention.Out = nn.NewProjection(at, "self_attn.o_proj", c.Hidden, c.Heads*c.HeadSize, false)
		m.layers = append(m.layers, &preNormLayer{
			attentionNorm: nn.NewRMSNorm(at, "input_layernorm", c.Hidden, c.Epsilon),
			attention:     attention,
			mlpNorm:       nn.NewRMSNorm(at, "post_attention_layernorm", c.Hidden, c.Epsilon),
			mlp:           newFusedMLP(c, at.In("mlp"), "gate_up_proj", "down_proj"),
		})
	}
	return m, nil
}

// phi3GGUF reads the metadata of a GGUF file, which does not state the type. It
// is longrope if the file has its tensors, which only LoadDecoder sees.
func phi3GGUF(r *family.Metadata) {
	r.Whole("original_max_position_embeddings", "rope.scaling.original_context_length")
	r.Whole("sliding_window", "attention.sliding_window")
	if r.Fields.Values["rope_scaling"] == nil && r.Meta.Has(r.Key("rope.scaling.attn_factor")) {
		r.Stretched("longrope", 0)
	}
}
