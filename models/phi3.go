package models

import (
	"fmt"

	"inglenook/engine"
	"inglenook/weights"
)

// Phi-3, 3.5 and 4-mini: Abdin et al. 2024, arXiv:2404.14219; arXiv:2503.01743.
// Llama with fused weights: queries, keys and values in one matrix, gate and up
// in another.

func phi3Sizes(f *fields) Config {
	c := decoderSizes(f)
	c.Epsilon = f.epsilon(1e-5, "rms_norm_eps")
	c.Activation = f.activationOr(engine.SiLU, "hidden_act")
	c.everywhere(f.sizeOr(0, maxPositions, "sliding_window"), f.phi3Rope(c))
	return c
}

// phi3Rope reads the positions as this family means them: 4096 positions where
// none are named, and longrope under all of its older names.
func (f *fields) phi3Rope(c Config) *Rope {
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

func buildPhi3(c Config, s *weights.Scope) *decoder {
	m := newDecoder(c)
	body := decoderBody(s, "model", "embed_tokens")
	m.wordsAndHead(s, body, "embed_tokens", "lm_head")
	m.finalNorm = newRMSNorm(body, "norm", c.Hidden, c.Epsilon)
	for i := range m.layers {
		l, at := &m.layers[i], body.In(fmt.Sprintf("layers.%d", i))
		l.attentionNorm = newRMSNorm(at, "input_layernorm", c.Hidden, c.Epsilon)
		l.mlpNorm = newRMSNorm(at, "post_attention_layernorm", c.Hidden, c.Epsilon)
		l.fusedAttention(c, at, "self_attn.qkv_proj", stacked(c), false)
		l.out = newProjection(c, at, "self_attn.o_proj", c.Hidden, c.Heads*c.HeadSize, false)
		up := at.In("mlp")
		l.gate = linear{w: up.Rows("gate_up_proj.weight", 2*c.Intermediate, c.Hidden, [2]int{0, c.Intermediate})}
		l.up = linear{w: up.Rows("gate_up_proj.weight", 2*c.Intermediate, c.Hidden, [2]int{c.Intermediate, 2 * c.Intermediate})}
		l.down = newProjection(c, up, "down_proj", c.Hidden, c.Intermediate, false)
	}
	return m
}
