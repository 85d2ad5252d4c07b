package drafting

import (
	"context"
	"testing"

	"inglenook/pipeline/decoding"
	"inglenook/sampling"
)

// TestHeadRests: a head whose guesses do not pay is given up in mid-answer and rests for ever more
// answers; one whose guesses pay goes on; one that always guesses is never given up.
func TestHeadRests(t *testing.T) {
	for name, c := range map[string]struct {
		way     string
		right   bool
		room    int
		stopped int // in 40 answers that the head was asked in
		took    int // answers of these in which it took part
	}{
		"right":         {Auto, true, 10, 0, 40},
		"wrong":         {Auto, false, 10, 6, 6}, // after 1, 2, 4, 8 and 16 answers without it
		"no room":       {Auto, true, 0, 6, 6},
		"wrong, always": {Own, false, 10, 0, 40},
	} {
		costs, ahead := costing(0.02), &Costs{seconds: [Most + 2]float64{1: 0.02}}
		stopped, took := 0, 0
		for range 40 {
			if c.way == Auto && !costs.Awake() {
				continue
			}
			took++
			own, err := sampling.New(sampling.Likeliest())
			if err != nil {
				t.Fatal(err)
			}
			s, err := sampling.New(sampling.Likeliest())
			if err != nil {
				t.Fatal(err)
			}
			m := NewHead(decoding.NewHistory(&counting{ahead: 9}, 400, 400), ahead, own, 100, func() { stopped++ })
			d := New(c.way, costs, nil, m)
			ids := []int32{1}
			for range 2 * patience {
				d.lookup = nil // the head alone
				got := d.Guess(context.Background(), Moment{IDs: ids, Sampler: s, Room: c.room})
				if m.ended && len(got) > 0 {
					t.Fatalf("%s: it guesses after it was given up", name)
				}
				next := (ids[len(ids)-1] + 1) % 100
				if !c.right {
					next = 50
				}
				ids = append(ids, next)
				d.Saw(next, false)
			}
		}
		if stopped != c.stopped || took != c.took {
			t.Errorf("%s: it was given up in %d of %d answers, want %d of %d", name, stopped, took, c.stopped, c.took)
		}
	}
}

// TestHeadInShortAnswers: a head whose guesses come true guesses soon, also where a wrong guess costs
// another reading; one whose guesses never do is given up although each answer is short.
func TestHeadInShortAnswers(t *testing.T) {
	const answers, length = 40, 48
	for name, c := range map[string]struct {
		right bool
		low   int // tokens that it has read of all
		high  int
	}{
		"right": {true, answers * length, answers * length},
		"wrong": {false, 0, answers * length / 3},
	} {
		costs, ahead := costing(0.1), &Costs{seconds: [Most + 2]float64{1: 0.05}}
		costs.seconds[2] = 2.4 // as measured: the second token is dear, and further ones are not
		for n := 3; n < len(costs.seconds); n++ {
			costs.seconds[n] = 2.4 + 0.2*float64(n-2)
		}
		read := 0
		for i := range answers {
			if !costs.Awake() {
				continue
			}
			own, err := sampling.New(sampling.Likeliest())
			if err != nil {
				t.Fatal(err)
			}
			s, err := sampling.New(sampling.Likeliest())
			if err != nil {
				t.Fatal(err)
			}
			m := NewHead(decoding.NewHistory(&counting{ahead: 9}, 400, 400), ahead, own, 100, func() {})
			d := New(Auto, costs, nil, m)
			ids, guessed := []int32{1}, 0
			for n := range length {
				d.lookup = nil // the head alone
				if !m.ended {
					read++
				}
				got := d.Guess(context.Background(), Moment{IDs: ids, Sampler: s, Room: length - n, Again: true})
				if guessed == 0 && len(got) > 0 {
					guessed = n + 1
				}
				next := (ids[len(ids)-1] + 1) % 100
				if !c.right {
					next = 50
				}
				ids = append(ids, next)
				d.Saw(next, false)
			}
			if c.right && (guessed == 0 || guessed > 4*firstLook) || !c.right && guessed > 0 {
				t.Errorf("%s: in answer %d it first guesses at token %d", name, i, guessed)
			}
		}
		if read < c.low || read > c.high {
			t.Errorf("%s: it has read %d of %d tokens, want %d to %d", name, read, answers*length, c.low, c.high)
		}
	}
}
