package models

import (
	"errors"
	"fmt"

	"inglenook/engine"
	"inglenook/weights"
)

// StableLM: Bellagente et al. 2024, arXiv:2402.17834. Llama with LayerNorm and
// positions that turn a quarter of each head.

func stableLMSizes(f *fields) Config {
	c := decoderSizes(f)
	c.Epsilon = f.epsilon(1e-5, "layer_norm_eps")
	c.Activation = f.activationOr(engine.SiLU, "hidden_act")
	c.QKVBias = f.flagOr(false, "use_qkv_bias")
	if c.Parallel = f.flagOr(false, "use_parallel_residual"); c.Parallel {
		c.Norms = 1
	}
	f.refuse(f.flagOr(false, "qk_layernorm"), stableLMHeadNorms)
	c.everywhere(0, f.rope(c, 10000, 0.25))
	return c
}

const stableLMHeadNorms = "the model has norms of each head's queries and keys (qk_layernorm), which this version does not compute; choose another model of this family"

func buildStableLM(c Config, s *weights.Scope) *decoder {
	body := decoderBody(s, "model", "embed_tokens")
	if c.GGUF { // the tensors tell, as the metadata of some files are wrong
		c.Norms, c.Parallel = 2, false
		if !body.Has("layers.0.post_attention_layernorm.weight") {
			c.Norms, c.Parallel = 1, true
		}
	}
	m := newDecoder(c)
	if body.Has("layers.0.self_attn.q_layernorm.weight") {
		m.err = errors.New(stableLMHeadNorms)
	}
	m.wordsAndHead(s, body, "embed_tokens", "lm_head")
	m.finalNorm = newLayerNorm(body, "norm", c.Hidden, c.Epsilon)
	for i := range m.layers {
		l, at := &m.layers[i], body.In(fmt.Sprintf("layers.%d", i))
		l.attentionNorm = newLayerNorm(at, "input_layernorm", c.Hidden, c.Epsilon)
		if c.Norms == 2 {
			l.mlpNorm = newLayerNorm(at, "post_attention_layernorm", c.Hidden, c.Epsilon)
		}
		l.attentionWeights(c, at.In("self_attn"), "o_proj")
		l.gatedMLP(c, at.In("mlp"))
	}
	return m
}
