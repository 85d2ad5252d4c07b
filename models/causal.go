package models

import (
	"errors"
	"fmt"
	"slices"

	"inglenook/engine"
	"inglenook/weights"
)

// Decoder records passes of one language model that reads from left to right.
// It is safe for use by several goroutines, each with its own graph and cache.
type Decoder interface {
	Config() Config
	// NewCache makes room for the keys and values of so many tokens, in F32, F16
	// or Q8_0. It takes memory from the first pass that uses it until Release.
	NewCache(d engine.DType, tokens int) (*Cache, error)
	// Forward records a pass over tokens that continue what c holds. The result
	// has a row for each of wanted, which are indexes into tokens (nil: all):
	// Logits [wanted, vocab] or Hidden [wanted, hidden], the state after the
	// last norm. The last layer computes only these rows after its attention.
	// Mistakes (an id outside the vocabulary, a full cache) stick to the graph.
	Forward(g *engine.Graph, tokens []int32, c *Cache, wanted []int32, out Output) *engine.Tensor
}

// Cache holds the keys and values of the tokens seen so far. Whoever runs a
// recorded pass adds its tokens to Len afterwards, and may set Len back to
// continue from an earlier token: what lies behind is overwritten.
type Cache struct {
	Keys, Values []*engine.Tensor // [Capacity, kvHeads·headSize], one a layer
	Len          int              // tokens held
	Capacity     int

	rotary []*engine.Rotary // one a layer; nil where positions turn nothing
}

// Release frees the memory of the cache, which is empty afterwards.
func (c *Cache) Release() error {
	c.Len = 0
	var errs []error
	for _, t := range slices.Concat(c.Keys, c.Values) {
		errs = append(errs, t.Release())
	}
	return errors.Join(errs...)
}

// CacheBytes is the memory that a cache of type d for so many tokens takes.
func (c Config) CacheBytes(d engine.DType, tokens int) int64 {
	return 2 * int64(c.Layers) * int64(d.RowBytes(c.KVHeads*c.HeadSize)) * int64(tokens)
}

// NewCache implements Decoder.
func (m *decoder) NewCache(d engine.DType, tokens int) (*Cache, error) {
	c := m.config
	cols := c.KVHeads * c.HeadSize
	switch {
	case tokens < 1 || tokens > maxPositions:
		return nil, fmt.Errorf("a context of %d tokens cannot be; choose 1 to %d", tokens, maxPositions)
	case c.Positions > 0 && tokens > c.Positions:
		return nil, fmt.Errorf("a context of %d tokens is longer than the %d positions of this model", tokens, c.Positions)
	case d != engine.F32 && d != engine.F16 && d != engine.Q8_0:
		return nil, fmt.Errorf("the cache cannot be of type %s; choose f32, f16 or q8_0", d)
	case cols%d.Block() != 0:
		return nil, fmt.Errorf("the cache cannot be of type %s, because the %d columns of this model's keys do not divide into blocks of %d; choose f16 or f32", d, cols, d.Block())
	}
	cache := &Cache{Capacity: tokens}
	turns := map[*Rope]*engine.Rotary{nil: nil}
	for i, s := range c.Span {
		if _, known := turns[s.Rope]; !known {
			turns[s.Rope] = s.Rope.rotary(c.HeadSize, tokens)
		}
		cache.rotary = append(cache.rotary, turns[s.Rope])
		cache.Keys = append(cache.Keys, engine.NewCache(fmt.Sprintf("layer %d keys", i), d, tokens, cols))
		cache.Values = append(cache.Values, engine.NewCache(fmt.Sprintf("layer %d values", i), d, tokens, cols))
	}
	return cache, nil
}

// causal is one row of the table of decoders: how to read the config and how
// to build.
type causal struct {
	sizes func(*fields) Config
	build func(Config, *weights.Scope) *decoder
}

// decoders maps the architecture names of config.json.
var decoders = map[string]causal{
	"LlamaForCausalLM":    {llamaSizes, buildLlama},
	"MistralForCausalLM":  {mistralSizes, buildLlama},
	"Qwen2ForCausalLM":    {qwen2Sizes, buildLlama},
	"Qwen3ForCausalLM":    {qwen3Sizes, buildQwen3},
	"SmolLM3ForCausalLM":  {smolLM3Sizes, buildLlama},
	"PhiForCausalLM":      {phiSizes, buildPhi},
	"Phi3ForCausalLM":     {phi3Sizes, buildPhi3},
	"StableLmForCausalLM": {stableLMSizes, buildStableLM},
	"FalconForCausalLM":   {falconSizes, buildFalcon},
	"Gemma2ForCausalLM":   {gemma2Sizes, buildGemma2},
	"Gemma3ForCausalLM":   {gemma3Sizes, buildGemma3},
	"GPT2LMHeadModel":     {gpt2Sizes, buildGPT2},
	"GPTNeoXForCausalLM":  {gptNeoXSizes, buildGPTNeoX},
}

// LoadDecoder builds the decoder that config.json or the metadata of a GGUF
// file describes. Nothing is read but the tensor directory; the error names all
// missing tensors at once.
func LoadDecoder(c Config, set *weights.Set) (Decoder, error) {
	f, ok := decoders[c.Architecture]
	if !ok {
		if _, encoder := families[c.Architecture]; encoder {
			return nil, fmt.Errorf("%s reads text in both directions; it cannot write any", c.Architecture)
		}
		return nil, unsupported(c.Architecture, c.ModelType)
	}
	if c.GGUF {
		var err error
		if c, err = c.fromTensors(set); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Architecture, err)
		}
	}
	scope := set.Scope()
	m := f.build(c, scope)
	if m.err == nil {
		m.err = scope.Err()
	}
	if m.err != nil {
		return nil, fmt.Errorf("%s: %w", c.Architecture, m.err)
	}
	return m, nil
}
