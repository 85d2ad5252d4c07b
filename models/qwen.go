package models

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/nn"
)

// Qwen2 and 2.5: Yang et al. 2024, arXiv:2407.10671 and arXiv:2412.15115.
// Llama's network with biases at queries, keys and values. Qwen3: Yang et al.
// 2025, arXiv:2505.09388. Norms of each head's query and key replace the biases.

func readQwen2(f *fields) Config {
	c := qwenSizes(f)
	c.design = llamaDesign{qkvBias: true}
	return c
}

func readQwen3(f *fields) Config {
	c := qwenSizes(f)
	c.design = qwen3Design{attentionBias: f.flagOr(false, "attention_bias")}
	return c
}

func qwenSizes(f *fields) Config {
	c := decoderSizes(f, 32768)
	c.Epsilon = f.epsilon(1e-6, "rms_norm_eps")
	c.Activation = f.activationOr(engine.SiLU, "hidden_act")
	window := 0
	if f.flagOr(false, "use_sliding_window") {
		window = f.sizeOr(4096, maxPositions, "sliding_window")
	}
	first := f.sizeOr(28, maxLayers, "max_window_layers") // the layers before it have no window
	c.everywhere(0, f.rope(c, 10000, 1))
	for i, slides := range f.sliding(c.Layers, func(i int) bool { return i >= first }) {
		if slides {
			c.Span[i].Window = window
		}
	}
	return c
}

type qwen3Design struct{ attentionBias bool }

// build implements decoderDesign: Llama's network with norms of each head's query
// and key.
func (d qwen3Design) build(c Config, b nn.Builder) (network, error) {
	m, at := newLlama(c, b)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		attention := at.In("self_attn")
		m.layers = append(m.layers, &preNormLayer{
			attentionNorm: nn.NewRMSNorm(at, "input_layernorm", c.Hidden, c.Epsilon),
			attention: nn.NormedAttention{
				Attention: c.attention(i, attention, d.attentionBias, "o_proj", d.attentionBias),
				QueryNorm: nn.NewRMSNorm(attention, "q_norm", c.HeadSize, c.Epsilon),
				KeyNorm:   nn.NewRMSNorm(attention, "k_norm", c.HeadSize, c.Epsilon),
			},
			mlpNorm: nn.NewRMSNorm(at, "post_attention_layernorm", c.Hidden, c.Epsilon),
			mlp:     c.gatedMLP(at.In("mlp"), false),
		})
	}
	return m, nil
}
