package pipeline

import (
	"testing"
	"testing/fstest"

	"inglenook/weights/gguf/gguftest"
)

// Of a file with a vocabulary alone the description says just that.
func TestVocabularyAlone(t *testing.T) {
	files := fstest.MapFS{"model.gguf": {Data: gguftest.File([]gguftest.Pair{
		{Key: "general.architecture", Value: "gpt2"},
		{Key: "gpt2.context_length", Value: uint32(64)},
		{Key: "gpt2.embedding_length", Value: uint32(8)},
		{Key: "gpt2.block_count", Value: uint32(1)},
		{Key: "gpt2.feed_forward_length", Value: uint32(32)},
		{Key: "gpt2.attention.head_count", Value: uint32(2)},
		{Key: "gpt2.attention.layer_norm_epsilon", Value: float32(1e-5)},
		{Key: "tokenizer.ggml.model", Value: "gpt2"},
		{Key: "tokenizer.ggml.tokens", Value: []string{"a", "b"}},
		{Key: "tokenizer.ggml.token_type", Value: []int32{1, 1}},
		{Key: "tokenizer.ggml.merges", Value: []string{}},
	}, nil)}}
	d, err := Describe(files, "model.gguf")
	if want := "model.gguf holds only a vocabulary, no model: choose the file with the weights of the model"; err != nil || d.Reason != want {
		t.Errorf("%q, %v", d.Reason, err)
	}
}
