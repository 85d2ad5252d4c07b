package pipeline

import "inglenook/tokenizer"

// The types that a caller of the tokenizer of [OpenTokenizer] has to name.
type (
	Tokenizer       = tokenizer.Tokenizer
	TokenizeOptions = tokenizer.Options
	Encoding        = tokenizer.Encoding
)
