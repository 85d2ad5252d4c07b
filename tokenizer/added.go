package tokenizer

import (
	"encoding/json"
	"fmt"
	"strings"
)

// checkAdded rejects added tokens that the normalizer reduces to nothing. The
// library would match such a token at every byte of a text, even inside a
// character, and panic. Only the library knows what its normalizers do to a
// token, so checkAdded asks it: with the file's normalizer and a model that
// has one token for everything, a text has no token exactly if the normalized
// text is empty.
func (f *file) checkAdded() error {
	var asked []addedToken
	_, hidden := f.protected() // some have other names there
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
