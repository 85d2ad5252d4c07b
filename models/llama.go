package models

import (
	"fmt"

	"inglenook/engine"
	"inglenook/weights"
)

// Llama: Touvron et al. 2023, arXiv:2302.13971 and arXiv:2307.09288; Llama 3:
// arXiv:2407.21783. Also TinyLlama, SmolLM2 and many more, which are Llama with
// other sizes.

func llamaSizes(f *fields) Config {
	c := decoderSizes(f)
	c.Epsilon = f.epsilon(1e-6, "rms_norm_eps")
	c.Activation = f.activationOr(engine.SiLU, "hidden_act")
	c.QKVBias = f.flagOr(false, "attention_bias")
	c.OutBias = c.QKVBias
	c.MLPBias = f.flagOr(false, "mlp_bias")
	c.everywhere(0, f.rope(c, 10000, 1))
	return c
}

func buildLlama(c Config, s *weights.Scope) *decoder {
	m := newDecoder(c)
	body := decoderBody(s, "model", "embed_tokens")
	m.wordsAndHead(s, body, "embed_tokens", "lm_head")
	m.finalNorm = newRMSNorm(body, "norm", c.Hidden, c.Epsilon)
	for i := range m.layers {
		m.layers[i].llama(c, body.In(fmt.Sprintf("layers.%d", i)))
	}
	return m
}

// llama takes the weights of one layer under Llama's names, which most later
// families share.
func (l *decoderLayer) llama(c Config, s *weights.Scope) {
	l.attentionNorm = newRMSNorm(s, "input_layernorm", c.Hidden, c.Epsilon)
	l.mlpNorm = newRMSNorm(s, "post_attention_layernorm", c.Hidden, c.Epsilon)
	l.attentionWeights(c, s.In("self_attn"), "o_proj")
	l.gatedMLP(c, s.In("mlp"))
}

// attentionWeights takes the four linear layers of attention.
func (l *decoderLayer) attentionWeights(c Config, s *weights.Scope, out string) {
	q, kv := c.Heads*c.HeadSize, c.KVHeads*c.HeadSize
	l.query = newProjection(c, s, "q_proj", q, c.Hidden, c.QKVBias)
	l.key = newProjection(c, s, "k_proj", kv, c.Hidden, c.QKVBias)
	l.value = newProjection(c, s, "v_proj", kv, c.Hidden, c.QKVBias)
	l.out = newProjection(c, s, out, c.Hidden, q, c.OutBias)
}

// gatedMLP takes the three linear layers of a gated feed-forward part.
func (l *decoderLayer) gatedMLP(c Config, s *weights.Scope) {
	l.gate = newProjection(c, s, "gate_proj", c.Intermediate, c.Hidden, c.MLPBias)
	l.up = newProjection(c, s, "up_proj", c.Intermediate, c.Hidden, c.MLPBias)
	l.down = newProjection(c, s, "down_proj", c.Hidden, c.Intermediate, c.MLPBias)
}
