package tokenizer

import (
	"encoding/hex"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"inglenook/tokenizer/pieces"
)

// whole encodes the text in one piece.
func whole(t *testing.T, tok *Tokenizer, text string, o Options) Encoding {
	t.Helper()
	cut := tok.cutter
	tok.cutter = pieces.Cutter{Soft: 1 << 30, Hard: 1 << 30}
	defer func() { tok.cutter = cut }()
	return mustEncode(t, tok, text, o)
}

// inPieces encodes with pieces of soft bytes, and no hard limit.
func inPieces(t *testing.T, tok *Tokenizer, text string, soft int, o Options) Encoding {
	t.Helper()
	cut := tok.cutter
	tok.cutter.Soft, tok.cutter.Hard = soft, 1<<30
	defer func() { tok.cutter = cut }()
	return mustEncode(t, tok, text, o)
}

// fragments are parts of all kinds, from which long texts are built.
func fragments(t *testing.T) []string {
	var all []string
	for _, name := range fixtureNames[:1] {
		f, _ := loadFixture(t, name)
		for _, c := range f.Singles {
			raw, _ := hex.DecodeString(c.Raw)
			all = append(all, string(raw))
		}
	}
	return append(all, " ", " ", " ", "\n", "\n\n", "\t", "  ", ". ", ", ", " the", " a", "word", "x1 y2", "don't ", "猫", "猫坐", "e\u0301 ", " \u0301", "\u200b ", "\u0600 ", "…", "\u00a0", "`` ''", "<mask>", " <mask> ", "<|endoftext|>", " [MASK]")
}

// TestPiecesExact makes sure that cutting changes neither ids nor offsets,
// whatever lies around the cuts.
func TestPiecesExact(t *testing.T) {
	for _, name := range fixtureNames {
		t.Run(name, func(t *testing.T) {
			_, tok := loadFixture(t, name)
			if !tok.cutter.Space {
				t.Fatal("this tokenizer's texts can be cut safely, but the cutter does not see it")
			}
			checkPieces(t, tok, 60)
		})
	}
}

func checkPieces(t *testing.T, tok *Tokenizer, rounds int) {
	if !tok.cutter.Space {
		t.Skipf("nothing is known of where this tokenizer's texts may be cut, so they are cut at %d bytes only", tok.cutter.Hard)
	}
	parts := fragments(t)
	cuts := 0
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		var b strings.Builder
		for range 60 + r.IntN(60) {
			b.WriteString(parts[r.IntN(len(parts))])
			if r.IntN(3) == 0 {
				b.WriteByte(' ')
			}
		}
		text := b.String()
		for _, o := range []Options{{Attributes: true}, {Attributes: true, ParseSpecial: true}} {
			want := whole(t, tok, text, o)
			got := inPieces(t, tok, text, 24+8*(seed%8), o)
			compareEncodings(t, text, got, want)
		}
		cut := tok.cutter
		cut.Soft = 48
		cuts += len(cut.All(text)) - 2
	}
	if cuts < rounds {
		t.Errorf("only %d cuts in %d texts: nothing was tested", cuts, rounds)
	}
}

// compareEncodings shows the first difference in ids or offsets.
func compareEncodings(t *testing.T, text string, got, want Encoding) {
	t.Helper()
	if slices.Equal(got.IDs, want.IDs) && slices.Equal(got.Offsets, want.Offsets) {
		return
	}
	i := 0
	for i < min(len(got.IDs), len(want.IDs)) && got.IDs[i] == want.IDs[i] && got.Offsets[i] == want.Offsets[i] {
		i++
	}
	at := want.Offsets[min(i, len(want.Offsets)-1)][0]
	show := func(e Encoding) ([]string, [][2]int) {
		end := min(i+5, len(e.IDs))
		return e.Tokens[min(i, end):end], e.Offsets[min(i, end):end]
	}
	gotTokens, gotOffsets := show(got)
	wantTokens, wantOffsets := show(want)
	t.Fatalf("token %d differs (byte %d), around %q:\n got %q %v\nwant %q %v", i, at,
		text[max(0, at-30):min(len(text), at+30)], gotTokens, gotOffsets, wantTokens, wantOffsets)
}

// checkBook cuts a book and compares it with the book uncut.
func checkBook(t *testing.T, tok *Tokenizer) {
	if !tok.cutter.Space {
		t.Skip("the texts of this tokenizer are not cut")
	}
	book, err := os.ReadFile(needShared(t, "documents/text-alice.txt"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(book[:64<<10])
	o := Options{Attributes: true}
	compareEncodings(t, text, inPieces(t, tok, text, 1000, o), whole(t, tok, text, o))
}

// TestPieceSizes makes sure that no piece is larger than the hard limit and
// that pieces end between characters.
func TestPieceSizes(t *testing.T) {
	c := pieces.Cutter{Space: true, Soft: 100, Hard: 300}
	for name, text := range map[string]string{
		"words":     strings.Repeat("word ", 500),
		"one word":  strings.Repeat("w", 5000),
		"no spaces": strings.Repeat("\u732b", 2000),
		"spaces":    strings.Repeat(" ", 5000),
		"mixed":     strings.Repeat("a b ", 20) + strings.Repeat("\U0001f680", 1000) + " c d",
	} {
		starts := c.All(text)
		for i := 1; i < len(starts); i++ {
			if size := starts[i] - starts[i-1]; size < 1 || size > c.Hard {
				t.Errorf("%s: a piece of %d bytes", name, size)
			}
			if at := starts[i]; at < len(text) && text[at]&0xC0 == 0x80 {
				t.Errorf("%s: a cut inside a character at %d", name, at)
			}
		}
		if starts[len(starts)-1] != len(text) {
			t.Errorf("%s: the pieces end at %d of %d bytes", name, starts[len(starts)-1], len(text))
		}
	}
}
