package models

import (
	"fmt"

	"inglenook/engine"
	"inglenook/weights"
)

// GPT-2: Radford et al. 2019, "Language Models are Unsupervised Multitask
// Learners". Learned positions, LayerNorm before each part, and linear layers
// that are stored the other way round.

func gpt2Sizes(f *fields) Config {
	c := Config{
		Vocab:      f.size(maxVocab, "vocab_size"),
		Hidden:     f.size(maxHidden, "n_embd", "hidden_size"),
		Layers:     f.size(maxLayers, "n_layer", "num_hidden_layers"),
		Heads:      f.size(maxHidden, "n_head", "num_attention_heads"),
		Positions:  f.size(maxPositions, "n_positions", "n_ctx", "max_position_embeddings"),
		Epsilon:    f.epsilon(1e-5, "layer_norm_epsilon"),
		Activation: f.activationOr(engine.GELUTanh, "activation_function"),
		Tied:       f.flagOr(true, "tie_word_embeddings"),
	}
	c.MaxTokens, c.KVHeads, c.HeadSize = c.Positions, c.Heads, f.headSize(c)
	if c.Intermediate = f.sizeOr(0, maxInner, "n_inner"); c.Intermediate == 0 {
		c.Intermediate = 4 * c.Hidden
	}
	if !f.flagOr(true, "scale_attn_weights") {
		c.ScoreScale = 1
	}
	c.ScoreByLayer = f.flagOr(false, "scale_attn_by_inverse_layer_idx")
	f.refuse(f.flagOr(false, "add_cross_attention"), "add_cross_attention is set: such a model needs an encoder beside it")
	c.everywhere(0, nil)
	return c
}

func buildGPT2(c Config, s *weights.Scope) *decoder {
	m := newDecoder(c)
	body := decoderBody(s, "transformer", "wte")
	m.wordsAndHead(s, body, "wte", "lm_head")
	m.pos = body.Matrix("wpe.weight", c.Positions, c.Hidden)
	m.finalNorm = newLayerNorm(body, "ln_f", c.Hidden, c.Epsilon)
	for i := range m.layers {
		l, at := &m.layers[i], body.In(fmt.Sprintf("h.%d", i))
		l.attentionNorm = newLayerNorm(at, "ln_1", c.Hidden, c.Epsilon)
		l.mlpNorm = newLayerNorm(at, "ln_2", c.Hidden, c.Epsilon)
		r := stacked(c)
		l.query = conv1D(c, at, "attn.c_attn", r.all, c.Hidden, r.query...)
		l.key = conv1D(c, at, "attn.c_attn", r.all, c.Hidden, r.key...)
		l.value = conv1D(c, at, "attn.c_attn", r.all, c.Hidden, r.value...)
		l.out = conv1D(c, at, "attn.c_proj", c.Hidden, c.Hidden)
		l.up = conv1D(c, at, "mlp.c_fc", c.Intermediate, c.Hidden)
		l.down = conv1D(c, at, "mlp.c_proj", c.Hidden, c.Intermediate)
		if c.ScoreByLayer {
			l.attend.Scale = float32(float64(l.attend.Scale) / float64(i+1))
		}
	}
	return m
}

// conv1D is a linear layer [out, in], or the given rows of it, that checkpoints
// store as [in, out]; GGUF files have turned it.
func conv1D(c Config, s *weights.Scope, name string, out, in int, rows ...[2]int) linear {
	if rows == nil {
		rows = [][2]int{{0, out}}
	}
	l := linear{b: s.VectorPart(name+".bias", out, rows...)}
	if c.GGUF {
		l.w = s.Rows(name+".weight", out, in, rows...)
	} else {
		l.w = s.Transposed(name+".weight", in, out, rows...)
	}
	return l
}
