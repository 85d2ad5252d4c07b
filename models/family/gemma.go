package family

import (
	"math"

	"inglenook/engine"
	"inglenook/models/nn"
)

// Gemma3 reads the config of Gemma 3 but for its caps: sizes, and what each layer sees.
func (f *Fields) Gemma3() Config {
	c := f.GemmaSizes(131072)
	c.ScoreScale = f.GemmaScale()
	global, local := f.gemma3Ropes(c)
	window := f.GemmaWindow()
	pattern := f.SizeOr(6, MaxLayers, "sliding_window_pattern")
	f.Refuse(pattern == 0, "sliding_window_pattern is 0")
	for i, slides := range f.Sliding(c.Layers, func(i int) bool { return pattern > 0 && (i+1)%pattern != 0 }) {
		c.Span[i] = Span{Rope: global}
		if slides {
			c.Span[i] = Span{Window: window, Rope: local}
		}
	}
	return c
}

// GemmaSizes reads the fields that all Gemmas spell alike; positions is the default.
func (f *Fields) GemmaSizes(positions int) Config {
	c := DecoderSizes(f, positions)
	c.HeadSize = f.SizeOr(256, MaxHidden, "head_dim")
	c.Epsilon = f.Epsilon(1e-6, "rms_norm_eps")
	c.Activation = f.ActivationOr(engine.GELUTanh, "hidden_activation")
	c.Tied = f.FlagOr(true, "tie_word_embeddings")
	c.Everywhere(0, nil)
	return c
}

// GemmaScale reads the factor of the scores, which does not follow from the
// head's size.
func (f *Fields) GemmaScale() float32 {
	return float32(1 / math.Sqrt(f.Number(256, 1e-3, 1e9, "query_pre_attn_scalar")))
}

// GemmaWindow reads the window, which a hand-written config may leave out.
func (f *Fields) GemmaWindow() int {
	if _, stated := f.Values["sliding_window"]; !stated {
		return 4096
	}
	return f.SizeOr(0, MaxPositions, "sliding_window")
}

// gemma3Ropes reads the positions of the layers with full attention and of those
// with a window: today's rope_parameters by layer type, or the older rope_theta,
// rope_scaling (for the full layers only) and rope_local_base_freq.
func (f *Fields) gemma3Ropes(c Config) (global, local *nn.Rope) {
	theta := f.Number(1e6, 1, 1e12, "rope_theta")
	global, local = f.LayerRopes(c, theta, f.Number(10000, 1, 1e12, "rope_local_base_freq"))
	if f.Values["rope_scaling"] != nil {
		older, done := f.In("rope_scaling")
		defer done()
		global = older.RopeParameters(c, theta, 1, 0)
	}
	return global, local
}
