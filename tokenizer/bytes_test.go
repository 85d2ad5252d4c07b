package tokenizer

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"inglenook/tokenizer/definition"
)

// TestTokenBytes compares every token of the small tokenizers with Decode.
func TestTokenBytes(t *testing.T) {
	for _, name := range fixtureNames {
		t.Run(name, func(t *testing.T) {
			_, tok := loadFixture(t, name)
			checkTokenBytes(t, tok)
		})
	}
	for _, data := range richFiles() {
		if tok, err := openJSON(data, definition.Config{}); err == nil {
			checkTokenBytes(t, tok)
			tok.Close()
		}
	}
}

// checkBookBytes joins the bytes of the tokens of a book and of some hard texts.
func checkBookBytes(t *testing.T, tok *Tokenizer) {
	book, err := os.ReadFile(needShared(t, "documents/text-alice.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(book[:30_000]), "naïve café 日本語 \U0001f469\u200d\U0001f469\u200d\U0001f467 Ω", "def f(x):\n\treturn  x"} {
		ids := mustEncode(t, tok, text, Options{NoSpecial: true}).IDs
		var joined []byte
		for _, id := range ids {
			joined = append(joined, tok.TokenBytes(id)...)
		}
		want, err := tok.Decode(ids, false)
		if err != nil {
			t.Fatal(err)
		}
		// A decoder may drop the space of the first token, and it may add none to the
		// last.
		got := string(joined)
		if got != want && strings.TrimPrefix(got, " ") != want && strings.TrimSuffix(got, " ") != want {
			t.Errorf("joined: %.200q\ndecoded: %.200q", got, want)
		}
	}
}

// checkTokenBytes compares every token's bytes with what Decode adds for it
// between two others.
func checkTokenBytes(t *testing.T, tok *Tokenizer) {
	t.Helper()
	var around []int32 // two tokens with the same text everywhere
	for id := range tok.tokens {
		s := string(tok.TokenBytes(int32(id)))
		if s != "" && utf8.ValidString(s) && !tok.special[int32(id)] && strings.Trim(s, " .,'?!") == s {
			if around = append(around, int32(id)); len(around) == 2 {
				break
			}
		}
	}
	for len(around) < 2 {
		around = append(around, int32(len(around)))
	}
	decode := func(ids ...int32) string {
		s, err := tok.Decode(ids, false)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := decode(around[0])
	after := strings.TrimPrefix(decode(around...), first)
	wrong, broken := 0, 0
	for id := range tok.tokens {
		id := int32(id)
		got := tok.TokenBytes(id)
		if slices.Contains(around, id) {
			continue // the CTC decoder drops one of two equal tokens
		}
		if !tok.has(id) {
			if got != nil {
				t.Errorf("%d is no token and has the bytes %q", id, got)
			}
			continue
		}
		if !utf8.Valid(got) {
			broken++
			continue
		}
		whole := decode(around[0], id, around[1])
		want, ok := strings.CutPrefix(whole, first)
		want, ok2 := strings.CutSuffix(want, after)
		if !ok || !ok2 || want != string(got) {
			if wrong++; wrong < 5 {
				t.Errorf("token %d, %q: got the bytes %q, decoded it is %q of %q", id, tok.tokens[id], got, want, whole)
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d tokens have wrong bytes", wrong, len(tok.tokens))
	}
	t.Logf("%d tokens, %d of them parts of characters", tok.VocabSize(), broken)
}

func TestTokenBytesOfNothing(t *testing.T) {
	_, tok := loadFixture(t, "roberta")
	for _, id := range []int32{-1, tok.MaxID() + 1, 1 << 30} {
		if b := tok.TokenBytes(id); b != nil {
			t.Errorf("%d has the bytes %q", id, b)
		}
	}
	// Every byte alone is the text of some token.
	seen := map[byte]bool{}
	for id := range tok.tokens {
		if b := tok.TokenBytes(int32(id)); len(b) == 1 {
			seen[b[0]] = true
		}
	}
	if len(seen) != 256 {
		t.Errorf("%d of 256 bytes are tokens", len(seen))
	}
	_, pieces := loadFixture(t, "xlm-roberta")
	if id, ok := pieces.TokenID("▁the"); ok && !bytes.Equal(pieces.TokenBytes(id), []byte(" the")) {
		t.Errorf("▁the has the bytes %q", pieces.TokenBytes(id))
	}
}
