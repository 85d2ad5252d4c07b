package definition

import (
	"slices"
	"strings"
)

// The reference library makes a tokenizer of a class, which
// tokenizer_config.json names. The class has its own settings. Their values in
// tokenizer_config.json, or else their defaults, override tokenizer.json.

// ClassOfModel is the class for a model type if the configuration names none.
var ClassOfModel = map[string]string{
	"bert": "BertTokenizer", "distilbert": "BertTokenizer", "electra": "BertTokenizer", "nomic_bert": "BertTokenizer", "mpnet": "MPNetTokenizer",
	"roberta": "RobertaTokenizer", "xlm-roberta": "XLMRobertaTokenizer",
	"gpt2": "GPT2Tokenizer", "starcoder2": "GPT2Tokenizer", "phi": "GPT2Tokenizer", "gpt_neox": "GPTNeoXTokenizer", "olmo": "GPTNeoXTokenizer",
	"qwen3": "Qwen2Tokenizer", "llama": "LlamaTokenizer", "siglip": "SiglipTokenizer", "siglip2": "Siglip2Tokenizer",
}

// Model types whose tokenizer.json the reference library uses unchanged,
// whatever class is named.
var takenAsIs = []string{"modernbert", "mistral", "nemotron", "phi3", "qwen2", "granite"}

// class returns the name of the tokenizer's class, "" for one without
// settings.
func (c Config) class() string {
	if slices.Contains(takenAsIs, c.ModelType) {
		return ""
	}
	if c.ModelType == "siglip" && strings.HasPrefix(c.ClassName, "Gemma") { // SigLIP 2 of one size, which was trained with lower case
		return "Siglip2Tokenizer"
	}
	if c.ClassName == "" {
		return ClassOfModel[c.ModelType]
	}
	return strings.TrimSuffix(c.ClassName, "Fast")
}

// Override applies the settings of the tokenizer's class.
func (f *File) Override(c Config) {
	switch c.class() {
	case "BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer", "MPNetTokenizer":
		f.overrideBert(c)
	case "RobertaTokenizer", "GPT2Tokenizer", "GPTNeoXTokenizer", "CodeGenTokenizer", "Qwen2Tokenizer":
		for _, p := range f.PreTokenizer.Parts() {
			if p.Name() == "ByteLevel" {
				p["add_prefix_space"] = IsTrue(c.AddPrefixSpace, false)
			}
		}
	case "XLMRobertaTokenizer":
		scheme := "never"
		if IsTrue(c.AddPrefixSpace, true) {
			scheme = "always"
		}
		for _, p := range append(f.PreTokenizer.Parts(), f.Decoder.Parts()...) {
			if p.Name() == "Metaspace" {
				p["prepend_scheme"] = scheme
			}
		}
	case "SiglipTokenizer":
		f.Normalizer = Sequence("normalizers", append(canonical(c), f.Normalizer.Parts()...)...)
	case "Siglip2Tokenizer":
		c.Lowercase = true
	case "LlamaTokenizer":
		if !IsTrue(c.AddPrefixSpace, true) {
			f.dropPrefix()
		}
	}
	if c.Lowercase && !slices.ContainsFunc(f.Normalizer.Parts(), func(p Component) bool { return p.Name() == "Lowercase" }) {
		f.Normalizer = Sequence("normalizers", append([]Component{{"type": "Lowercase"}}, f.Normalizer.Parts()...)...)
	}
}

// canonical are the steps that SigLIP's texts were trained with: lower case, no punctuation, and
// one space between words.
func canonical(c Config) (steps []Component) {
	if IsTrue(c.DoLowerCase, true) {
		steps = append(steps, Component{"type": "Lowercase"})
	}
	const punctuation = "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~]"
	return append(steps, replacePattern(punctuation, ""), replacePattern(`\s+`, " "), Component{"type": "Strip", "strip_left": true, "strip_right": true})
}

func (f *File) overrideBert(c Config) {
	for _, p := range f.Normalizer.Parts() {
		if p.Name() != "BertNormalizer" {
			continue
		}
		p["lowercase"] = IsTrue(c.DoLowerCase, true)
		p["handle_chinese_chars"] = IsTrue(c.ChineseChars, true)
		p["strip_accents"] = nil
		if c.StripAccents != nil {
			p["strip_accents"] = *c.StripAccents
		}
	}
}

// dropPrefix removes the space that SentencePiece's vocabularies put before a
// text.
func (f *File) dropPrefix() {
	normalizers := slices.DeleteFunc(f.Normalizer.Parts(), func(p Component) bool { return p.Name() == "Prepend" })
	f.Normalizer = Sequence("normalizers", normalizers...)
	decoders := slices.DeleteFunc(f.Decoder.Parts(), func(p Component) bool { return p.Name() == "Strip" })
	f.Decoder = Sequence("decoders", decoders...)
	for _, p := range append(f.PreTokenizer.Parts(), decoders...) {
		if p.Name() == "Metaspace" {
			p["prepend_scheme"] = "never"
		}
	}
}

// IsTrue returns a setting, or the other value where it is not stated.
func IsTrue(b *bool, otherwise bool) bool {
	if b != nil {
		return *b
	}
	return otherwise
}
