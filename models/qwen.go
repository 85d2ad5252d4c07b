package models

import (
	"fmt"

	"inglenook/engine"
	"inglenook/weights"
)

// Qwen2 and 2.5: Yang et al. 2024, arXiv:2407.10671 and arXiv:2412.15115. Llama
// with biases at queries, keys and values. Qwen3: Yang et al. 2025,
// arXiv:2505.09388. Norms of each head's query and key take the biases' place.

func qwen2Sizes(f *fields) Config {
	c := qwenSizes(f)
	c.QKVBias = true
	return c
}

func qwen3Sizes(f *fields) Config {
	c := qwenSizes(f)
	c.QKVBias = f.flagOr(false, "attention_bias")
	c.OutBias = c.QKVBias
	return c
}

func qwenSizes(f *fields) Config {
	c := decoderSizes(f)
	c.Epsilon = f.epsilon(1e-6, "rms_norm_eps")
	c.Activation = f.activationOr(engine.SiLU, "hidden_act")
	window := 0
	if f.flagOr(false, "use_sliding_window") {
		window = f.sizeOr(4096, maxPositions, "sliding_window")
	}
	first := f.sizeOr(28, maxLayers, "max_window_layers") // the layers before it see everything
	c.everywhere(0, f.rope(c, 10000, 1))
	for i, slides := range f.sliding(c.Layers, func(i int) bool { return i >= first }) {
		if slides {
			c.Span[i].Window = window
		}
	}
	return c
}

func buildQwen3(c Config, s *weights.Scope) *decoder {
	m := buildLlama(c, s)
	for i := range m.layers {
		l, at := &m.layers[i], decoderBody(s, "model", "embed_tokens").In(fmt.Sprintf("layers.%d.self_attn", i))
		l.queryNorm = newRMSNorm(at, "q_norm", c.HeadSize, c.Epsilon)
		l.keyNorm = newRMSNorm(at, "k_norm", c.HeadSize, c.Epsilon)
	}
	return m
}
