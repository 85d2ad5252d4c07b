package models

import (
	"fmt"

	"inglenook/weights"
)

// GPT-NeoX: Black et al. 2022, arXiv:2204.06745; Pythia: Biderman et al. 2023,
// arXiv:2304.01373. Attention and feed-forward side by side, each behind its own
// LayerNorm, and positions that turn a quarter of each head.

func gptNeoXSizes(f *fields) Config {
	f.m["num_key_value_heads"] = nil // each head has its own
	c := decoderSizes(f)
	c.HeadSize = f.headSize(c)
	c.Epsilon = f.epsilon(1e-5, "layer_norm_eps")
	c.Activation = f.activation("hidden_act")
	c.QKVBias = f.flagOr(true, "attention_bias")
	c.OutBias, c.MLPBias = c.QKVBias, true
	c.Parallel = f.flagOr(true, "use_parallel_residual")
	theta := f.number(10000, 1, 1e12, "rotary_emb_base")
	c.everywhere(0, f.rope(c, theta, f.number(0.25, 0, 1, "rotary_pct")))
	return c
}

func buildGPTNeoX(c Config, s *weights.Scope) *decoder {
	m := newDecoder(c)
	body := decoderBody(s, "gpt_neox", "embed_in")
	m.wordsAndHead(s, body, "embed_in", "embed_out")
	m.finalNorm = newLayerNorm(body, "final_layer_norm", c.Hidden, c.Epsilon)
	rows := grouped(c)
	if c.GGUF {
		rows = stacked(c)
	}
	for i := range m.layers {
		l, at := &m.layers[i], body.In(fmt.Sprintf("layers.%d", i))
		l.attentionNorm = newLayerNorm(at, "input_layernorm", c.Hidden, c.Epsilon)
		l.mlpNorm = newLayerNorm(at, "post_attention_layernorm", c.Hidden, c.Epsilon)
		l.fusedAttention(c, at, "attention.query_key_value", rows, c.QKVBias)
		l.out = newProjection(c, at, "attention.dense", c.Hidden, c.Hidden, c.OutBias)
		l.up = newLinear(at, "mlp.dense_h_to_4h", c.Intermediate, c.Hidden)
		l.down = newLinear(at, "mlp.dense_4h_to_h", c.Hidden, c.Intermediate)
	}
	return m
}
