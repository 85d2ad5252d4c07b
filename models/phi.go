package models

import (
	"fmt"

	"inglenook/engine"
	"inglenook/weights"
)

// Phi-1.5 and Phi-2: Li et al. 2023, arXiv:2309.05463. Attention and
// feed-forward side by side behind one LayerNorm, biases everywhere, and
// positions that turn a part of each head.

func phiSizes(f *fields) Config {
	c := decoderSizes(f)
	c.Epsilon = f.epsilon(1e-5, "layer_norm_eps")
	c.Activation = f.activationOr(engine.GELUTanh, "hidden_act")
	c.QKVBias, c.OutBias, c.MLPBias = true, true, true
	c.Parallel, c.Norms = true, 1
	f.refuse(f.flagOr(false, "qk_layernorm"), "qk_layernorm is set, which no published model of this family does and this version does not compute")
	c.everywhere(0, f.rope(c, 10000, 0.5))
	return c
}

func buildPhi(c Config, s *weights.Scope) *decoder {
	m := newDecoder(c)
	body := decoderBody(s, "model", "embed_tokens")
	m.wordsAndHead(s, body, "embed_tokens", "lm_head")
	m.head.b = s.Vector("lm_head.bias", c.Vocab)
	m.finalNorm = newLayerNorm(body, "final_layernorm", c.Hidden, c.Epsilon)
	for i := range m.layers {
		l, at := &m.layers[i], body.In(fmt.Sprintf("layers.%d", i))
		l.attentionNorm = newLayerNorm(at, "input_layernorm", c.Hidden, c.Epsilon)
		l.attentionWeights(c, at.In("self_attn"), "dense")
		l.up = newLinear(at, "mlp.fc1", c.Intermediate, c.Hidden)
		l.down = newLinear(at, "mlp.fc2", c.Hidden, c.Intermediate)
	}
	return m
}
