package models

import (
	"fmt"
	"math"

	"inglenook/engine"
	"inglenook/weights"
)

// Gemma 2: Riviere et al. 2024, arXiv:2408.00118. Norms before and after each
// part of a layer, soft caps, every second layer with a window. Gemma 3 (text):
// Kamath et al. 2025, arXiv:2503.19786. Norms of each head's query and key
// instead of caps, five layers with a window to one without, and slower turning
// positions in those without.

func gemma2Sizes(f *fields) Config {
	c := gemmaSizes(f)
	c.ScoreCap, c.LogitCap = f.cap(50, "attn_logit_softcapping"), f.cap(30, "final_logit_softcapping")
	r := f.rope(c, 10000, 1)
	window := f.gemmaWindow()
	for i, slides := range f.sliding(c.Layers, func(i int) bool { return i%2 == 0 }) {
		c.Span[i].Rope = r
		if slides {
			c.Span[i].Window = window
		}
	}
	return c
}

func gemma3Sizes(f *fields) Config {
	c := gemmaSizes(f)
	c.ScoreCap, c.LogitCap = f.cap(0, "attn_logit_softcapping"), f.cap(0, "final_logit_softcapping")
	global, local := f.gemma3Ropes(c)
	window := f.gemmaWindow()
	pattern := f.sizeOr(6, maxLayers, "sliding_window_pattern")
	f.refuse(pattern == 0, "sliding_window_pattern is 0")
	for i, slides := range f.sliding(c.Layers, func(i int) bool { return pattern > 0 && (i+1)%pattern != 0 }) {
		c.Span[i] = Span{Rope: global}
		if slides {
			c.Span[i] = Span{Window: window, Rope: local}
		}
	}
	return c
}

func gemmaSizes(f *fields) Config {
	c := decoderSizes(f)
	c.HeadSize = f.sizeOr(256, maxHidden, "head_dim")
	c.Epsilon = f.epsilon(1e-6, "rms_norm_eps")
	c.Activation = f.activationOr(engine.GELUTanh, "hidden_activation", "hidden_act")
	c.QKVBias = f.flagOr(false, "attention_bias")
	c.OutBias = c.QKVBias
	c.Tied = f.flagOr(true, "tie_word_embeddings")
	c.ScoreScale = float32(1 / math.Sqrt(f.number(256, 1e-3, 1e9, "query_pre_attn_scalar")))
	f.refuse(f.flagOr(false, "use_bidirectional_attention"), "use_bidirectional_attention is set: such a model reads text in both directions and cannot write any")
	c.everywhere(0, nil)
	return c
}

// gemmaWindow reads the window, which a hand-written config may leave out.
func (f *fields) gemmaWindow() int {
	if _, stated := f.m["sliding_window"]; !stated {
		return 4096
	}
	return f.sizeOr(0, maxPositions, "sliding_window")
}

// cap reads a soft bound: the default where it is absent, none where it is null.
func (f *fields) cap(def float64, name string) float32 {
	v, stated := f.m[name]
	if stated && v == nil {
		return 0
	}
	return float32(f.number(def, 1e-3, 1e9, name))
}

// gemma3Ropes reads the positions of the layers that see everything and of those
// with a window: today's rope_parameters by layer type, or the older rope_theta,
// rope_scaling (for the first alone) and rope_local_base_freq.
func (f *fields) gemma3Ropes(c Config) (global, local *Rope) {
	both, done := f.in("rope_parameters")
	defer done()
	wide, wideDone := both.in("full_attention")
	near, nearDone := both.in("sliding_attention")
	defer nearDone()
	defer wideDone()
	theta := f.number(1e6, 1, 1e12, "rope_theta")
	if f.m["rope_scaling"] != nil {
		older, olderDone := f.in("rope_scaling")
		defer olderDone()
		wide = older
	}
	return wide.ropeParameters(c, theta, 1, 0), near.ropeParameters(c, f.number(10000, 1, 1e12, "rope_local_base_freq"), 1, 0)
}

func buildGemma2(c Config, s *weights.Scope) *decoder {
	m := newDecoder(c)
	body := decoderBody(s, "model", "embed_tokens")
	m.wordsAndHead(s, body, "embed_tokens", "lm_head")
	m.wordScale = gemmaWordScale(c, m.word.DType)
	m.finalNorm = gemmaNorm(c, body, "norm", c.Hidden)
	for i := range m.layers {
		l, at := &m.layers[i], body.In(fmt.Sprintf("layers.%d", i))
		l.attentionNorm = gemmaNorm(c, at, "input_layernorm", c.Hidden)
		l.attentionEnd = gemmaNorm(c, at, "post_attention_layernorm", c.Hidden)
		l.mlpNorm = gemmaNorm(c, at, "pre_feedforward_layernorm", c.Hidden)
		l.mlpEnd = gemmaNorm(c, at, "post_feedforward_layernorm", c.Hidden)
		l.attentionWeights(c, at.In("self_attn"), "o_proj")
		l.gatedMLP(c, at.In("mlp"))
	}
	return m
}

func buildGemma3(c Config, s *weights.Scope) *decoder {
	m := buildGemma2(c, s)
	for i := range m.layers {
		l, at := &m.layers[i], decoderBody(s, "model", "embed_tokens").In(fmt.Sprintf("layers.%d.self_attn", i))
		l.queryNorm = gemmaNorm(c, at, "q_norm", c.HeadSize)
		l.keyNorm = gemmaNorm(c, at, "k_norm", c.HeadSize)
	}
	return m
}

// gemmaNorm is an RMSNorm whose stored weights are 1 less than what they
// multiply by, except in GGUF files.
func gemmaNorm(c Config, s *weights.Scope, name string, n int) preNorm {
	norm := newRMSNorm(s, name, n, c.Epsilon)
	if !c.GGUF {
		norm.offset = 1
	}
	return norm
}

// gemmaWordScale is √hidden, in the type of the table as the reference library
// rounds it.
func gemmaWordScale(c Config, d engine.DType) float32 {
	x := float32(math.Sqrt(float64(c.Hidden)))
	switch {
	case c.GGUF:
		return x
	case d == engine.F16:
		return engine.F16ToF32(engine.F32ToF16(x))
	case d == engine.BF16:
		return engine.BF16ToF32(engine.F32ToBF16(x))
	}
	return x
}
