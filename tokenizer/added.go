package tokenizer

import (
	"encoding/json"
	"fmt"
	"strings"
)

// checkAdded refuses added tokens of which normalizing leaves nothing. The
// library would find such a token at every byte of a text, inside characters
// too, and panic. Only the library knows what its normalizers make of a token,
// so it is asked: with the file's normalizer and a model that has one token for
// everything, a text has no token exactly if normalizing leaves nothing of it.
func (f *file) checkAdded() error {
	var asked []addedToken
	_, hidden := f.protected() // where some have other names
	for _, t := range append(append([]addedToken{}, f.added...), hidden...) {
		if t.Normalized {
			asked = append(asked, t)
		}
	}
	if len(asked) == 0 || f.normalizer == nil {
		return nil
	}
	word := "?"
	asker := file{
		normalizer: f.normalizer,
		model:      model{kind: "WordLevel", unk: &word, vocab: json.RawMessage(`{"?":0}`)},
	}
	native := lazyNative{build: func() ([]byte, bool) { return asker.native(false), true }}
	defer native.close()
	for _, t := range asked {
		e, err := native.encode(strings.ReplaceAll(t.Content, "\x00", nulMark), false)
		if err != nil {
			return err
		}
		if len(e.ids) == 0 {
			return fmt.Errorf("its added token %.60q disappears when its normalizer is applied to it", t.Content)
		}
	}
	return nil
}
