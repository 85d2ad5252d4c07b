package tokenizer

import (
	"fmt"
	"strings"
)

// Decode turns ids back into text with the file's decoder. With skipSpecial
// control tokens are left out. Bytes that are not UTF-8 become U+FFFD.
func (t *Tokenizer) Decode(ids []int32, skipSpecial bool) (string, error) {
	kept := make([]uint32, 0, len(ids))
	for i, id := range ids {
		if !t.has(id) {
			return "", fmt.Errorf("token number %d has the id %d, which this model's vocabulary of %d tokens does not have; check that ids and model belong together", i, id, t.VocabSize())
		}
		if !skipSpecial || !t.special[id] {
			kept = append(kept, uint32(id))
		}
	}
	if len(kept) == 0 {
		return "", nil
	}
	if t.file.decoder == nil { // the library would do the same, but for NUL
		tokens := make([]string, len(kept))
		for i, id := range kept {
			tokens[i] = t.tokens[id]
		}
		return strings.Join(tokens, " "), nil
	}
	native := &t.text
	if len(t.file.hidden) > 0 { // there the hidden ones have other names
		native = &t.control
	}
	text, err := native.decode(kept)
	return strings.ReplaceAll(text, nulMark, "\x00"), err
}
