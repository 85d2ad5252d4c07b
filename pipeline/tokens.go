package pipeline

import (
	"inglenook/sampling"
	"inglenook/tokenizer"
)

// The types that a caller of the tokenizer of [OpenTokenizer] has to name.
type (
	Tokenizer       = tokenizer.Tokenizer
	TokenizeOptions = tokenizer.Options
	Encoding        = tokenizer.Encoding
)

// Sampling says how the next token is chosen from the model's scores.
type Sampling = sampling.Options

// DefaultSampling returns settings that suit most models. They hold where the makers of
// a model say nothing else.
func DefaultSampling() Sampling { return sampling.Default() }
