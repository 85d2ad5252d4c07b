package drafting

import "time"

// Most is how many tokens are guessed at most: in passes of more, each token costs as
// much again on most devices.
const Most = 15

// Costs are what the passes of a model take on the device where it runs, by the number
// of their tokens. They are learned from every pass, and outlive answers.
type Costs struct {
	seconds [Most + 2]float64 // by tokens; 0: not known
	habit   habit             // of the model that guesses for this one
	rest    rest              // of the head that guesses for this one
}

// What a second token and each further one cost in a pass, of the whole pass of one
// token, as long as that was not measured: passes of several tokens wait for arithmetic
// and not for memory.
const (
	guessedSecond = 1
	guessedCost   = 0.1
)

// Learn takes what a pass of so many tokens took.
func (c *Costs) Learn(tokens int, took time.Duration) {
	if tokens < 1 || tokens >= len(c.seconds) || took <= 0 {
		return
	}
	s, known := took.Seconds(), &c.seconds[tokens]
	switch {
	case *known == 0:
		*known = s
	case s < *known:
		*known += (s - *known) / 2
	default: // something else may have held it up
		*known += (s - *known) / 8
	}
}

// of returns what a pass of so many tokens takes: as measured, between two measured
// ones, or as guessed from the longest one.
func (c *Costs) of(tokens int) float64 {
	below, above := tokens, tokens
	for below > 0 && c.seconds[below] == 0 {
		below--
	}
	for above < len(c.seconds) && c.seconds[above] == 0 {
		above++
	}
	switch {
	case below == tokens:
		return c.seconds[tokens]
	case below == 0:
		return 0
	case above == len(c.seconds):
		more := float64(tokens-below) * guessedCost
		if below == 1 {
			more += guessedSecond - guessedCost
		}
		return c.seconds[below] + more*c.seconds[1]
	}
	share := float64(tokens-below) / float64(above-below)
	return c.seconds[below] + share*(c.seconds[above]-c.seconds[below])
}

// forgive lets passes of several tokens seem a little cheaper: the measurements that say
// that these do not pay may be old, and then another one is due now and then.
func (c *Costs) forgive() {
	for i := range c.seconds[2:] {
		c.seconds[2+i] *= 0.995
	}
}

// Pace decides how many tokens to guess in one answer.
type Pace struct {
	costs  *Costs
	always bool
	right  [5]float64 // how often a guess comes true, by bucket

	passes, tokens int     // of the answer so far, without the first token
	seconds        float64 // of those passes
}

// bucket sorts guesses by how many tokens before them were like before.
func bucket(like int) int {
	switch {
	case like >= longestMatch:
		return 4
	case like >= 12:
		return 3
	case like >= 6:
		return 2
	case like >= 3:
		return 1
	}
	return 0
}

// NewPace begins an answer. What it assumes of guesses is low for short likenesses:
// it learns also from guesses that nothing was tried with, which cost nothing.
// With always, what passes really take does not matter.
func NewPace(costs *Costs, always bool) *Pace {
	return &Pace{costs: costs, always: always, right: [...]float64{0.1, 0.3, 0.6, 0.8, 0.9}}
}

// Saw takes whether a guess came true, after so many tokens like before.
func (p *Pace) Saw(like int, right bool) {
	if like == 0 {
		return
	}
	r := &p.right[bucket(like)]
	*r -= *r / 10
	if right {
		*r += 0.1
	}
}

// Ran takes what a pass of so many tokens took.
func (p *Pace) Ran(tokens int, took time.Duration) {
	p.costs.Learn(tokens, took)
	p.passes++
	p.seconds += took.Seconds()
}

// Spent takes what it took to make guesses.
func (p *Pace) Spent(took time.Duration) { p.seconds += took.Seconds() }

// Got counts a token of the answer.
func (p *Pace) Got() { p.tokens++ }

// worthwhile is the least gain for which anything is guessed.
const worthwhile = 1.1

// Length returns how many tokens to guess, room at most, after so many like before, and
// how many times as fast that is as no guess; lost is how many the pass reads again anyway.
// again says that what is guessed wrongly costs one more reading of what was right, as with
// models that cannot forget one token.
func (p *Pace) Length(like, lost, room int, again bool) (n int, gain float64) {
	if like == 0 {
		return 0, 0
	}
	n, gain = p.plan(lost, room, again, 0, func(n int) float64 { return p.right[bucket(like+n-1)] })
	if n == 0 && p.right[bucket(like)] > 0.5 {
		p.costs.forgive()
	}
	return n, gain
}

// plan is Length for guesses each of which takes so many seconds to make; right is how often
// the nth comes true.
func (p *Pace) plan(lost, room int, again bool, dear float64, right func(n int) float64) (best int, gain float64) {
	if room < 1 {
		return 0, 0
	}
	costs := p.reckoned()
	alone := costs.of(1 + lost)
	if alone == 0 {
		return 0, 0
	}
	gain = worthwhile
	all, expected := 1.0, 1.0
	for n := 1; n <= min(room, Most-lost); n++ {
		all *= right(n)
		expected += all
		cost := costs.of(1+lost+n) + float64(n)*dear
		if again {
			cost += (1 - all) * max(0, costs.of(1+int(expected))-costs.of(1))
		}
		if g := expected * alone / cost; g > gain {
			best, gain = n, g
		}
	}
	if best == 0 {
		return 0, 0
	}
	return best, gain
}

// planModel is Length for the guesses of a model.
func (p *Pace) planModel(m *Model, at Moment) (n int, gain float64) {
	n, gain = p.plan(at.Lost, at.Room, at.Again, p.dear(m), func(int) float64 { return m.usual })
	if n == 0 && m.usual > 0.5 {
		p.costs.forgive()
	}
	return n, gain
}

// asked are the costs where guesses are asked for whether they pay or not: as if all passes
// were cheap.
var asked = Costs{seconds: [Most + 2]float64{1: 1, 2: 1 + guessedCost}}

// reckoned are the costs by which guesses are judged.
func (p *Pace) reckoned() *Costs {
	if p.always {
		return &asked
	}
	return p.costs
}

// dear is what one guess of a model costs, by the same costs.
func (p *Pace) dear(m *Model) float64 {
	if p.always {
		return guessedCost
	}
	return m.costs.of(1)
}

// Gain returns how much faster the answer was than with passes of one token each, 0.62
// for 62 %; below 0 it was slower.
func (p *Pace) Gain() float64 {
	if p.seconds == 0 || p.costs.of(1) == 0 {
		return 0
	}
	return float64(p.tokens)*p.costs.of(1)/p.seconds - 1
}
