package convert

import (
	"maps"
	"slices"

	"inglenook/tokenizer/definition"
	"inglenook/tokenizer/patterns"
)

// split is how a byte-level vocabulary splits text into words, with the other
// properties of vocabularies that split this way.
type split struct {
	steps      []definition.Component // before bytes are mapped to characters
	words      bool                   // then split into GPT-2's words
	nfc        bool                   // text is normalized to NFC
	wholeWords bool                   // a word that is a token is not built from merges
	begins     bool                   // a text begins with the beginning-of-text token
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

// Splits returns the names that Pre of a Vocabulary may have.
func Splits() []string { return slices.Sorted(maps.Keys(splits)) }

func namedSplits() map[string]split {
	by := func(regexes ...string) []definition.Component {
		steps := make([]definition.Component, len(regexes))
		for i, p := range regexes {
			steps[i] = definition.Component{
				"type":     "Split",
				"pattern":  map[string]any{"Regex": p},
				"behavior": "Isolated",
				"invert":   false,
			}
		}
		return steps
	}
	digits := func(apart bool) definition.Component {
		return definition.Component{"type": "Digits", "individual_digits": apart}
	}
	punctuation := []definition.Component{{"type": "Punctuation", "behavior": "Contiguous"}, byteLevelStep(true), digits(false)}

	named := map[string]split{}
	set := func(s split, names ...string) {
		for _, name := range names {
			named[name] = s
		}
	}
	set(split{words: true}, "gpt-2", "phi-2", "jina-es", "jina-de", "jina-v1-en", "jina-v2-es", "jina-v2-de", "jina-v2-code",
		"roberta-bpe", "gigachat", "a.x-4.0", "mellum", "jais", "exaone4", "trillion", "granite-docling")
	set(split{words: true, nfc: true}, "gpt-neox", "mpt", "olmo", "modern-bert")
	set(split{steps: []definition.Component{digits(true)}, words: true}, "starcoder", "refact", "smollm", "codeshell", "exaone", "minerva-7b", "mellum2")
	set(split{steps: []definition.Component{digits(true)}, words: true, nfc: true}, "command-r")
	set(split{steps: append(punctuation, by(patterns.ThreeDigits)...)}, "falcon")
	set(split{steps: by(patterns.Llama3), wholeWords: true, begins: true}, "llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2", "jina-v5-nano")
	set(split{steps: by(patterns.Llama3), wholeWords: true}, "glm4", "glm5")
	set(split{steps: by(patterns.Llama3)}, "dbrx", "smaug-bpe", "chatglm-bpe")
	set(split{steps: by(patterns.Qwen2), nfc: true}, "qwen2", "deepseek-r1-qwen", "kormo", "f2llmv2", "megrez")
	set(split{steps: by(patterns.Qwen2)}, "stablelm2", "hunyuan", "solar-open", "grok-2")
	set(split{steps: by(patterns.Qwen35), nfc: true}, "qwen35")
	set(split{steps: by(patterns.GPT4o)}, "gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2")
	set(split{steps: by(patterns.Tekken), wholeWords: true, begins: true}, "tekken")
	set(split{steps: by(patterns.UpToThree, patterns.Japanese, patterns.DeepSeek3)}, "deepseek-v3", "hunyuan-dense", "joyai-llm", "hy_v4")
	set(split{steps: append(by(patterns.Newlines, patterns.CasedRuns, patterns.DeepSeekMarks, patterns.Trailing, patterns.EastAsian), digits(true))}, "deepseek-llm")
	set(split{steps: append(by(patterns.Newlines, patterns.LetterRuns, patterns.MarkRuns, patterns.EastAsian), digits(true))}, "deepseek-coder")
	set(split{steps: by(patterns.Bloom)}, "bloom", "poro-chat", "gpt3-finnish")
	set(split{steps: append(by(patterns.Bloom), digits(true))}, "viking")
	set(split{steps: by(patterns.Bailing)}, "bailingmoe", "bailingmoe2", "llada-moe")
	set(split{steps: by(patterns.Seed)}, "seed-coder")
	return named
}

// preTokenizer returns all steps as one component. Falcon's steps convert
// bytes to characters halfway.
func (s split) preTokenizer() definition.Component {
	steps := slices.Clone(s.steps)
	if !slices.ContainsFunc(steps, func(c definition.Component) bool { return c.Name() == "ByteLevel" }) {
		steps = append(steps, byteLevelStep(s.words))
	}
	return definition.Sequence("pretokenizers", steps...)
}

// byteLevelStep converts bytes to characters, within GPT-2's words if words.
func byteLevelStep(words bool) definition.Component {
	return definition.Component{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": words}
}
