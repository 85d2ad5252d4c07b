package support

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestTurnedRound compares who did what to whom.
func TestTurnedRound(t *testing.T) {
	for _, c := range []struct {
		claim, sentence string
		turned          bool
	}{
		{"The dog bit the postman.", "The dog bit the postman.", false},
		{"The postman bit the dog.", "The dog bit the postman.", true},
		{"The postman was attacked by the dog.", "The dog attacked the postman.", false},
		{"The letter was praised by the queen.", "The letter praised the queen.", false}, // the passive may be anything
		{"Poison comes before copper tape.", "Copper tape comes before poison.", true},
		{"They try poison first, before copper tape.", "They try copper tape before any poison.", true},
		{"Silver is heavier than tin.", "Tin is heavier than silver.", true},
		{"Silver is heavier than tin.", "Silver is a metal that is heavier than tin.", false},
		{"The eyes of the rabbit are pink.", "A rabbit with pink eyes ran by.", false},
		{"Der Hund im Garten bellt.", "Im Garten bellt der Hund.", false},
		{"", "", false},
	} {
		if word := turnedRound(read(c.claim), read(c.sentence)); (word != "") != c.turned {
			t.Errorf("%q and %q: %q", c.claim, c.sentence, word)
		}
	}
}

// TestOtherOfKind judges claims with another season, weekday or colour by words alone.
func TestOtherOfKind(t *testing.T) {
	passage := Passage{Text: "The market in the old town opens every Friday morning. In summer it has forty green stalls, in winter twelve. Mrs White sells cheese."}
	for claim, supported := range map[string]bool{
		"The market in the old town opens every Friday morning.":  true,
		"The market in the old town opens every Sunday morning.":  false,
		"The market in the old town opens every Friday evening.":  false,
		"In summer the market has forty green stalls.":            true,
		"In winter the market has forty green stalls.":            false,
		"In summer the market has forty yellow stalls.":           false,
		"Mrs White sells cheese at the market.":                   true,
		"The market of the old town opens every Friday at dawn.":  true,
		"Each Friday morning the market in the old town is open.": true,
	} {
		judged, err := Judge(context.Background(), "", claim, []Passage{passage}, nil)
		if err != nil || len(judged) != 1 {
			t.Fatalf("%s: %v, error %v", claim, judged, err)
		}
		if judged[0].Supported() != supported {
			t.Errorf("%s: supported %v, %q", claim, judged[0].Supported(), judged[0].Why)
		}
	}
}

// A claim in which every word may stand for every word of a passage is judged with few texts.
func TestSwapsAreFew(t *testing.T) {
	var claim, passage strings.Builder
	for i := range 60 {
		fmt.Fprintf(&claim, "the kettle%d of ", i)
		fmt.Fprintf(&passage, "the basket%d of ", i)
	}
	texts := 0
	m := Vectors(func(_ context.Context, list []string) (all [][]float32, _ error) {
		texts += len(list)
		for range list {
			all = append(all, []float32{1})
		}
		return all, nil
	})
	text := "In May " + passage.String() + "were sold."
	if _, err := Judge(context.Background(), "", "In May "+claim.String()+"were sold.", []Passage{{Text: text}}, m); err != nil {
		t.Fatal(err)
	}
	w := readPassage(Passage{Text: text}).windows(0)[0]
	j := newJudge("", []Passage{{Text: text}})
	if n := len(j.swapsInPlace(j.claim(statements(claim.String())[0]), w)); n != mostSwaps {
		t.Errorf("%d swaps, not %d", n, mostSwaps)
	}
	if texts > 500 {
		t.Errorf("%d texts were embedded", texts)
	}
}

// Kinds name each word once in a kind, in small letters.
func TestKinds(t *testing.T) {
	if len(kinds) < 10 {
		t.Fatalf("%d kinds", len(kinds))
	}
	for line := range strings.Lines(kindList) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		known := map[string]bool{}
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '=' || r == '\n' }) {
			if known[word] || word != strings.ToLower(word) {
				t.Errorf("%q is there twice or has a capital", word)
			}
			known[word] = true
		}
	}
}

// TestBeside compares what stands around words.
func TestBeside(t *testing.T) {
	at := func(text, word string) ([]place, int) { return placesOf(text), strings.Index(text, word) }
	for _, c := range []struct {
		text, word, other, own string
		want                   float64
	}{
		{"too much salt", "salt", "too much pepper", "pepper", 1.25},
		{"machine sewing, then", "sewing", "machine printing, now", "printing", 1},
		{"salt", "salt", "pepper", "pepper", 0},
		{"the salt", "salt", "pepper the", "pepper", 0},
	} {
		a, i := at(c.text, c.word)
		b, k := at(c.other, c.own)
		if got := beside(a, i, b, k); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%q in %q: %v, want %v", c.word, c.text, got, c.want)
		}
	}
}
