package family

import (
	"math"
	"slices"
	"strings"

	"inglenook/models/nn"
)

// DecoderSizes reads the fields that most families of decoders spell alike;
// positions is the family's default.
func DecoderSizes(f *Fields, positions int) Config {
	c := Config{
		Vocab:        f.Size(MaxVocab, "vocab_size"),
		Hidden:       f.Size(MaxHidden, "hidden_size"),
		Layers:       f.Size(MaxLayers, "num_hidden_layers"),
		Heads:        f.Size(MaxHidden, "num_attention_heads"),
		Intermediate: f.Size(MaxInner, "intermediate_size"),
		MaxTokens:    f.Positions(positions),
		Tied:         f.FlagOr(false, "tie_word_embeddings"),
	}
	c.KVHeads = f.SizeOr(c.Heads, MaxHidden, "num_key_value_heads")
	c.HeadSize = f.SizeOr(0, MaxHidden, "head_dim")
	if c.HeadSize == 0 {
		c.HeadSize = f.HeadSize(c)
	}
	return c
}

// HeadSize divides the hidden columns among the heads.
func (f *Fields) HeadSize(c Config) int {
	if c.Hidden%c.Heads != 0 {
		f.Fail("%d hidden columns do not divide into %d attention heads", c.Hidden, c.Heads)
	}
	return max(c.Hidden/c.Heads, 1)
}

// MaxInner limits the feed-forward width, which is a few times the hidden one.
const MaxInner = 1 << 20

// Everywhere sets the same span for all layers.
func (c *Config) Everywhere(window int, r *nn.Rope) {
	c.Span = slices.Repeat([]Span{{Window: window, Rope: r}}, c.Layers)
}

// FinishDecoder checks the fields against each other and completes the config.
func (c Config) FinishDecoder(f *Fields) Config {
	c.Causal, c.Head = true, Logits
	if strings.HasSuffix(c.Architecture, classifies) {
		c.Labels = f.labels()
	}
	if f.Err != nil {
		return c
	}
	switch {
	case c.KVHeads < 1 || c.Heads%c.KVHeads != 0:
		f.Fail("%d attention heads do not divide into %d groups of keys and values", c.Heads, c.KVHeads)
	case c.HeadSize < 1 || c.Heads*c.HeadSize > MaxInner:
		f.Fail("%d attention heads of %d columns are not possible", c.Heads, c.HeadSize)
	}
	for _, s := range c.Span {
		if s.Rope != nil && s.Rope.Type == "yarn" { // checkpoints often state the positions of training
			c.MaxTokens = max(c.MaxTokens, min(int(float64(s.Rope.Original)*s.Rope.Factor), MaxPositions))
		}
	}
	if c.ScoreScale == 0 {
		c.ScoreScale = float32(1 / math.Sqrt(float64(c.HeadSize)))
	}
	return c
}

// Sliding reads for each layer whether it has a window: from layer_types, or
// from def if there are none.
func (f *Fields) Sliding(layers int, def func(i int) bool) []bool {
	slides := make([]bool, layers)
	types := f.LayerTypes(layers, "full_attention", "sliding_attention")
	for i := range slides {
		if types == nil {
			slides[i] = def(i)
		} else {
			slides[i] = types[i] == "sliding_attention"
		}
	}
	return slides
}

// LayerTypes reads which of two kinds each layer is, nil if the config does not say
// so.
func (f *Fields) LayerTypes(layers int, one, other string) []string {
	v := f.Values["layer_types"]
	if v == nil {
		return nil
	}
	list, ok := v.([]any)
	types := make([]string, layers)
	if !ok || len(list) != layers {
		f.Fail("layer_types is %s, not a list of %d names", Brief(v), layers)
		return types
	}
	for i := range types {
		types[i], _ = list[i].(string)
		if types[i] != one && types[i] != other {
			f.Fail("layer_types holds %s; only %q and %q are supported", Brief(list[i]), one, other)
		}
	}
	return types
}
