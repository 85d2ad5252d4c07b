package models

import "inglenook/engine"

// SmolLM3: Bakouch et al. 2025, huggingface.co/blog/smollm3. Llama's network, in
// which some layers do not rotate by position (NoPE, arXiv:2501.18795).

func readSmolLM3(f *fields) Config {
	c := decoderSizes(f, 32768)
	c.Epsilon = f.epsilon(1e-6, "rms_norm_eps")
	c.Activation = f.activationOr(engine.SiLU, "hidden_act")
	c.Tied = f.flagOr(true, "tie_word_embeddings")
	window := 0
	if f.flagOr(false, "use_sliding_window") {
		window = f.sizeOr(0, maxPositions, "sliding_window")
	}
	c.everywhere(0, f.rope(c, 2e6, 1))
	turns := f.numbers("no_rope_layers", c.Layers, 0, 1) // 1 where a layer rotates
	interval := f.sizeOr(4, maxLayers, "no_rope_layer_interval")
	f.refuse(interval == 0, "no_rope_layer_interval is 0")
	for i := range c.Span {
		if turns != nil && turns[i] == 0 || turns == nil && interval > 0 && (i+1)%interval == 0 {
			c.Span[i].Rope = nil
		}
	}
	for i, slides := range f.sliding(c.Layers, func(i int) bool { return c.Span[i].Rope == nil }) {
		if slides {
			c.Span[i].Window = window
		}
	}
	bias := f.flagOr(false, "attention_bias")
	c.design = llamaDesign{qkvBias: bias, outBias: bias, mlpBias: f.flagOr(false, "mlp_bias")}
	return c
}
