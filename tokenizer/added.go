package tokenizer

import (
	"fmt"
	"strings"

	"inglenook/tokenizer/definition"
)

// checkAdded rejects added tokens that the normalizer reduces to nothing. The
// library would match such a token at every byte of a text, even inside a
// character, and panic. Only the library knows what its normalizers do to a
// token, so checkAdded asks it: with the file's normalizer and a model that
// has one token for everything, a text has no token exactly if the normalized
// text is empty.
func checkAdded(f *definition.File) error {
	asked := f.NormalizedTokens()
	if len(asked) == 0 {
		return nil
	}
	native := lazyNative{build: func() ([]byte, bool) { return f.NativeOfNormalizer(), true }}
	defer native.close()
	for _, token := range asked {
		e, err := native.encode(strings.ReplaceAll(token, "\x00", definition.NulMark), false)
		if err != nil {
			return err
		}
		if len(e.ids) == 0 {
			return fmt.Errorf("its added token %.60q disappears when its normalizer is applied to it", token)
		}
	}
	return nil
}
