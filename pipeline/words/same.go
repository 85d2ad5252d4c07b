package words

import (
	"fmt"

	"inglenook/tokenizer"
)

// spareTokens is by how many tokens at the end two vocabularies may differ: a larger model of a
// family often has some more control tokens.
const spareTokens = 128

// SameTokens returns an error that names the first token in which two vocabularies differ. Both
// have to give every token the same id, but one may have a few more at its end.
func SameTokens(a, b *tokenizer.Tokenizer) error {
	if d := a.MaxID() - b.MaxID(); d > spareTokens || -d > spareTokens {
		return fmt.Errorf("one has %d tokens and the other %d", a.MaxID()+1, b.MaxID()+1)
	}
	for id := range min(a.MaxID(), b.MaxID()) + 1 {
		x, inA := a.Token(id)
		y, inB := b.Token(id)
		if inA && inB && x != y {
			return fmt.Errorf("token %d is %q in one and %q in the other", id, x, y)
		}
	}
	return nil
}
