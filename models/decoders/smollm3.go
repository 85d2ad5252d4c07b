package decoders

import (
	"inglenook/engine"
	"inglenook/models/family"
)

// SmolLM3: Bakouch et al. 2025, huggingface.co/blog/smollm3. Llama's network, in
// which some layers do not rotate by position (NoPE, arXiv:2501.18795).

func readSmolLM3(f *family.Fields) family.Config {
	c := family.DecoderSizes(f, 32768)
	c.Epsilon = f.Epsilon(1e-6, "rms_norm_eps")
	c.Activation = f.ActivationOr(engine.SiLU, "hidden_act")
	c.Tied = f.FlagOr(true, "tie_word_embeddings")
	window := 0
	if f.FlagOr(false, "use_sliding_window") {
		window = f.SizeOr(0, family.MaxPositions, "sliding_window")
	}
	c.Everywhere(0, f.Rope(c, 2e6, 1))
	turns := f.Numbers("no_rope_layers", c.Layers, 0, 1) // 1 where a layer rotates
	interval := f.SizeOr(4, family.MaxLayers, "no_rope_layer_interval")
	f.Refuse(interval == 0, "no_rope_layer_interval is 0")
	for i := range c.Span {
		if turns != nil && turns[i] == 0 || turns == nil && interval > 0 && (i+1)%interval == 0 {
			c.Span[i].Rope = nil
		}
	}
	for i, slides := range f.Sliding(c.Layers, func(i int) bool { return c.Span[i].Rope == nil }) {
		if slides {
			c.Span[i].Window = window
		}
	}
	bias := f.FlagOr(false, "attention_bias")
	c.Design = llamaDesign{qkvBias: bias, outBias: bias, mlpBias: f.FlagOr(false, "mlp_bias")}
	return c
}
