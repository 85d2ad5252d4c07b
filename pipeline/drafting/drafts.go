package drafting

import (
	"fmt"
	"time"
)

// The ways to guess how an answer goes on.
const (
	Off    = "off"    // the model reads one token in each pass
	Always = "lookup" // guesses what followed the same tokens before, whether that pays or not
	Auto   = "auto"   // the same, as long as it makes the answer faster
)

// Check returns an error of one sentence about an unknown way; empty is Off.
func Check(way string) error {
	switch way {
	case "", Off, Always, Auto:
		return nil
	}
	return fmt.Errorf("there is no way %q to draft an answer; choose auto, off or lookup", way)
}

// Drafts are the guesses of one answer.
type Drafts struct {
	lookup *Lookup
	pace   *Pace
	guess  []int32

	guessed, accepted int
}

// New begins an answer to a prompt. It returns nil where nothing is to be guessed.
func New(way string, costs *Costs, prompt []int32) *Drafts {
	if way != Always && way != Auto {
		return nil
	}
	return &Drafts{lookup: NewLookup(prompt), pace: NewPace(costs, way == Always)}
}

// Saw takes the next token of the answer; tried says that it came with an earlier pass.
func (d *Drafts) Saw(id int32, tried bool) {
	if d.guess = d.lookup.Guess(d.guess[:0], 1); len(d.guess) > 0 {
		d.pace.Saw(d.lookup.Like(), d.guess[0] == id)
	}
	d.lookup.Add(id)
	d.pace.Got()
	if tried {
		d.accepted++
	}
}

// Guess returns what may follow the last token: the tokens to read in the pass that
// reads that one. Its arguments are those of [Pace.Length]. The result is valid until the
// next call.
func (d *Drafts) Guess(lost, room int, again bool) []int32 {
	d.guess = d.lookup.Guess(d.guess[:0], d.pace.Length(d.lookup.Like(), lost, room, again))
	d.guessed += len(d.guess)
	return d.guess
}

// Ran takes what the pass of a guess took, and how many tokens it read.
func (d *Drafts) Ran(tokens int, took time.Duration) { d.pace.Ran(tokens, took) }

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
