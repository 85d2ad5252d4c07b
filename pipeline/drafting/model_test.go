package drafting

import (
	"context"
	"errors"
	"slices"
	"testing"

	"inglenook/pipeline/decoding"
	"inglenook/pipeline/placement"
	"inglenook/sampling"
)

// counting is a predictor after whose token n comes n+1, by so much more than the others.
type counting struct {
	ahead float32
	fails bool
}

func (c *counting) Extend(_ context.Context, _ int, ids []int32, scores int) ([]float32, error) {
	if c.fails {
		return nil, errors.New("the device is gone")
	}
	out := make([]float32, scores*100)
	for i, id := range ids[len(ids)-scores:] {
		out[i*100+int(id+1)%100] = c.ahead
	}
	return out, nil
}
func (c *counting) Recovers(error) bool        { return false }
func (c *counting) Notices() []string          { return nil }
func (c *counting) Ran(bool) placement.Outcome { return placement.Outcome{} }
func (c *counting) Close() error               { return nil }

// modelFor returns a model whose passes take so many times what the checked model's take.
func modelFor(t *testing.T, c *counting, dear float64, vocab int) (*Model, *sampling.Sampler) {
	t.Helper()
	s, err := sampling.New(sampling.Likeliest())
	if err != nil {
		t.Fatal(err)
	}
	own, err := sampling.New(sampling.Likeliest())
	if err != nil {
		t.Fatal(err)
	}
	m := NewModel(decoding.NewHistory(c, 200, 64), &Costs{seconds: [Most + 2]float64{1: dear}}, own, vocab)
	return m, s
}

// TestModelGuesses: a model guesses as many tokens as pay, none where its passes take too long or
// its guesses do not come, and none that the checked model does not know.
func TestModelGuesses(t *testing.T) {
	for name, c := range map[string]struct {
		more, dear float64
		ahead      float32
		right      bool // what it guesses comes
		room       int
		low, high  int
	}{
		"cheap and right":   {0.02, 0.02, 9, true, 99, Most, Most},
		"little room":       {0.02, 0.02, 9, true, 3, 3, 3},
		"no room":           {0.02, 0.02, 9, true, 0, 0, 0},
		"cheap and wrong":   {0.02, 0.02, 9, false, 99, 0, 0},
		"as dear as itself": {0.02, 1.1, 9, true, 99, 0, 0},
		"dear passes":       {1, 0.05, 9, true, 99, 0, 0},
		"half as dear":      {0.3, 0.1, 9, true, 99, 2, Most},
	} {
		m, s := modelFor(t, &counting{ahead: c.ahead}, c.dear, 100)
		d := New(Auto, costing(c.more), []int32{1}, m)
		ids := []int32{1}
		for range 60 {
			next := ids[len(ids)-1] + 1
			if !c.right {
				next = (next * 7) % 90
			}
			m.open = []guess{{ids[len(ids)-1] + 1, 4}}
			ids = append(ids, next%100)
			d.Saw(next%100, false)
			d.lookup = NewLookup(nil) // the model alone
		}
		m.idle = 0
		m.history.IDs = append(m.history.IDs[:0], ids[:len(ids)-1]...)
		if n := len(d.Guess(context.Background(), Moment{IDs: ids, Sampler: s, Room: c.room})); n < c.low || n > c.high {
			t.Errorf("%s: %d guesses, want %d to %d", name, n, c.low, c.high)
		}
	}
	m, s := modelFor(t, &counting{ahead: 9}, 0.02, 5)
	d := New(Small, costing(0.02), nil, m)
	if got := d.Guess(context.Background(), Moment{IDs: []int32{2}, Sampler: s, Room: 10}); len(got) < 2 || slices.ContainsFunc(got, func(id int32) bool { return id > 4 }) {
		t.Errorf("guesses beyond the vocabulary: %v", got)
	}
}

// TestModelLooksAgain: where guesses do not come true it looks again after a while, ever later, and reads no
// long prompt for a short answer.
func TestModelLooksAgain(t *testing.T) {
	m, s := modelFor(t, &counting{ahead: 9}, 0.02, 100)
	m.usual = 0.01
	d := New(Auto, costing(0.02), nil, m)
	ids := make([]int32, 1, 5000)
	var looked []int
	for i := range 2000 {
		before := m.idle
		if got := d.Guess(context.Background(), Moment{IDs: ids[len(ids)-1:], Sampler: s, Room: 10}); len(got) > 0 {
			t.Fatalf("%v is guessed", got)
		}
		if m.idle < before {
			looked = append(looked, i)
		}
		d.Saw(3, false)
		d.lookup = NewLookup(nil)
	}
	if !slices.Equal(looked, []int{64, 192, 448, 960, 1984}) {
		t.Errorf("it looked after %v tokens", looked)
	}
	m, s = modelFor(t, &counting{ahead: 9}, 0.02, 100)
	d = New(Auto, costing(0.02), nil, m)
	prompt := make([]int32, 150)
	if got := d.Guess(context.Background(), Moment{IDs: prompt, Sampler: s, Room: 10}); len(got) > 0 || len(m.history.IDs) > 0 {
		t.Errorf("%v is guessed at once", got)
	}
	for range 3 {
		d.Saw(0, false)
	}
	d.lookup = NewLookup(nil)
	if got := d.Guess(context.Background(), Moment{IDs: prompt, Sampler: s, Room: 10}); len(got) == 0 {
		t.Error("nothing is guessed later")
	}
}

// TestHabit: what was learned in one answer counts in the next, where guesses are made of themselves, and not for
// ever.
func TestHabit(t *testing.T) {
	costs := costing(0.02)
	answer := func(way string) float64 {
		m, _ := modelFor(t, &counting{ahead: 9}, 0.02, 100)
		d := New(way, costs, nil, m)
		return d.model.usual
	}
	first := answer(Auto)
	costs.habit.usual = 0.1
	if second := answer(Auto); second <= 0.1 || second >= first {
		t.Errorf("after an answer with few right guesses %v are expected, before it %v", second, first)
	}
	for range 20 {
		answer(Auto)
	}
	if last := answer(Auto); last < first*0.98 {
		t.Errorf("after many answers without guesses %v are expected", last)
	}
	costs.habit.usual = 0.1
	if forced := answer(Small); forced != first {
		t.Errorf("where guesses are asked for, %v are expected", forced)
	}
}

// TestModelFails: after a failure nothing is guessed, and one sentence says so once; nothing is said where
// the answer was cancelled.
func TestModelFails(t *testing.T) {
	for _, cancelled := range []bool{false, true} {
		m, s := modelFor(t, &counting{fails: true}, 0.02, 100)
		d := New(Small, costing(0.02), nil, m)
		ctx, cancel := context.WithCancel(context.Background())
		if cancelled {
			cancel()
		}
		got := d.Guess(ctx, Moment{IDs: []int32{1}, Sampler: s, Room: 10})
		if n := len(d.Notices()); len(got) > 0 || n == 1 == cancelled || len(d.Notices()) > 0 || m.ended == cancelled {
			t.Errorf("cancelled %v: %v, %d sentences", cancelled, got, n)
		}
		cancel()
	}
}
