package texts

import (
	"testing"

	"inglenook/pipeline"
)

// TestBlankTextsComeLast: a text with nothing to read in it stands behind every other one,
// whatever its score is.
func TestBlankTextsComeLast(t *testing.T) {
	blank := []string{"", " ", "\t", "\n", "\r\n\v\f", "\u00a0\u2003\u3000", "\u200b", "\ufeff\u2060\u200d", "\x00\x07\x1b", "\u00ad", "\xff\u200b"[1:], "\u202e \u202c"}
	seen := []string{"word", ".", "→", "é", "今", "🙂", "\u200ba", "\u0301"}
	texts := append(append([]string{}, blank...), seen...)
	scores := pipeline.Scores{Values: make([]float32, len(texts)), Windows: make([]int, len(texts))}
	for i := range texts {
		scores.Values[i] = float32(len(texts) - i)
	}
	for place, r := range rank(texts, scores) {
		if want := (place + len(blank)) % len(texts); r.Index != want || r.Score != scores.Values[want] {
			t.Errorf("place %d has text %d, %q, and not %d", place, r.Index, texts[r.Index], want)
		}
	}
}
