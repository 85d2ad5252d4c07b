package sampling

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// pieces cuts a text at random.
func pieces(r *rand.Rand, text string) (all []string) {
	for len(text) > 0 {
		n := r.IntN(min(5, len(text)) + 1)
		all = append(all, text[:n])
		text = text[n:]
	}
	return all
}

func TestStopper(t *testing.T) {
	for _, c := range []struct {
		stops   []string
		pieces  []string
		want    []string // with what Flush gives at the end
		stopped bool
	}{
		{nil, []string{"any", "thing"}, []string{"any", "thing", ""}, false},
		{[]string{"END"}, []string{"the ", "E", "N", "D", "more"}, []string{"the ", "", "", "", "", ""}, true},
		{[]string{"END"}, []string{"the ", "E", "NE", "ND."}, []string{"the ", "", "EN", ""}, true},
		{[]string{"END"}, []string{"an E", "N"}, []string{"an ", "", "EN"}, false},
		{[]string{"END"}, []string{"oneENDtwo"}, []string{"one"}, true},
		{[]string{"abc", "b"}, []string{"xabc"}, []string{"xa"}, true},
		{[]string{"bc", "abc"}, []string{"xabc"}, []string{"x"}, true},
		{[]string{"aab"}, []string{"a", "a", "a", "b"}, []string{"", "", "a", ""}, true},
		{[]string{"\n\n", "User:"}, []string{"Hi\n", "User", ": me"}, []string{"Hi", "\n", ""}, true},
		{[]string{"é"}, []string{"caf", "è", "é"}, []string{"caf", "è", ""}, true},
	} {
		s, err := NewStopper(c.stops)
		if err != nil {
			t.Fatal(err)
		}
		stopped := false
		for i, piece := range c.pieces {
			var text string
			if text, stopped = s.Push(piece); text != c.want[i] {
				t.Errorf("%q in %q: piece %d gives %q, want %q", c.stops, c.pieces, i, text, c.want[i])
			}
		}
		if len(c.want) > len(c.pieces) {
			if text := s.Flush(); text != c.want[len(c.pieces)] {
				t.Errorf("%q in %q: the end gives %q", c.stops, c.pieces, text)
			}
		}
		if stopped != c.stopped {
			t.Errorf("%q in %q: stopped is %v", c.stops, c.pieces, stopped)
		}
	}
	for _, bad := range []string{"", "a\xff"} {
		if _, err := NewStopper([]string{"fine", bad}); err == nil || !strings.Contains(err.Error(), "stop string") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestStopperPieces: however the text is cut, the output ends before the stop string that
// is complete first.
func TestStopperPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func(n int) string {
		b := make([]byte, 1+r.IntN(n))
		for i := range b {
			b[i] = "ab"[r.IntN(2)]
		}
		return string(b)
	}
	for range 20_000 {
		text, stops := word(20), []string{word(5), word(7), word(9)}
		want, stops1 := text, false
		for end := 1; end <= len(text) && !stops1; end++ { // byte by byte, the plain way
			for _, stop := range stops {
				if strings.HasSuffix(text[:end], stop) && (!stops1 || end-len(stop) < len(want)) {
					want, stops1 = text[:end-len(stop)], true
				}
			}
		}
		s, err := NewStopper(stops)
		if err != nil {
			t.Fatal(err)
		}
		got, stopped := "", false
		for _, piece := range pieces(r, text) {
			var out string
			out, stopped = s.Push(piece)
			got += out
			if len(s.held) >= 9 {
				t.Fatalf("%d bytes held back", len(s.held))
			}
		}
		if got += s.Flush(); got != want || stopped != stops1 {
			t.Fatalf("%q with %q: %q %v, want %q %v", text, stops, got, stopped, want, stops1)
		}
	}
}
