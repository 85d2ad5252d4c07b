package drafting

import (
	"inglenook/pipeline/decoding"
	"inglenook/sampling"
)

// NewHead begins an answer for which a head of the model itself guesses. Unlike a smaller model,
// the head reads each token in the passes of its model, which costs a little also where nothing
// is guessed. So in the way Auto it is given up where its guesses do not pay: stop ends its
// reading.
func NewHead(history *decoding.History, costs *Costs, sampler *sampling.Sampler, vocab int, stop func()) *Model {
	m := NewModel(history, costs, sampler, vocab)
	m.stop, m.first, m.pause = stop, firstLook, firstLook
	return m
}

const (
	// firstLook is firstPause of a head, which has read the text already: it is soon known whether
	// its guesses come true, so that also a short answer has something of them.
	firstLook = 4
	// patience is how many tokens a head reads without a guess that pays, in one answer or several.
	patience = 96
	// longestRest is how many answers are made without a head at most before it tries again.
	longestRest = 64
)

// rest is for how many answers a head does not read.
type rest struct {
	left, last int
	unpaid     int // tokens that it has read since a guess was worth a pass
}

// tired reports whether the head has read for nothing for long enough. After a rest that is sooner.
func (r *rest) tired() bool {
	if r.last > 0 {
		return r.unpaid >= patience/2
	}
	return r.unpaid >= patience
}

// Awake reports whether the head of the model takes part in the next answer in the way Auto.
// Asked once for each answer, it says no for some after one in which its guesses did not pay.
func (c *Costs) Awake() bool {
	if c.rest.left == 0 {
		return true
	}
	c.rest.left--
	return false
}

// read notes that a head has read another token.
func (d *Drafts) read() {
	if d.model.stop != nil && !d.model.ended {
		d.pace.costs.rest.unpaid++
	}
}

// tire gives a head up that has not made a guess that pays for long. The next time it rests for
// twice as many answers.
func (d *Drafts) tire() {
	m := d.model
	r := &d.pace.costs.rest
	if m == nil || m.stop == nil || m.ended || d.pace.always || !r.tired() {
		return
	}
	m.ended = true
	m.stop()
	r.unpaid = 0
	r.last = min(max(1, 2*r.last), longestRest)
	r.left = r.last
}

// paid notes that guesses are worth a pass. A head that says so late in an answer does not only
// hope.
func (d *Drafts) paid() {
	d.pace.costs.rest.unpaid = 0
	if d.model.stop != nil && d.pace.tokens >= patience {
		d.pace.costs.rest.last = 0
	}
}
