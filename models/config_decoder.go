package models

import (
	"math"
	"slices"

	"inglenook/models/nn"
)

// decoderSizes reads the fields that most families of decoders spell alike;
// positions is the family's default.
func decoderSizes(f *fields, positions int) Config {
	c := Config{
		Vocab:        f.size(maxVocab, "vocab_size"),
		Hidden:       f.size(maxHidden, "hidden_size"),
		Layers:       f.size(maxLayers, "num_hidden_layers"),
		Heads:        f.size(maxHidden, "num_attention_heads"),
		Intermediate: f.size(maxInner, "intermediate_size"),
		MaxTokens:    f.positions(positions),
		Tied:         f.flagOr(false, "tie_word_embeddings"),
	}
	c.KVHeads = f.sizeOr(c.Heads, maxHidden, "num_key_value_heads")
	c.HeadSize = f.sizeOr(0, maxHidden, "head_dim")
	if c.HeadSize == 0 {
		c.HeadSize = f.headSize(c)
	}
	return c
}

// headSize divides the hidden columns among the heads.
func (f *fields) headSize(c Config) int {
	if c.Hidden%c.Heads != 0 {
		f.fail("%d hidden columns do not divide into %d attention heads", c.Hidden, c.Heads)
	}
	return max(c.Hidden/c.Heads, 1)
}

// maxInner limits the feed-forward width, which is a few times the hidden one.
const maxInner = 1 << 20

// everywhere sets the same span for all layers.
func (c *Config) everywhere(window int, r *nn.Rope) {
	c.Span = slices.Repeat([]Span{{Window: window, Rope: r}}, c.Layers)
}

// decoder checks the fields against each other and completes the config.
func (c Config) decoder(f *fields) Config {
	c.Causal, c.Head = true, Logits
	if f.err != nil {
		return c
	}
	switch {
	case c.KVHeads < 1 || c.Heads%c.KVHeads != 0:
		f.fail("%d attention heads do not divide into %d groups of keys and values", c.Heads, c.KVHeads)
	case c.HeadSize < 1 || c.Heads*c.HeadSize > maxInner:
		f.fail("%d attention heads of %d columns are not possible", c.Heads, c.HeadSize)
	}
	for _, s := range c.Span {
		if s.Rope != nil && s.Rope.Type == "yarn" { // checkpoints often state the positions of training
			c.MaxTokens = max(c.MaxTokens, min(int(float64(s.Rope.Original)*s.Rope.Factor), maxPositions))
		}
	}
	if c.ScoreScale == 0 {
		c.ScoreScale = float32(1 / math.Sqrt(float64(c.HeadSize)))
	}
	return c
}

// sliding reads for each layer whether it has a window: from layer_types, or
// from def if there are none.
func (f *fields) sliding(layers int, def func(i int) bool) []bool {
	slides := make([]bool, layers)
	v := f.m["layer_types"]
	types, ok := v.([]any)
	if v != nil && (!ok || len(types) != layers) {
		f.fail("layer_types is %s, not a list of %d names", brief(v), layers)
		return slides
	}
	for i := range slides {
		if v == nil {
			slides[i] = def(i)
			continue
		}
		switch types[i] {
		case "sliding_attention":
			slides[i] = true
		case "full_attention":
		default:
			f.fail("layer_types holds %s; only \"full_attention\" and \"sliding_attention\" are supported", brief(types[i]))
		}
	}
	return slides
}
