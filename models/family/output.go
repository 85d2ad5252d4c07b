package family

// Batch is a ragged batch of token ids: text i is Tokens[Starts[i]:Starts[i+1]],
// so Starts has one entry more than there are texts, and there is no padding.
// Types are the segment ids of each token; nil means all 0. Wanted are the tokens of which
// the outputs Marks and Words have a row, in rising order; nil means all.
type Batch struct {
	Tokens, Types, Starts []int32
	Wanted                []int32
	Pixels                []float32 // of pictures instead of tokens: each [3, size, size], end to end
}

// Output is the result of a forward pass.
type Output uint8

// The outputs. Hidden is the last hidden state [tokens, hidden], First that of
// each text's first token [texts, hidden], Pooled the pooler's vectors
// [texts, width], Logits the classification head's scores [texts, labels], Marks the
// scores of labels of each token [tokens, labels], and Words those of the words that may
// stand in a token's place [tokens, vocab].
const (
	Hidden Output = iota
	First
	Pooled
	Logits
	Marks
	Words
)

// String returns the name of the output.
func (o Output) String() string {
	return [...]string{"hidden", "first", "pooled", "logits", "labels of tokens", "words"}[o]
}
