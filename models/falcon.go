package models

import (
	"fmt"
	"math"

	"inglenook/engine"
	"inglenook/weights"
)

// Falcon: Almazrouei et al. 2023, arXiv:2311.16867. Three kinds: 7B (one key
// and value for all heads, one norm for both parts of a layer), 40B and later
// (keys and values in groups, a norm for each part), and RefinedWeb (a key and
// value each, one part after the other, ALiBi, biases).

func falconSizes(f *fields) Config {
	c := Config{
		Vocab:      f.size(maxVocab, "vocab_size"),
		Hidden:     f.size(maxHidden, "hidden_size", "n_embed"),
		Layers:     f.size(maxLayers, "num_hidden_layers", "n_layer"),
		Heads:      f.size(maxHidden, "num_attention_heads", "n_head"),
		MaxTokens:  f.sizeOr(2048, maxPositions, "max_position_embeddings"),
		Epsilon:    f.epsilon(1e-5, "layer_norm_epsilon"),
		Activation: f.activation("activation"),
		Tied:       f.flagOr(true, "tie_word_embeddings"),
		ALiBi:      f.flagOr(false, "alibi"),
		MLPBias:    f.flagOr(false, "bias"),
		Parallel:   f.flagOr(true, "parallel_attn"),
	}
	c.QKVBias, c.OutBias = c.MLPBias, c.MLPBias
	c.HeadSize = f.headSize(c)
	c.Intermediate = f.sizeOr(4*c.Hidden, maxInner, "ffn_hidden_size")
	f.refuse(c.Intermediate < 1, "ffn_hidden_size is 0")
	f.refuse(c.MaxTokens < 1, "max_position_embeddings is 0")
	groups := f.flagOr(false, "new_decoder_architecture")
	norms := f.sizeOr(0, 2, "num_ln_in_parallel_attn")
	switch {
	case groups:
		c.KVHeads = f.sizeOr(c.Heads, maxHidden, "num_kv_heads", "n_head_kv")
		f.refuse(!c.Parallel, "new_decoder_architecture without parallel_attn cannot be")
		if c.Norms = 2; norms != 0 {
			c.Norms = norms
		}
	case f.flagOr(true, "multi_query"):
		c.KVHeads = 1
	default:
		c.KVHeads = c.Heads
	}
	if !groups && c.Parallel {
		c.Norms = 1
		f.refuse(norms == 2, "num_ln_in_parallel_attn is 2 without new_decoder_architecture")
	}
	var r *Rope
	if !c.ALiBi {
		r = f.rope(c, 10000, 1)
	}
	c.everywhere(0, r)
	return c
}

func buildFalcon(c Config, s *weights.Scope) *decoder {
	body := decoderBody(s, "transformer", "word_embeddings")
	if c.GGUF && !body.Has("h.0.ln_attn.weight") {
		c.Norms = 1
	}
	m := newDecoder(c)
	m.wordsAndHead(s, body, "word_embeddings", "lm_head")
	m.finalNorm = newLayerNorm(body, "ln_f", c.Hidden, c.Epsilon)
	rows := grouped(c)
	if c.GGUF {
		rows = stacked(c)
	}
	slopes := falconSlopes(c)
	for i := range m.layers {
		l, at := &m.layers[i], body.In(fmt.Sprintf("h.%d", i))
		switch {
		case c.Parallel && c.Norms == 2:
			l.attentionNorm = newLayerNorm(at, "ln_attn", c.Hidden, c.Epsilon)
			l.mlpNorm = newLayerNorm(at, "ln_mlp", c.Hidden, c.Epsilon)
		default:
			l.attentionNorm = newLayerNorm(at, "input_layernorm", c.Hidden, c.Epsilon)
			if !c.Parallel {
				l.mlpNorm = newLayerNorm(at, "post_attention_layernorm", c.Hidden, c.Epsilon)
			}
		}
		l.fusedAttention(c, at, "self_attention.query_key_value", rows, c.QKVBias)
		l.out = newProjection(c, at, "self_attention.dense", c.Hidden, c.Hidden, c.OutBias)
		l.up = newProjection(c, at, "mlp.dense_h_to_4h", c.Intermediate, c.Hidden, c.MLPBias)
		l.down = newProjection(c, at, "mlp.dense_4h_to_h", c.Hidden, c.Intermediate, c.MLPBias)
		if c.ALiBi {
			l.attend.Slopes, l.attend.RoundBias, l.attend.BiasScale = slopes, true, falconBiases*c.ScoreScale
		}
	}
	return m
}

// falconBiases is how often the position bias counts. The plain attention of the
// reference library (transformers 5, "eager"), to which every family here is
// held, adds it twice: to the scores, and with the mask. Its fused attention
// ("sdpa") adds it once.
const falconBiases = 2

// falconSlopes are those of ALiBi (Press et al. 2021, arXiv:2108.12409, §3): a
// geometric sequence for a power of two of heads, for other numbers continued
// with every second slope of the next power. The reference library rounds them
// to bfloat16.
func falconSlopes(c Config) []float32 {
	slopes := make([]float32, c.Heads)
	power := 1
	for 2*power <= c.Heads {
		power *= 2
	}
	base := func(n int) float64 { return float64(float32(math.Exp2(-8 / float64(n)))) }
	for i := range slopes {
		x := math.Pow(base(power), float64(i+1))
		if i >= power {
			x = math.Pow(base(2*power), float64(2*(i-power)+1))
		}
		slopes[i] = engine.BF16ToF32(engine.F32ToBF16(float32(x)))
	}
	return slopes
}
