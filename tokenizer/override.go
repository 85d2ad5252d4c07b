package tokenizer

import (
	"slices"
	"strings"
)

// The reference library makes a tokenizer of a class, which
// tokenizer_config.json names. The class has its own settings. Their values in
// tokenizer_config.json, or else their defaults, override tokenizer.json.

// classOfModel is the class for a model type if the configuration names none.
var classOfModel = map[string]string{
	"bert": "BertTokenizer", "distilbert": "BertTokenizer", "electra": "BertTokenizer", "nomic_bert": "BertTokenizer", "mpnet": "MPNetTokenizer",
	"roberta": "RobertaTokenizer", "xlm-roberta": "XLMRobertaTokenizer",
	"gpt2": "GPT2Tokenizer", "starcoder2": "GPT2Tokenizer", "phi": "GPT2Tokenizer", "gpt_neox": "GPTNeoXTokenizer", "olmo": "GPTNeoXTokenizer",
	"qwen3": "Qwen2Tokenizer", "llama": "LlamaTokenizer",
}

// Model types whose tokenizer.json the reference library uses unchanged,
// whatever class is named.
var takenAsIs = []string{"modernbert", "mistral", "nemotron", "phi3", "qwen2", "granite"}

// class returns the name of the tokenizer's class, "" for one without
// settings.
func (c Config) class() string {
	if slices.Contains(takenAsIs, c.modelType) {
		return ""
	}
	if c.className == "" {
		return classOfModel[c.modelType]
	}
	return strings.TrimSuffix(c.className, "Fast")
}

// override applies the settings of the tokenizer's class.
func (f *file) override(c Config) {
	switch c.class() {
	case "BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer", "MPNetTokenizer":
		f.overrideBert(c)
	case "RobertaTokenizer", "GPT2Tokenizer", "GPTNeoXTokenizer", "CodeGenTokenizer", "Qwen2Tokenizer":
		for _, p := range f.preTokenizer.parts() {
			if p.name() == "ByteLevel" {
				p["add_prefix_space"] = isTrue(c.AddPrefixSpace, false)
			}
		}
	case "XLMRobertaTokenizer":
		scheme := "never"
		if isTrue(c.AddPrefixSpace, true) {
			scheme = "always"
		}
		for _, p := range append(f.preTokenizer.parts(), f.decoder.parts()...) {
			if p.name() == "Metaspace" {
				p["prepend_scheme"] = scheme
			}
		}
	case "LlamaTokenizer":
		if !isTrue(c.AddPrefixSpace, true) {
			f.dropPrefix()
		}
	}
	if c.Lowercase && !slices.ContainsFunc(f.normalizer.parts(), func(p component) bool { return p.name() == "Lowercase" }) {
		f.normalizer = sequence("normalizers", append([]component{{"type": "Lowercase"}}, f.normalizer.parts()...)...)
	}
}

func (f *file) overrideBert(c Config) {
	for _, p := range f.normalizer.parts() {
		if p.name() != "BertNormalizer" {
			continue
		}
		p["lowercase"] = isTrue(c.DoLowerCase, true)
		p["handle_chinese_chars"] = isTrue(c.ChineseChars, true)
		p["strip_accents"] = nil
		if c.StripAccents != nil {
			p["strip_accents"] = *c.StripAccents
		}
	}
}

// dropPrefix removes the space that SentencePiece's vocabularies put before a
// text.
func (f *file) dropPrefix() {
	normalizers := slices.DeleteFunc(f.normalizer.parts(), func(p component) bool { return p.name() == "Prepend" })
	f.normalizer = sequence("normalizers", normalizers...)
	decoders := slices.DeleteFunc(f.decoder.parts(), func(p component) bool { return p.name() == "Strip" })
	f.decoder = sequence("decoders", decoders...)
	for _, p := range append(f.preTokenizer.parts(), decoders...) {
		if p.name() == "Metaspace" {
			p["prepend_scheme"] = "never"
		}
	}
}

func isTrue(b *bool, otherwise bool) bool {
	if b != nil {
		return *b
	}
	return otherwise
}
