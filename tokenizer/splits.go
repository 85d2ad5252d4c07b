package tokenizer

import "slices"

// The patterns by which published models split text into words. In each, white
// space after a letter or digit begins a match, and each is fast on every
// text.
const (
	gpt2Words  = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
	qwen2Words = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	// Qwen 3.5 counts marks as letters.
	qwen35Words = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	// Llama 3 uses GPT-4's pattern.
	llama3Words = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	gpt4oWords  = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	tekkenWords = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	// DeepSeek V3 uses this after it has split off numbers and Chinese.
	deepseek3Words = `[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_` + "`" + `{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	bailingWords   = `'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+`
	seedWords      = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+`
	bloomWords     = ` ?[^(\s|.,!?…。，、।۔،)]+`
)

// The older DeepSeek models split in several steps, each applied to what the
// previous ones left over.
const (
	newlines    = `[\r\n]`
	letterRuns  = `\s?\p{L}+`
	markRuns    = `\s?\p{P}+`
	eastAsian   = "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+"
	japanese    = "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+"
	upToThree   = `\p{N}{1,3}`
	threeDigits = `[0-9][0-9][0-9]`
	// White space at the end, as \s+$ matches it, but in linear time.
	trailing     = `(?<!\s)\s++$`
	deepseekMark = `\s?[!-/:-~` + "\uff01-\uff0f\uff1a-\uff5e\u2018-\u201f\u3000-\u3002" + `]+`
	// The letters of the scripts that have capitals.
	casedRuns = `\s?[` + "A-Za-z\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u01ba\u01bc-\u01bf\u01c4-\u0293\u0295-\u02af\u0370-\u0373\u0376" +
		"\u0377\u037b-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03f5\u03f7-\u0481\u048a-\u052f" +
		"\u0531-\u0556\u10a0-\u10c5\u13a0-\u13f5\u13f8-\u13fd\u1c90-\u1cba\u1cbd-\u1cbf\u1d00-\u1d2b\u1d6b-\u1d77" +
		"\u1d79-\u1d9a\u1e00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d" +
		"\u1f80-\u1fb4\u1fb6-\u1fbc\u1fbe\u1fc2-\u1fc4\u1fc6-\u1fcc\u1fd0-\u1fd3\u1fd6-\u1fdb\u1fe0-\u1fec\u1ff2-\u1ff4" +
		"\u1ff6-\u1ffc\u2102\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2126\u2128\u212a-\u212d\u212f-\u2134\u2139" +
		"\u213c-\u213f\u2145-\u2149\u214e\u2183\u2184\u2c00-\u2c7b\u2c7e-\u2ce4\u2ceb-\u2cee\u2cf2\u2cf3\ua640-\ua66d" +
		"\ua680-\ua69b\ua722-\ua76f\ua771-\ua787\ua78b-\ua78e\uab70-\uabbf\ufb00-\ufb06\ufb13-\ufb17\uff21-\uff3a" +
		"\uff41-\uff5a\U00010400-\U0001044f\U000104b0-\U000104d3\U000104d8-\U000104fb\U00010c80-\U00010cb2" +
		"\U00010cc0-\U00010cf2\U000118a0-\U000118df\U0001e900-\U0001e943" + `]+`
)

// split is how a byte-level vocabulary splits text into words, with the other
// properties of vocabularies that split this way.
type split struct {
	steps      []component // before bytes are mapped to characters
	words      bool        // then split into GPT-2's words
	nfc        bool        // text is normalized to NFC
	wholeWords bool        // a word that is a token is not built from merges
	begins     bool        // a text begins with the beginning-of-text token
}

// unsaid are the splits of architectures whose older files don't name one.
var unsaid = map[string]string{
	"bloom": "bloom", "codeshell": "codeshell", "command-r": "command-r", "falcon": "falcon", "gptneox": "gpt-neox", "mpt": "mpt", "olmo": "olmo",
	"phi2": "phi-2", "qwen2": "qwen2", "qwen2moe": "qwen2", "refact": "refact", "starcoder": "starcoder", "starcoder2": "starcoder",
}

// split returns the split that the file names. For a file that names none, the
// second result is the one used instead: its architecture's, or GPT-2's.
func (b *builder) split() (s split, instead string) {
	if b.Model != "gpt2" {
		return split{}, ""
	}
	if b.Pre != "" && b.Pre != "default" {
		return splits[b.Pre], ""
	}
	if instead = unsaid[b.Architecture]; instead == "" {
		instead = "gpt-2"
	}
	return splits[instead], instead
}

// splits are the splits by their names in the metadata (tokenizer.ggml.pre).
var splits = namedSplits()

func namedSplits() map[string]split {
	by := func(patterns ...string) []component {
		steps := make([]component, len(patterns))
		for i, p := range patterns {
			steps[i] = component{
				"type":     "Split",
				"pattern":  map[string]any{"Regex": p},
				"behavior": "Isolated",
				"invert":   false,
			}
		}
		return steps
	}
	digits := func(apart bool) component { return component{"type": "Digits", "individual_digits": apart} }
	punctuation := []component{{"type": "Punctuation", "behavior": "Contiguous"}, byteLevelStep(true), digits(false)}

	named := map[string]split{}
	set := func(s split, names ...string) {
		for _, name := range names {
			named[name] = s
		}
	}
	set(split{words: true}, "gpt-2", "phi-2", "jina-es", "jina-de", "jina-v1-en", "jina-v2-es", "jina-v2-de", "jina-v2-code",
		"roberta-bpe", "gigachat", "a.x-4.0", "mellum", "jais", "exaone4", "trillion", "granite-docling")
	set(split{words: true, nfc: true}, "gpt-neox", "mpt", "olmo", "modern-bert")
	set(split{steps: []component{digits(true)}, words: true}, "starcoder", "refact", "smollm", "codeshell", "exaone", "minerva-7b", "mellum2")
	set(split{steps: []component{digits(true)}, words: true, nfc: true}, "command-r")
	set(split{steps: append(punctuation, by(threeDigits)...)}, "falcon")
	set(split{steps: by(llama3Words), wholeWords: true, begins: true}, "llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2", "jina-v5-nano")
	set(split{steps: by(llama3Words), wholeWords: true}, "glm4", "glm5")
	set(split{steps: by(llama3Words)}, "dbrx", "smaug-bpe", "chatglm-bpe")
	set(split{steps: by(qwen2Words), nfc: true}, "qwen2", "deepseek-r1-qwen", "kormo", "f2llmv2", "megrez")
	set(split{steps: by(qwen2Words)}, "stablelm2", "hunyuan", "solar-open", "grok-2")
	set(split{steps: by(qwen35Words), nfc: true}, "qwen35")
	set(split{steps: by(gpt4oWords)}, "gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2")
	set(split{steps: by(tekkenWords), wholeWords: true, begins: true}, "tekken")
	set(split{steps: by(upToThree, japanese, deepseek3Words)}, "deepseek-v3", "hunyuan-dense", "joyai-llm", "hy_v4")
	set(split{steps: append(by(newlines, casedRuns, deepseekMark, trailing, eastAsian), digits(true))}, "deepseek-llm")
	set(split{steps: append(by(newlines, letterRuns, markRuns, eastAsian), digits(true))}, "deepseek-coder")
	set(split{steps: by(bloomWords)}, "bloom", "poro-chat", "gpt3-finnish")
	set(split{steps: append(by(bloomWords), digits(true))}, "viking")
	set(split{steps: by(bailingWords)}, "bailingmoe", "bailingmoe2", "llada-moe")
	set(split{steps: by(seedWords)}, "seed-coder")
	return named
}

// preTokenizer returns all steps as one component. Falcon's steps convert
// bytes to characters halfway.
func (s split) preTokenizer() component {
	steps := slices.Clone(s.steps)
	if !slices.ContainsFunc(steps, func(c component) bool { return c.name() == "ByteLevel" }) {
		steps = append(steps, byteLevelStep(s.words))
	}
	return sequence("pretokenizers", steps...)
}

// byteLevelStep converts bytes to characters, within GPT-2's words if words.
func byteLevelStep(words bool) component {
	return component{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": words}
}
