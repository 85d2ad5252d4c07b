package words

import (
	"inglenook/pipeline/chattemplate"
	"inglenook/tokenizer"
	"inglenook/tokenizer/convert"
	"inglenook/weights/gguf"
)

// tokenizerOf returns the tokenizer that the metadata of a GGUF file describes.
func tokenizerOf(m *gguf.Meta) (*tokenizer.Tokenizer, error) {
	v := metaReader{m: m}
	vocabulary := convert.Vocabulary{
		Model:  v.text("tokenizer.ggml.model"),
		Pre:    v.text("tokenizer.ggml.pre"),
		Tokens: read(&v, m.Strings, "tokenizer.ggml.tokens"),
		Scores: read(&v, m.Floats, "tokenizer.ggml.scores"),
		Types:  int32s(read(&v, m.Ints, "tokenizer.ggml.token_type")),
		Merges: read(&v, m.Strings, "tokenizer.ggml.merges"),

		BOS:  v.id("tokenizer.ggml.bos_token_id"),
		EOS:  v.id("tokenizer.ggml.eos_token_id"),
		EOT:  v.id("tokenizer.ggml.eot_token_id"),
		UNK:  v.id("tokenizer.ggml.unknown_token_id"),
		PAD:  v.id("tokenizer.ggml.padding_token_id"),
		SEP:  v.id("tokenizer.ggml.seperator_token_id"), // spelled so
		CLS:  v.id("tokenizer.ggml.cls_token_id"),
		MASK: v.id("tokenizer.ggml.mask_token_id"),

		AddBOS:                 v.flag("tokenizer.ggml.add_bos_token"),
		AddEOS:                 v.flag("tokenizer.ggml.add_eos_token"),
		AddSpacePrefix:         v.flag("tokenizer.ggml.add_space_prefix"),
		RemoveExtraWhitespaces: v.flag("tokenizer.ggml.remove_extra_whitespaces"),
		Charsmap:               bytesOf(read(&v, m.Ints, "tokenizer.ggml.precompiled_charsmap")),
		Lowercase:              v.flag("tokenizer.ggml.normalizer.lowercase"),
		StripAccents:           v.flag("tokenizer.ggml.normalizer.strip_accents"),

		ChatTemplate: v.text("tokenizer.chat_template"),
		Architecture: v.text("general.architecture"),
	}
	if v.err != nil {
		return nil, v.err
	}
	return tokenizer.FromVocabulary(vocabulary)
}

// metaReader reads values that may be absent and keeps the first error.
type metaReader struct {
	m   *gguf.Meta
	err error
}

// read returns the value of a key, the zero value where there is none.
func read[T any](r *metaReader, get func(string) (T, error), key string) T {
	var none T
	if !r.m.Has(key) {
		return none
	}
	v, err := get(key)
	if err != nil && r.err == nil {
		r.err = err
	}
	return v
}

func (r *metaReader) text(key string) string { return read(r, r.m.String, key) }

// id is a token's id, -1 where there is none.
func (r *metaReader) id(key string) int32 {
	if !r.m.Has(key) {
		return -1
	}
	return int32(min(read(r, r.m.Uint, key), 1<<31-1))
}

func (r *metaReader) flag(key string) *bool {
	if !r.m.Has(key) {
		return nil
	}
	b := read(r, r.m.Bool, key)
	return &b
}

func int32s(xs []int) []int32 {
	if xs == nil {
		return nil
	}
	out := make([]int32, len(xs))
	for i, x := range xs {
		out[i] = int32(x)
	}
	return out
}

func bytesOf(xs []int) []byte {
	if xs == nil {
		return nil
	}
	out := make([]byte, len(xs))
	for i, x := range xs {
		out[i] = byte(x)
	}
	return out
}

// templateOf returns the chat template of a GGUF file, with the named ones, such as
// "tool_use".
func templateOf(m *gguf.Meta, tok *tokenizer.Tokenizer) (*chattemplate.Template, error) {
	r := metaReader{m: m}
	sources := namedTemplates(&r)
	sources["default"] = tok.ChatTemplate()
	tokens := map[string]any{}
	for role, key := range map[string]string{
		"bos_token": "bos", "eos_token": "eos", "unk_token": "unknown", "sep_token": "seperator",
		"pad_token": "padding", "cls_token": "cls", "mask_token": "mask",
	} {
		if token, ok := tok.Token(r.id("tokenizer.ggml." + key + "_token_id")); ok && token != "" {
			tokens[role] = token
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	return chattemplate.New(sources, tokens, tok)
}

// namedTemplates are the chat templates that a GGUF file has beside its usual one.
func namedTemplates(r *metaReader) map[string]string {
	sources := map[string]string{}
	for _, name := range read(r, r.m.Strings, "tokenizer.chat_templates") {
		if source := r.text("tokenizer.chat_template." + name); source != "" {
			sources[name] = source
		}
	}
	return sources
}
