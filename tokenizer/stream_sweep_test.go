package tokenizer

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"inglenook/tokenizer/convert"
	"inglenook/tokenizer/definition"
)

// sweepTexts returns n short texts that are hard for streams: they begin with a character
// that has no token, mix scripts and joined emoji, have spaces at both ends, and contain
// U+FFFD itself.
func sweepTexts(n int) []string {
	parts := strings.Split("🦙|👨|👩\u200d👩\u200d👧\u200d👦|🏳️\u200d🌈|👍🏽|🇩🇪|é|e\u0301|ß|€|日本|中|한국|Привет|مرحبا|ไทย|हिन्दी|𝒜|𐍈|\u200d|\uFEFF|\uFFFD|\u00a0|\u3000|ﬁ| |  |   |\n|\n\n|\t|\r\n|.|,|'s|n't|hi|the|llama|Hello|def f(x):|<0x41>|▁|##a|42|½|☃|☃☃☃☃☃☃|💥💥💥💥💥💥💥💥💥", "|")
	r := rand.New(rand.NewPCG(14, 1))
	texts := []string{"🦙", "👨 hi", " 🦙", "  🦙", "a🦙", "🦙a", "🦙🦙", "\uFFFD", "🦙\uFFFD🦙"}
	for len(texts) < n {
		var b strings.Builder
		for range 1 + r.IntN(5) {
			b.WriteString(parts[r.IntN(len(parts))])
			if r.IntN(3) == 0 {
				b.WriteByte(' ')
			}
		}
		texts = append(texts, b.String())
	}
	return texts
}

// checkEveryCut streams n texts and stops after every token. The text so far must be what
// Decode returns, and for cuts between characters also what the reference library
// decodes.
func checkEveryCut(t *testing.T, tok *Tokenizer, n int) {
	t.Helper()
	wrong := 0
	for _, text := range sweepTexts(n) {
		ids := mustEncode(t, tok, text, Options{NoSpecial: true}).IDs
		stream := tok.NewStream(false)
		got := ""
		for cut := 1; cut <= len(ids); cut++ {
			part, err := stream.Push(ids[cut-1])
			if err != nil {
				t.Fatal(err)
			}
			got += part
			stopped := *stream // as if the answer ended here
			if stream.joiner != nil {
				j := *stream.joiner
				stopped.joiner = &j
			}
			whole := got + stopped.Flush()
			want, err := tok.Decode(ids[:cut], false)
			if err != nil {
				t.Fatal(err)
			}
			reference := referenceDecode(t, tok, ids[:cut])
			if whole != want || !utf8.ValidString(part) || !strings.Contains(reference, replacement) && whole != reference {
				if wrong++; wrong < 4 {
					t.Errorf("%q: after %d of %d tokens the stream is %q (the last part %q), decoded %q, by the reference %q", text, cut, len(ids), whole, part, want, reference)
				}
				break
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d texts differ", wrong, n)
	}
}

// referenceDecode decodes with the tokenizers library.
func referenceDecode(t *testing.T, tok *Tokenizer, ids []int32) string {
	t.Helper()
	native := &tok.text
	if tok.file.Hides() {
		native = &tok.control
	}
	raw := make([]uint32, len(ids))
	for i, id := range ids {
		raw[i] = uint32(id)
	}
	text, err := native.decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(text, definition.NulMark, "\x00")
}

// fallbackVocabulary returns a vocabulary of Llama 2's kind: a few pieces, and bytes for
// everything else.
func fallbackVocabulary() convert.Vocabulary {
	v := convert.Vocabulary{Model: "llama", Tokens: []string{"<unk>", "<s>", "</s>"}, BOS: 1, EOS: 2, EOT: -1, UNK: 0, PAD: -1, SEP: -1, CLS: -1, MASK: -1}
	v.Types = []int32{convert.UnknownType, convert.ControlType, convert.ControlType}
	for b := range 256 {
		v.Tokens = append(v.Tokens, fmt.Sprintf("<0x%02X>", b))
		v.Types = append(v.Types, convert.ByteType)
	}
	for _, piece := range []string{"▁", "h", "i", "▁h", "hi", "▁hi", "a", "▁a", "é", "日", "."} {
		v.Tokens = append(v.Tokens, piece)
		v.Types = append(v.Types, convert.NormalType)
	}
	for i := range v.Tokens {
		v.Scores = append(v.Scores, -float32(i))
	}
	return v
}

// TestStreamEveryCut runs the sweep over the small tokenizers. Some have decoders that
// look at more than one token.
func TestStreamEveryCut(t *testing.T) { everyCut(t, 300) }

// everyCut checks n texts, ten times as many if bytes replace missing pieces.
func everyCut(t *testing.T, n int) {
	for _, name := range fixtureNames {
		t.Run(name, func(t *testing.T) {
			_, tok := loadFixture(t, name)
			checkEveryCut(t, tok, n)
		})
	}
	for _, data := range richFiles() {
		if tok, err := openJSON(data, definition.Config{}); err == nil {
			checkEveryCut(t, tok, n)
			tok.Close()
		}
	}
	t.Run("byte fallback", func(t *testing.T) {
		checkEveryCut(t, openVocabulary(t, fallbackVocabulary()), 10*n)
	})
}

// TestStreamEveryCutOfVocabularies runs the sweep over real GGUF vocabularies.
func TestStreamEveryCutOfVocabularies(t *testing.T) { everyCutOfVocabularies(t, 3000) }

func everyCutOfVocabularies(t *testing.T, n int) {
	paths, err := filepath.Glob(filepath.Join(needShared(t, "ggml-vocab"), "*.gguf"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no vocabularies", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			checkEveryCut(t, openVocabulary(t, readVocabulary(t, path)), n)
		})
	}
}
