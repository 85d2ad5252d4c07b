package engine

import (
	"slices"
	"unsafe"
)

// slab holds a graph's values. Reset makes their memory reusable, so that
// recording passes of one model allocates none. Two halves alternate, so that a
// tensor of the previous pass is never one of this pass.
type slab struct {
	now, before []*Tensor // room for the values of this pass and of the previous one
	used        int
}

const slabGrowth = 64 // tensors

// values returns those of this pass in recording order.
func (s *slab) values() []*Tensor { return s.now[:s.used] }

// next returns the place of the next value, which keep then counts.
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

// turn starts a pass.
func (s *slab) turn() {
	s.now, s.before, s.used = s.before, s.now, 0
}

// withParams sets t's parameters. Boxing them in an interface allocates, so it
// reuses the value of the last tensor in this place if that is equal.
func withParams[P comparable](t *Tensor, p P) *Tensor {
	if old, ok := t.boxed.(P); !ok || old != p {
		t.boxed = p
	}
	t.Params = t.boxed
	return t
}

// withPoolParams, withAttentionParams and withCausalParams do the same for parameters with slices, which
// they copy.
func withPoolParams(t *Tensor, p PoolParams) *Tensor {
	if old, ok := t.boxed.(PoolParams); !ok || !slices.Equal(old.Modes, p.Modes) {
		p.Modes = slices.Clone(p.Modes)
		t.boxed = p
	}
	t.Params = t.boxed
	return t
}

func withAttentionParams(t *Tensor, p AttentionParams) *Tensor {
	if old, ok := t.boxed.(AttentionParams); !ok || !old.equal(p) {
		p.Slopes = slices.Clone(p.Slopes)
		t.boxed = p
	}
	t.Params = t.boxed
	return t
}

func (p AttentionParams) equal(q AttentionParams) bool {
	return p.Heads == q.Heads && p.Scale == q.Scale && p.MaxDistance == q.MaxDistance && p.Reach == q.Reach && p.Causal == q.Causal &&
		(p.Slopes == nil) == (q.Slopes == nil) && slices.Equal(p.Slopes, q.Slopes)
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
		p.SoftCap == q.SoftCap && p.MaxDistance == q.MaxDistance && p.BiasScale == q.BiasScale && p.RoundBias == q.RoundBias &&
		(p.Slopes == nil) == (q.Slopes == nil) && slices.Equal(p.Slopes, q.Slopes)
}

// spares are byte slices of former inputs and results.
type spares [][]byte

// take returns n bytes of the smallest spare that is large enough. If there is none,
// it allocates them and drops the largest spare.
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

// give adds the host bytes of t to the spares.
func (s *spares) give(t *Tensor) {
	if t.host != nil {
		*s = append(*s, t.host)
	}
	t.host = nil
}

// Values of inputs and results lie in host memory as bytes in the machine's own order.

// BytesOf returns the memory of values.
func BytesOf[T int32 | float32](v []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 4*len(v))
}

// ints returns the values of a column that passed needInts. Its memory suits them, as all memory
// for inputs does.
func (t *Tensor) ints() []int32 {
	return unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(t.host))), len(t.host)/4)
}
