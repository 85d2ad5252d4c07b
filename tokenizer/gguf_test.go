package tokenizer

import (
	"os"
	"testing"

	"inglenook/tokenizer/convert"
	"inglenook/weights/gguf"
)

// readVocabulary reads the vocabulary of a GGUF file.
func readVocabulary(t testing.TB, path string) convert.Vocabulary {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	file, err := gguf.Read(f, info.Size())
	if err != nil {
		t.Fatal(path, err)
	}
	m := file.Meta
	text := func(key string) string {
		s, _ := m.String(key)
		return s
	}
	id := func(key string) int32 {
		if n, err := m.Int(key); err == nil {
			return int32(n)
		}
		return -1
	}
	flag := func(key string) *bool {
		if b, err := m.Bool(key); err == nil {
			return &b
		}
		return nil
	}
	v := convert.Vocabulary{
		Model:                  text("tokenizer.ggml.model"),
		Pre:                    text("tokenizer.ggml.pre"),
		BOS:                    id("tokenizer.ggml.bos_token_id"),
		EOS:                    id("tokenizer.ggml.eos_token_id"),
		EOT:                    id("tokenizer.ggml.eot_token_id"),
		UNK:                    id("tokenizer.ggml.unknown_token_id"),
		PAD:                    id("tokenizer.ggml.padding_token_id"),
		SEP:                    id("tokenizer.ggml.seperator_token_id"),
		CLS:                    id("tokenizer.ggml.cls_token_id"),
		MASK:                   id("tokenizer.ggml.mask_token_id"),
		AddBOS:                 flag("tokenizer.ggml.add_bos_token"),
		AddEOS:                 flag("tokenizer.ggml.add_eos_token"),
		AddSpacePrefix:         flag("tokenizer.ggml.add_space_prefix"),
		RemoveExtraWhitespaces: flag("tokenizer.ggml.remove_extra_whitespaces"),
		Lowercase:              flag("tokenizer.ggml.normalizer.lowercase"),
		StripAccents:           flag("tokenizer.ggml.normalizer.strip_accents"),
		ChatTemplate:           text("tokenizer.chat_template"),
		Architecture:           text("general.architecture"),
	}
	v.Tokens, _ = m.Strings("tokenizer.ggml.tokens")
	v.Merges, _ = m.Strings("tokenizer.ggml.merges")
	v.Scores, _ = m.Floats("tokenizer.ggml.scores")
	types, _ := m.Ints("tokenizer.ggml.token_type")
	for _, n := range types {
		v.Types = append(v.Types, int32(n))
	}
	charsmap, _ := m.Ints("tokenizer.ggml.precompiled_charsmap")
	for _, n := range charsmap {
		v.Charsmap = append(v.Charsmap, byte(n))
	}
	return v
}
