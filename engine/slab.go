package engine

import "slices"

// slab holds a graph's values. Their memory serves again after Reset, so that
// recording pass after pass of one model takes none: by turns, so that a tensor
// of the pass before is never one of this pass.
type slab struct {
	now, before []*Tensor // room for values, that of this pass and of the one before
	used        int
}

const slabGrowth = 64 // tensors

// values are those of this pass in recording order.
func (s *slab) values() []*Tensor { return s.now[:s.used] }

// next is where the next value goes once it is kept.
func (s *slab) next() *Tensor {
	if s.used == len(s.now) {
		more := make([]Tensor, slabGrowth)
		for i := range more {
			s.now = append(s.now, &more[i])
		}
	}
	return s.now[s.used]
}

func (s *slab) keep() { s.used++ }

// turn begins a pass.
func (s *slab) turn() {
	s.now, s.before, s.used = s.before, s.now, 0
}

// withParams gives t its parameters. They are an interface's value, which takes
// memory unless those of the last tensor in this place were the same.
func withParams[P comparable](t *Tensor, p P) *Tensor {
	if old, ok := t.boxed.(P); !ok || old != p {
		t.boxed = p
	}
	t.Params = t.boxed
	return t
}

// withPoolParams and withCausalParams do so for parameters with slices, of which
// the tensor gets its own.
func withPoolParams(t *Tensor, p PoolParams) *Tensor {
	if old, ok := t.boxed.(PoolParams); !ok || !slices.Equal(old.Modes, p.Modes) {
		p.Modes = slices.Clone(p.Modes)
		t.boxed = p
	}
	t.Params = t.boxed
	return t
}

func withCausalParams(t *Tensor, p CausalAttentionParams) *Tensor {
	if old, ok := t.boxed.(CausalAttentionParams); !ok || !old.equal(p) {
		p.Slopes = slices.Clone(p.Slopes)
		t.boxed = p
	}
	t.Params = t.boxed
	return t
}

func (p CausalAttentionParams) equal(q CausalAttentionParams) bool {
	return p.Heads == q.Heads && p.KVHeads == q.KVHeads && p.Scale == q.Scale && p.Window == q.Window &&
		p.SoftCap == q.SoftCap && p.BiasScale == q.BiasScale && p.RoundBias == q.RoundBias &&
		(p.Slopes == nil) == (q.Slopes == nil) && slices.Equal(p.Slopes, q.Slopes)
}

// spares are byte slices that served as inputs or results before.
type spares [][]byte

// take returns n bytes, those of the smallest spare that suffices. Where none
// does, the largest one makes way for the new bytes.
func (s *spares) take(n int) []byte {
	best, largest := -1, -1
	for i, b := range *s {
		if cap(b) >= n && (best < 0 || cap(b) < cap((*s)[best])) {
			best = i
		}
		if largest < 0 || cap(b) > cap((*s)[largest]) {
			largest = i
		}
	}
	if best < 0 {
		if largest >= 0 {
			s.remove(largest)
		}
		return make([]byte, n)
	}
	b := (*s)[best]
	s.remove(best)
	return b[:n]
}

func (s *spares) remove(i int) {
	last := len(*s) - 1
	(*s)[i], (*s)[last] = (*s)[last], nil
	*s = (*s)[:last]
}

// give takes back the host bytes of t.
func (s *spares) give(t *Tensor) {
	if t.host != nil {
		*s = append(*s, t.host)
	}
	t.host = nil
}
