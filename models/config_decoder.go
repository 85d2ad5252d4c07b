package models

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"inglenook/models/nn"
)

// decoderSizes reads what most families of decoders spell alike; positions are
// the family's usual ones.
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

// decoder checks together what was read one by one, and completes it.
func (c Config) decoder(f *fields) Config {
	c.Causal, c.Head = true, Logits
	if f.err != nil {
		return c
	}
	switch {
	case c.KVHeads < 1 || c.Heads%c.KVHeads != 0:
		f.fail("%d attention heads do not divide into %d groups of keys and values", c.Heads, c.KVHeads)
	case c.HeadSize < 1 || c.Heads*c.HeadSize > maxInner:
		f.fail("%d attention heads of %d columns cannot be", c.Heads, c.HeadSize)
	}
	for _, s := range c.Span {
		if s.Rope != nil && s.Rope.Type == "yarn" { // checkpoints often state what training saw
			c.MaxTokens = max(c.MaxTokens, min(int(float64(s.Rope.Original)*s.Rope.Factor), maxPositions))
		}
	}
	if c.ScoreScale == 0 {
		c.ScoreScale = float32(1 / math.Sqrt(float64(c.HeadSize)))
	}
	return c
}

// sliding reads for each layer whether it has a window: layer_types, or def
// where there are none.
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

// wholeNumber is a value as config.json has it.
func wholeNumber(n int) json.Number { return json.Number(strconv.Itoa(n)) }

// flagOr reads true or false.
func (f *fields) flagOr(def bool, names ...string) bool {
	name, v := f.find(names)
	if v == nil {
		return def
	}
	b, ok := v.(bool)
	if !ok {
		f.fail("%s is %s, neither true nor false", name, brief(v))
	}
	return b
}

// number reads a number from low to high.
func (f *fields) number(def, low, high float64, names ...string) float64 {
	name, v := f.find(names)
	if v == nil {
		return def
	}
	x, ok := float(v)
	if !ok {
		f.fail("%s is %s, not a number", name, brief(v))
		return def
	}
	if !(x >= low && x <= high) {
		f.fail("%s is %v, which is outside %v to %v", name, x, low, high)
		return def
	}
	return x
}

// numbers reads a list of n numbers from low to high, nil where it is absent.
func (f *fields) numbers(name string, n int, low, high float64) []float32 {
	v, there := f.m[name]
	if !there || v == nil {
		return nil
	}
	list, ok := v.([]any)
	if !ok || len(list) != n {
		f.fail("%s is %s, not a list of %d numbers", name, brief(v), n)
		return nil
	}
	xs := make([]float32, n)
	for i, e := range list {
		x, ok := float(e)
		if !ok || !(x >= low && x <= high) {
			f.fail("%s holds %s, not a number from %v to %v", name, brief(e), low, high)
			return nil
		}
		xs[i] = float32(x)
	}
	return xs
}

func float(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	x, err := n.Float64()
	return x, err == nil
}

// in reads the object under name, an empty one where it is absent. Its mistakes
// are those of f once done is called.
func (f *fields) in(name string) (inner *fields, done func()) {
	m, ok := f.m[name].(map[string]any)
	if v := f.m[name]; !ok && v != nil {
		f.fail("%s is %s, not an object", name, brief(v))
	}
	inner = &fields{m: m, spelled: f.spelled, where: f.where + name + ": "}
	return inner, func() {
		if f.err == nil {
			f.err = inner.err
		}
	}
}
