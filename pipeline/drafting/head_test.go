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
