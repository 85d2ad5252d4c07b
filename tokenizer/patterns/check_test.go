package patterns

import "testing"

// TestPublishedPatterns makes sure that the patterns of known models pass the check. Some
// are in its list; those of DeepSeek, Falcon, StarCoder and older GPT-2 conversions it has
// to analyse.
func TestPublishedPatterns(t *testing.T) {
	all := []string{
		`[0-9][0-9][0-9]`, `\p{N}{1,3}`, `\p{N}`, `[\r\n]`, `\s?\p{L}+`, `\s?\p{P}+`, `[一-龥ࠀ-一가-퟿]+`, `\s+$`, ` {2,}`, `\s+`, `\d`,
		`[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
	}
	for pattern := range splitsAtSpaces {
		all = append(all, pattern)
	}
	for _, pattern := range all {
		if err := Check(pattern); err != nil {
			t.Error(err)
		}
	}
}
