package nn

import (
	"errors"
	"fmt"
	"slices"

	"inglenook/engine"
)

// Cache holds the keys and values of the tokens seen so far, and the states of
// recurrent layers. The caller sets Len to what Reach allows, records a pass, and
// calls Advance once it ran: later passes overwrite what follows.
type Cache struct {
	Keys, Values []*engine.Tensor // [Capacity, kvHeads·headSize], one a slot
	Len          int              // tokens held
	Source       int              // of a text-to-text model: tokens held of the text that it answers, besides Len
	Capacity     int

	rotary []*engine.Rotary // one a slot; nil without rotary positions
	states states
	added  []keyValues // of the last pass, which so allocates nothing
	at     []int32     // positions of its tokens, likewise
}

// slot is the space in a cache for the keys and values of one layer, or of
// several that share them.
type slot struct {
	cols, headSize int
	rope           *Rope
}

// keep adds a slot to those of the network and returns its number.
func (b Builder) keep(s slot) int {
	b.log.slots = append(b.log.slots, s)
	return len(b.log.slots) - 1
}

// NewCache makes a cache for so many tokens in every slot of the network that b
// has built.
func (b Builder) NewCache(d engine.DType, tokens int) (*Cache, error) {
	type turn struct {
		rope *Rope
		size int
	}
	turns := map[turn]*engine.Rotary{} // shared by slots with equal rotation
	c := &Cache{Capacity: tokens}
	for i, s := range b.log.slots {
		if s.cols%d.Block() != 0 {
			return nil, fmt.Errorf("the cache cannot be of type %s, because the %d columns of this model's keys do not divide into blocks of %d; choose f16 or f32", d, s.cols, d.Block())
		}
		t := turn{s.rope, s.headSize}
		if _, known := turns[t]; !known && s.rope != nil {
			turns[t] = s.rope.Rotary(s.headSize, tokens)
		}
		c.rotary = append(c.rotary, turns[t])
		c.Keys = append(c.Keys, engine.NewCache(fmt.Sprintf("layer %d keys", i), d, tokens, s.cols))
		c.Values = append(c.Values, engine.NewCache(fmt.Sprintf("layer %d values", i), d, tokens, s.cols))
	}
	c.states = b.newStates()
	return c, nil
}

// KeepsStates reports whether layers of the network that b has built keep states.
func (b Builder) KeepsStates() bool { return len(b.log.kept) > 0 }

// Recurrent reports whether layers keep states, so that a cache cannot go back to
// any number of tokens.
func (c *Cache) Recurrent() bool { return len(c.states.of) > 0 }

// Reach returns the most tokens, n at most, from which a pass can go on. Without
// states it is n.
func (c *Cache) Reach(n int) int {
	if !c.Recurrent() {
		return n
	}
	return c.states.reach(n)
}

// Advance counts the tokens of the pass that was recorded last as held, after it
// ran.
func (c *Cache) Advance() {
	c.Len = c.states.next.tokens
	if c.Recurrent() {
		c.states.advance()
	}
}

// Fits reports whether c was made for the network that b has built.
func (b Builder) Fits(c *Cache) bool {
	n := len(b.log.slots)
	return c != nil && len(c.Keys) == n && len(c.Values) == n && len(c.rotary) == n && len(c.states.of) == len(b.log.kept)
}

// from returns the cache as the rows of a pass see it that begin so many tokens
// later.
func (c *Cache) from(later int) *Cache {
	then := *c
	then.Len += later
	then.added, then.at = nil, nil
	return &then
}

// Release frees the memory of the cache, which is empty afterwards.
func (c *Cache) Release() error {
	c.Len, c.Source, c.states.marks = 0, 0, nil
	var errs []error
	for _, t := range slices.Concat(c.Keys, c.Values, c.states.of) {
		errs = append(errs, t.Release())
	}
	return errors.Join(errs...)
}
