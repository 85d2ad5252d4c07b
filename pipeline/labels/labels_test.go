package labels

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var names = []string{"O", "B-PER", "I-PER", "LOC"}

// tagged makes tokens of the parts of a text that | divides, each with the number of its label before it.
func tagged(parts string) (text string, tokens []Token) {
	for part := range strings.SplitSeq(parts, "|") {
		scores := make([]float64, len(names))
		scores[part[0]-'0'] = 0.5
		start := len(text)
		text += part[1:]
		tokens = append(tokens, Token{start, len(text), scores})
	}
	return text, tokens
}

func TestEntities(t *testing.T) {
	for parts, want := range map[string]string{
		"1Ada|2 Love|0lace|0 met|1 Bob|1 Eve": "PER Ada Lovelace, PER Bob, PER Eve",
		"3Paris|0,|3 Rome":                    "LOC Paris, LOC Rome",
		"2Ada|2 Bo":                           "PER Ada Bo",
		"1東|0京|3都":                            "PER 東, LOC 都",
		"0a|3 ":                               "",
		"3Zü|0rich":                           "LOC Zürich",
		"2 x|3 ":                              "PER x",
	} {
		text, tokens := tagged(parts)
		var got []string
		for _, e := range Entities(text, tokens, names) {
			got = append(got, e.Label+" "+text[e.Start:e.End])
			if e.Score != 0.5 {
				t.Errorf("%s: score %v", parts, e.Score)
			}
		}
		if g := strings.Join(got, ", "); g != want {
			t.Errorf("%s: %q instead of %q", parts, g, want)
		}
	}
}

// FuzzEntities: tokens of any text, cut anywhere, give parts of the text in its order.
func FuzzEntities(f *testing.F) {
	f.Add("Ada Lovelace", "\x03\x05\x01\x09")
	f.Add("東京 \xff", "\x01\x02\x03")
	f.Fuzz(func(t *testing.T, text, cuts string) {
		var tokens []Token
		at := 0
		for _, c := range []byte(cuts) {
			end := min(len(text), at+int(c%7))
			scores := make([]float64, len(names))
			scores[int(c)%len(names)] = 1
			tokens = append(tokens, Token{at, end, scores})
			at = end
		}
		end := 0
		for _, e := range Entities(text, tokens, names) {
			if e.Start < end || e.End <= e.Start || e.End > len(text) || e.Label == outside {
				t.Fatalf("%q: %+v after %d", text, e, end)
			}
			end = e.End
		}
	})
}

func TestGaps(t *testing.T) {
	for text, want := range map[string]string{
		"a ___ b": "a <m> b 1", "______": "<m> 1", "<m>[MASK]<mask>": "<m><m><m> 3", "a__b": "a__b 0", "": " 0", "é ___": "é <m> 1",
	} {
		if got, n := Gaps(text, "<m>"); fmt.Sprintf("%s %d", got, n) != want || !utf8.ValidString(got) {
			t.Errorf("%q: %q %d instead of %q", text, got, n, want)
		}
	}
}

func TestLikeliest(t *testing.T) {
	for _, row := range [][]float32{{1}, {3, 1, 2}, {0, 0, 0, 1, 0}, {5, 4, 3, 2, 1, 0}, {0, 1, 2, 3, 4, 5}} {
		order := make([]int, len(row))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return int(row[b] - row[a]) })
		for n := 1; n < 8; n++ {
			if got := Likeliest(row, n); !slices.Equal(got, order[:min(n, len(order))]) {
				t.Errorf("%v of %v: %v instead of %v", n, row, got, order)
			}
		}
	}
}

// A piece of a word is read with the word before its gap.
func TestWhole(t *testing.T) {
	for _, c := range []struct {
		text string
		gap  int
		word string
		want string
	}{
		{"The cat ___ here.", 0, "sat", "sat"},
		{"The cat ___ here.", 0, "##s", "cats"},
		{"The cat___ here.", 0, "##s", "cats"},
		{"___ and the dog[MASK].", 1, "##s", "dogs"},
		{"___ is first.", 0, "##i", "i"},
		{"Über—schön ___", 0, "##er", "schöner"},
		{"no gap", 0, "##i", "i"},
		{"a ___", 0, "##", "##"},
	} {
		if got := Whole(c.text, c.gap, c.word); got != c.want {
			t.Errorf("%q, gap %d: %q becomes %q, not %q", c.text, c.gap, c.word, got, c.want)
		}
	}
}
