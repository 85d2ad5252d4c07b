package drafting

import (
	"context"
	"fmt"
	"time"
)

// The ways to guess how an answer goes on.
const (
	Off    = "off"    // the model reads one token in each pass
	Always = "lookup" // guesses what followed the same tokens before, whether that pays or not
	Small  = "model"  // guesses with a smaller model, whether that pays or not
	Own    = "mtp"    // guesses with a head of the model itself, whether that pays or not
	Auto   = "auto"   // by lookup, and with the head or a smaller model, as long as it makes the answer faster
)

// Check returns an error of one sentence about an unknown way; empty is Off.
func Check(way string) error {
	switch way {
	case "", Off, Always, Small, Own, Auto:
		return nil
	}
	return fmt.Errorf("there is no way %q to draft an answer; choose auto, off, lookup, mtp or model", way)
}

// Drafts are the guesses of one answer.
type Drafts struct {
	lookup *Lookup // nil: a model alone guesses
	model  *Model  // nil: there is none
	pace   *Pace
	guess  []int32

	guessed, accepted int
}

// New begins an answer to a prompt. It returns nil where nothing is to be guessed. m, which may
// be nil, guesses in the ways Small, Own and Auto.
func New(way string, costs *Costs, prompt []int32, m *Model) *Drafts {
	d := &Drafts{pace: NewPace(costs, way != Auto)}
	switch way {
	case Always:
		d.lookup = NewLookup(prompt)
	case Auto:
		d.lookup, d.model = NewLookup(prompt), m
	case Small, Own:
		d.model = m
	}
	if d.lookup == nil && d.model == nil {
		return nil
	}
	if m := d.model; m != nil && way == Auto {
		costs.habit.begin(*m.habit)
		m.habit = &costs.habit
	}
	return d
}

// Saw takes the next token of the answer; tried says that it came with an earlier pass.
func (d *Drafts) Saw(id int32, tried bool) {
	if d.lookup != nil {
		if d.guess = d.lookup.Guess(d.guess[:0], 1); len(d.guess) > 0 {
			d.pace.Saw(d.lookup.Like(), d.guess[0] == id)
		}
		d.lookup.Add(id)
	}
	if d.model != nil {
		d.model.Saw(id)
		d.read()
	}
	d.pace.Got()
	if tried {
		d.accepted++
	}
}

// Guess returns what may follow the last token: the tokens to read in the pass that
// reads that one. The result is valid until the next call.
func (d *Drafts) Guess(ctx context.Context, at Moment) []int32 {
	d.guess = d.guess[:0]
	d.tire()
	if at.Lost >= Most {
		at.Room = 0 // what is read again fills the pass
	}
	n, gain := 0, 0.0
	if d.lookup != nil {
		n, gain = d.pace.Length(d.lookup.Like(), at.Lost, at.Room, at.Again)
	}
	if !d.ask(ctx, at, gain) && n > 0 {
		d.guess = d.lookup.Guess(d.guess, n)
	}
	d.guessed += len(d.guess)
	return d.guess
}

// ask lets the model guess if that is better than a gain without it, and reports whether it was.
func (d *Drafts) ask(ctx context.Context, at Moment, gain float64) bool {
	m := d.model
	if m == nil || m.ended || at.Room == 0 {
		return false
	}
	if !d.pace.always && m.stop == nil && m.unread(at.IDs) > readsPerToken*(1+d.pace.tokens) {
		return false
	}
	start := time.Now()
	defer func() { d.pace.Spent(time.Since(start)) }()
	_, with := d.pace.planModel(m, at)
	switch {
	case with > gain && d.pace.dear(m) > 0:
		m.pause = m.first
		if d.guess = m.guess(ctx, d.guess, at, d.pace, false); len(d.guess) > 0 {
			d.paid()
		}
	case gain == 0 && (d.pace.dear(m) == 0 || m.due()):
		d.guess = m.guess(ctx, d.guess, at, d.pace, true)
	default:
		return false
	}
	return true
}

// Ran takes what the pass of a guess took, and how many tokens it read.
func (d *Drafts) Ran(tokens int, took time.Duration) { d.pace.Ran(tokens, took) }

// Notices returns sentences for a person about the model that guesses, each once.
func (d *Drafts) Notices() []string {
	if d == nil || d.model == nil {
		return nil
	}
	list := d.model.notice
	d.model.notice = nil
	return list
}

// Outcome says what guesses did for an answer.
type Outcome struct {
	Drafted  int     // tokens that were guessed
	Accepted int     // of them those that came
	Gain     float64 // how much faster guesses made the answer, as far as that can be told: 0.62 for 62 %; below 0: slower
}

// Outcome returns what the guesses did so far; nil and one that guessed
// nothing did nothing.
func (d *Drafts) Outcome() Outcome {
	if d == nil || d.guessed == 0 {
		return Outcome{}
	}
	return Outcome{d.guessed, d.accepted, d.pace.Gain()}
}
