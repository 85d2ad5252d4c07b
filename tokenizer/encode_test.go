package tokenizer

import (
	"testing"

	"inglenook/tokenizer/definition"
)

func FuzzEncode(f *testing.F) {
	for _, text := range []string{"the kettle sings", "a\x00b", "\xff\xfe", "猫 [CLS] </s> <mask>", definition.NulMark, "e\u0301 \u200d 🚀"} {
		f.Add(text, "and the lake", 7)
	}
	var toks []*Tokenizer
	for _, name := range []string{"wordpiece", "roberta", "xlm-roberta"} {
		_, tok := loadFixture(f, name)
		toks = append(toks, tok)
	}
	f.Fuzz(func(t *testing.T, a, b string, limit int) {
		for _, tok := range toks {
			o := Options{Attributes: true}
			e := mustEncode(t, tok, a, o)
			checkOffsets(t, a, e)
			compareEncodings(t, a, inPieces(t, tok, a, 16, o), whole(t, tok, a, o))
			checkStream(t, tok, e.IDs, true)
			for i, id := range e.IDs {
				if tok.special[id] && !e.Special[i] && id != tok.UnknownID() {
					t.Errorf("%q gives the control id %d", a, id)
				}
			}
			limit := 5 + (limit&0x7fffffff)%40
			pair, err := tok.EncodePair(a, b, Options{MaxLength: limit})
			if err != nil || len(pair.IDs) > limit {
				t.Errorf("%q and %q have %d tokens, %v, want at most %d", a, b, len(pair.IDs), err, limit)
			}
		}
	})
}
