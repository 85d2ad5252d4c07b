package drafting

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestLookup: the tokens that followed the longest stretch like the last tokens are
// guessed, of equal ones the latest, and what repeats up to the end goes on repeating.
func TestLookup(t *testing.T) {
	for name, c := range map[string]struct {
		seen []int32
		want []int32
		like int
	}{
		"nothing":           {nil, nil, 0},
		"nothing like it":   {[]int32{1, 2, 3, 4}, nil, 0},
		"one token":         {[]int32{1, 2, 3, 1}, nil, 0},
		"two tokens":        {[]int32{1, 2, 3, 4, 5, 6, 1, 2}, []int32{3, 4, 5, 6, 1}, 2},
		"the latest":        {[]int32{1, 2, 3, 1, 2, 4, 4, 9, 8, 7, 1, 2}, []int32{4, 4, 9, 8, 7}, 2},
		"the longest":       {[]int32{7, 1, 2, 3, 9, 1, 2, 4, 4, 7, 1, 2}, []int32{3, 9, 1, 2, 4}, 3},
		"a repetition":      {[]int32{1, 2, 3, 1, 2, 3, 1, 2, 3}, []int32{1, 2, 3, 1, 2}, 6},
		"one token, always": {[]int32{5, 5, 5, 5}, []int32{5, 5, 5, 5, 5}, 3},
	} {
		l := NewLookup(c.seen)
		if got := l.Guess(nil, 5); !slices.Equal(got, c.want) || l.Like() != c.like {
			t.Errorf("%s: %v after %d like before, want %v after %d", name, got, l.Like(), c.want, c.like)
		}
	}
}

// TestLookupIsTrue: whatever the tokens, as many of the last as Like says stand before
// the guess, and no stretch of the longest gram is overlooked.
func TestLookupIsTrue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	l, guessed := NewLookup(nil), 0
	for range 20_000 {
		l.Add(r.Int32N(3))
		n := len(l.ids)
		if l.at == 0 {
			continue
		}
		guessed++
		if l.at >= n || !slices.Equal(l.ids[l.at-l.like:l.at], l.ids[n-l.like:]) {
			t.Fatalf("after %d tokens: %d like those before %d", n, l.like, l.at)
		}
	}
	if guessed < 15_000 {
		t.Errorf("only %d guesses", guessed)
	}
}

// costing are costs where a pass of n tokens takes 1 and so much more for each further one.
func costing(more float64) *Costs {
	c := &Costs{}
	for n := 1; n < len(c.seconds); n++ {
		c.seconds[n] = 1 + more*float64(n-1)
	}
	return c
}

// TestLength: guesses are as many as pay, none where they do not, and no more than there
// is room for.
func TestLength(t *testing.T) {
	for name, c := range map[string]struct {
		more  float64
		right bool // guesses come true
		room  int
		low   int
		high  int
	}{
		"cheap and right":           {0.02, true, 99, Most, Most},
		"little room":               {0.02, true, 3, 3, 3},
		"no room":                   {0.02, true, 0, 0, 0},
		"cheap and wrong":           {0.02, false, 99, 0, 0},
		"as dear as one at a time":  {1, true, 99, 0, 0},
		"half as dear":              {0.5, true, 99, 3, Most},
		"much dearer than with one": {3, true, 99, 0, 0},
	} {
		p := NewPace(costing(c.more), false)
		for range 100 {
			p.Saw(8, c.right)
			p.Saw(20, c.right)
			p.Saw(40, c.right)
		}
		if n, _ := p.Length(8, 0, c.room, false); n < c.low || n > c.high {
			t.Errorf("%s: %d guesses, want %d to %d", name, n, c.low, c.high)
		}
	}
	if n, _ := NewPace(&Costs{}, false).Length(40, 0, 99, false); n != 0 {
		t.Errorf("%d guesses before any pass was measured", n)
	}
	if n, _ := NewPace(costing(3), true).Length(40, 0, 99, false); n == 0 {
		t.Error("no guesses although they are asked for always")
	}
	dear, _ := NewPace(costing(0.3), false).Length(8, 0, 99, true)
	if cheap, _ := NewPace(costing(0.3), false).Length(8, 0, 99, false); dear > cheap {
		t.Error("more is guessed where a wrong guess costs more")
	}
}

// TestCosts: what was measured holds, between two measurements a line does, and a
// slow pass by accident does not end guesses for ever.
func TestCosts(t *testing.T) {
	c := &Costs{}
	c.Learn(1, time.Second)
	if got := c.of(5); got < 2.29 || got > 2.31 {
		t.Errorf("a pass of 5 is taken for %v", got)
	}
	c.Learn(9, 5*time.Second)
	if got := c.of(5); got != 3 {
		t.Errorf("between 1 and 5 seconds a pass is taken for %v", got)
	}
	c.Learn(99, time.Second) // too long to be kept
	p := NewPace(c, false)
	for range 100 {
		p.Saw(8, true)
	}
	c.Learn(2, 20*time.Second)
	c.Learn(3, 20*time.Second)
	for range 9 {
		c.Learn(9, 20*time.Second)
	}
	tries := 0
	for n := 0; n == 0; n, _ = p.Length(8, 0, 8, false) {
		if tries++; tries > 5000 {
			t.Fatal("guesses never come back")
		}
	}
}

// TestNeeded: as many guesses have to come true as make up for what the pass takes longer.
func TestNeeded(t *testing.T) {
	for _, c := range []struct {
		tokens int
		cost   float64
		want   float64
	}{{2, 1, 0}, {2, 1.5, 0.5}, {2, 2, 1}, {3, 1.75, 0.5}, {4, 0.9, 0}} {
		if got := Needed(c.tokens, c.cost); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%d tokens at %v need %v, want %v", c.tokens, c.cost, got, c.want)
		}
	}
	if got := Needed(2, 2.1); got <= 1 {
		t.Errorf("a pass of 2 that takes more than 2 needs %v", got)
	}
}

// TestGain: the gain is that over passes of one token.
func TestGain(t *testing.T) {
	p := NewPace(costing(0.25), false)
	for range 10 { // each pass gives three tokens
		p.Ran(5, 2*time.Second)
		for range 3 {
			p.Got()
		}
	}
	if g := p.Gain(); g < 0.499 || g > 0.501 {
		t.Errorf("three tokens in the time of two are a gain of %v", g)
	}
}

// TestFullPass: where a pass has to read so much again that no guess fits, nothing is guessed, whatever the way.
func TestFullPass(t *testing.T) {
	for _, way := range []string{Always, Auto} {
		d := New(way, &Costs{}, []int32{1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2}, nil)
		d.Saw(3, false)
		for lost := range 4 * Most {
			got := d.Guess(t.Context(), Moment{IDs: []int32{1, 2, 3}, Lost: lost, Room: 40})
			if len(got) > max(0, Most-lost) || way == Always && (len(got) > 0) != (lost < Most) {
				t.Errorf("%s, %d lost: %v", way, lost, got)
			}
		}
	}
}
