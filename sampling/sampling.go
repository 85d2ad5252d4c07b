// Package sampling chooses the next token of a reply. A [Sampler] turns the
// logits of a language model into one token id, a [Mask] says which tokens may
// come next (sampling/grammar makes it, for valid JSON), a [Stopper] finds stop
// strings in the text, a [Thinker] separates a thinking block from the answer,
// and a [Looper] notices that a reply repeats itself.
//
// For each reply, use one Sampler and at most one of each of the others. The
// package does not know models, tokenizers or devices: logits are plain float32
// numbers, tokens are ids with their bytes.
//
// The package does not look ahead: it has no beam search, no speculative
// decoding, and no sampler that keeps state between tokens (Mirostat, DRY).
package sampling

import (
	"errors"
	"fmt"
	"math"
)

// Options are the settings of a [Sampler], with the same meaning as in
// llama.cpp. The zero value always chooses the most likely token. To draw at
// random start from [Default] or [Neutral], because a TopP of 0 is a real
// setting.
type Options struct {
	Temperature float64 // above 1 flattens, below 1 sharpens; 0: always the most likely token

	TopK     int     // keeps this many of the most likely tokens; 0: all
	TypicalP float64 // keeps the tokens whose surprise is nearest to the entropy, up to this mass; 1: all
	TopP     float64 // keeps the fewest most likely tokens with at least this mass; 1: all, 0: one
	MinP     float64 // keeps tokens at least this fraction as likely as the most likely one; 0: all

	RepeatPenalty    float64 // divides positive and multiplies negative logits of seen tokens; 1 and 0: off
	FrequencyPenalty float64 // subtracted from a token's logit for each time it was seen
	PresencePenalty  float64 // subtracted from a token's logit once if it was seen
	RepeatWindow     int     // how many of the last tokens count as seen; 0: none, negative: all

	LogitBias map[int32]float32 // added to the logits of tokens; -Inf bans a token
	Seed      uint64            // the same seed gives the same tokens
}

// Default returns llama.cpp's defaults, which suit most models.
func Default() Options {
	o := Neutral()
	o.Temperature, o.TopK, o.TopP, o.MinP = 0.8, 40, 0.95, 0.05
	return o
}

// Likeliest returns options that always take the likeliest token.
func Likeliest() Options {
	o := Neutral()
	o.Temperature, o.RepeatWindow = 0, -1
	return o
}

// Neutral returns options that draw from the model's distribution unchanged.
func Neutral() Options {
	return Options{Temperature: 1, TypicalP: 1, TopP: 1, RepeatPenalty: 1, RepeatWindow: 64}
}

// ErrLogits is wrapped by a [Sampler]'s error about logits that no working
// model computes: none, NaN, +Inf, or -Inf throughout. The same pass on another
// device may compute valid ones.
var ErrLogits = errors.New("the model computed numbers that cannot be used")

// ErrNothingAllowed is a [Sampler]'s error if it may choose no token, because
// the mask and the bans of the logit bias leave none with a probability above
// 0.
var ErrNothingAllowed = errors.New("no token is allowed to come next; loosen the output format or the logit bias")

// Check returns an error, one sentence, if a setting is invalid.
func (o Options) Check() error {
	for _, s := range []struct {
		name      string
		value     float64
		low, high float64
		allowed   string
	}{
		{"temperature", o.Temperature, 0, math.MaxFloat64, "0 (always the most likely token) or more, such as 0.8"},
		{"typical-p", o.TypicalP, 0, 1, "between 0 and 1 (which keeps every token)"},
		{"top-p", o.TopP, 0, 1, "between 0 and 1 (which keeps every token)"},
		{"min-p", o.MinP, 0, 1, "between 0 (which keeps every token) and 1"},
		{"repeat penalty", o.RepeatPenalty, 0, math.MaxFloat64, "0 or more, such as 1.1; 1 changes nothing"},
		{"frequency penalty", o.FrequencyPenalty, -math.MaxFloat64, math.MaxFloat64, "a number, mostly between -2 and 2"},
		{"presence penalty", o.PresencePenalty, -math.MaxFloat64, math.MaxFloat64, "a number, mostly between -2 and 2"},
	} {
		if !(s.low <= s.value && s.value <= s.high) {
			return fmt.Errorf("the %s is %v; it has to be %s", s.name, s.value, s.allowed)
		}
	}
	if o.TopK < 0 {
		return fmt.Errorf("the top-k is %d; it has to be 0 (which keeps every token) or more, such as 40", o.TopK)
	}
	for id, bias := range o.LogitBias {
		if id < 0 {
			return fmt.Errorf("the logit bias names token %d; token ids begin at 0", id)
		}
		if bias != bias || bias > math.MaxFloat32 {
			return fmt.Errorf("the logit bias of token %d is %v; it has to be a number, mostly between -100 and 100, or -Inf to ban the token", id, bias)
		}
	}
	return nil
}
