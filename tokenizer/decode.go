package tokenizer

import (
	"fmt"
	"strings"

	"inglenook/tokenizer/definition"
)

// Decode turns ids back into text with the file's decoder. With skipSpecial it
// omits control tokens. Bytes that are not UTF-8 become U+FFFD and the
// characters beside them stay. The reference library instead loses all
// characters of a run of byte tokens if one of them is broken.
func (t *Tokenizer) Decode(ids []int32, skipSpecial bool) (string, error) {
	if err := t.text.check(); err != nil {
		return "", err
	}
	kept := make([]uint32, 0, len(ids))
	for i, id := range ids {
		if err := t.check(i, id); err != nil {
			return "", err
		}
		if !skipSpecial || !t.special[id] {
			kept = append(kept, uint32(id))
		}
	}
	if len(kept) == 0 {
		return "", nil
	}
	if t.joins {
		j := newJoiner(t)
		var text strings.Builder
		for _, id := range kept {
			text.WriteString(j.add(int32(id)))
		}
		text.WriteString(j.end())
		return text.String(), nil
	}
	native := &t.text
	if t.file.Hides() { // the hidden ones have other names there
		native = &t.control
	}
	text, err := native.decode(kept)
	return strings.ReplaceAll(text, definition.NulMark, "\x00"), err
}

// check returns an error for an id that has no token.
func (t *Tokenizer) check(number int, id int32) error {
	if t.has(id) {
		return nil
	}
	return fmt.Errorf("token number %d has the id %d, which this model's vocabulary of %d tokens does not have; check that ids and model belong together", number, id, t.VocabSize())
}
