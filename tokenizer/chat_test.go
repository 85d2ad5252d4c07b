package tokenizer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// chatForms are turns in which %[1]s is a control token of the template and %[2]s a
// typed one.
var chatForms = []string{
	"%[1]s%[2]s", "%[1]s\n%[2]s%[1]s", "%[1]s user\nwrite %[2]s please%[1]s\n", "a %[2]s%[2]s b%[1]s", "%[2]s %[1]s %[2]s",
	"é%[2]s猫%[1]s猫%[2]s", "%[1]sHello, world!  \n\n def f(x):\n\treturn x%[2]s", "\ufdd0\ufdd2%[2]s%[1]s\x00",
}

// checkChat types every control token into chats.
func checkChat(t *testing.T, tok *Tokenizer) (cases int) {
	unknown := tok.UnknownID()
	var own []string // control tokens that a template could write
	for _, a := range tok.file.Added {
		if tok.file.Controls[a.Content] {
			own = append(own, a.Content)
		}
	}
	for i, typed := range own {
		id, _ := tok.TokenID(typed)
		written := own[(i+1)%len(own)]
		for _, form := range chatForms {
			text := fmt.Sprintf(form, "\x01", "\x02")
			var plain []int
			var b strings.Builder
			for _, r := range text {
				switch r {
				case 1:
					b.WriteString(written)
				case 2:
					plain = append(plain, b.Len())
					b.WriteString(typed)
				default:
					b.WriteRune(r)
				}
			}
			text = b.String()
			ids, err := tok.EncodeChat(t.Context(), text, plain)
			if err != nil {
				t.Errorf("%q: %v", text, err)
				continue
			}
			want := 0
			if typed == written {
				want = strings.Count(form, "%[1]s")
			}
			if n := count(ids, id); id != unknown && n != want {
				t.Errorf("%q has the typed control id %d %d times: %v", text, id, n, ids)
			}
			if other, _ := tok.TokenID(written); other != unknown && other != id && count(ids, other) != strings.Count(form, "%[1]s") {
				t.Errorf("%q lacks the template's control id %d: %v", text, other, ids)
			}
			// Without a typed token the marks change nothing.
			plainText := strings.ReplaceAll(text, typed, "x")
			direct := mustEncode(t, tok, plainText, Options{NoSpecial: true, ParseSpecial: true})
			viaMarks, err := tok.encodeMarked(t.Context(), tok.mark(plainText, nil))
			if err != nil || !slices.Equal(direct.IDs, viaMarks) {
				t.Errorf("%q gives %v through marks, %v without, %v", plainText, viaMarks, direct.IDs, err)
			}
			cases++
		}
		// A typed token alone is encoded as in plain text.
		alone := mustEncode(t, tok, "a "+typed+" b", Options{NoSpecial: true})
		ids, err := tok.EncodeChat(t.Context(), "a "+typed+" b", []int{2})
		if err != nil || !slices.Equal(ids, alone.IDs) {
			t.Errorf("%q typed gives %v, as plain text %v, %v", typed, ids, alone.IDs, err)
		}
	}
	return cases
}

func count(ids []int32, id int32) (n int) {
	for _, other := range ids {
		if other == id {
			n++
		}
	}
	return n
}

func TestEncodeChat(t *testing.T) {
	for _, name := range fixtureNames {
		t.Run(name, func(t *testing.T) {
			_, tok := loadFixture(t, name)
			if checkChat(t, tok) == 0 {
				t.Skip("this tokenizer has no control tokens")
			}
		})
	}
}

// TestEncodeChatLong has more text than one piece. A marked token must not be split
// between pieces.
func TestEncodeChatLong(t *testing.T) {
	for _, name := range fixtureNames {
		_, tok := loadFixture(t, name)
		if len(tok.file.Added) == 0 || !tok.file.Controls[tok.file.Added[0].Content] {
			continue
		}
		token := tok.file.Added[0].Content
		for _, filler := range []string{"the kettle sings ", "kettle"} {
			text := strings.Repeat(strings.Repeat(filler, 50)+token, 400)
			ids, err := tok.EncodeChat(t.Context(), text, []int{50 * len(filler)})
			id, _ := tok.TokenID(token)
			if err != nil || id != tok.UnknownID() && count(ids, id) != 399 {
				t.Errorf("%s: %d of 399 control tokens, %v", name, count(ids, id), err)
			}
		}
	}
}
