package engine

import "slices"

// align puts every value on cache lines of its own, aligned for vectors.
const align = 64

// layout is where the values of a graph lie. Passes of the same operations on as
// many rows have the same layout.
type layout struct {
	lives   []life // by value, as are the offsets
	offsets []int
	total   int

	fresh  []life // scratch
	placed []piece
	order  []piece
}

// life is the interval, in recording steps, during which a value is needed.
type life struct {
	first, last int32
	size        int
	kept        bool // it is there already, and stays
}

// piece is a value's part of the arena.
type piece struct {
	life
	index, offset int
}

// plan sets the Offset of every value of the graph in one arena so that no two
// values that live at the same time share a byte, and returns the arena's size.
//
// A value lives from its recording (inputs: from the start) to its last use;
// wanted results live to the end. Memory is reused only reach steps later; see
// [Reacher]. Values are placed largest first, each into the lowest gap that is
// free during its whole life ("greedy by size", Pisarchyk and Lee 2020,
// arXiv:2001.03288). Before them come the values that are kept, one after the other, so that
// they lie in the same place in every pass.
func (l *layout) plan(values []*Tensor, reach int) int {
	l.fresh = lifetimes(l.fresh, values, int32(reach))
	if !slices.Equal(l.fresh, l.lives) {
		l.lives, l.fresh = l.fresh, l.lives
		l.place()
	}
	for i, t := range values {
		t.Offset = l.offsets[i]
	}
	return l.total
}

func (l *layout) place() {
	l.order, l.placed = l.order[:0], l.placed[:0] // placed is ordered by offset
	for i, life := range l.lives {
		l.order = append(l.order, piece{life: life, index: i})
	}
	slices.SortStableFunc(l.order, func(a, b piece) int {
		switch {
		case a.kept && b.kept:
			return 0
		case a.kept:
			return -1
		case b.kept:
			return 1
		}
		return b.size - a.size
	})
	l.offsets, l.total = sized(l.offsets, len(l.lives)), 0
	for _, v := range l.order {
		for i := range l.placed {
			p := &l.placed[i]
			if p.last < v.first || v.last < p.first {
				continue
			}
			if p.offset-v.offset >= v.size {
				break
			}
			v.offset = max(v.offset, p.offset+p.size)
		}
		l.offsets[v.index] = v.offset
		l.total = max(l.total, v.offset+v.size)
		at, _ := slices.BinarySearchFunc(l.placed, v.offset, func(p piece, o int) int { return p.offset - o })
		l.placed = slices.Insert(l.placed, at, v)
	}
}

// lifetimes lists the lives of values, reusing the memory of lives.
func lifetimes(lives []life, values []*Tensor, reach int32) []life {
	lives = sized(lives, len(values))
	for i, t := range values {
		now := int32(i)
		lives[i] = life{first: now, last: now + reach, size: (t.Bytes() + align - 1) / align * align}
		if t.Op == OpInput {
			lives[i].first = 0
		}
		if t.key != nil {
			lives[i].first, lives[i].kept = 0, true
		}
		if t.want || t.key != nil {
			lives[i].last = int32(len(values)) + reach
		}
		for _, s := range t.Src {
			if s != nil && !s.outlives() {
				lives[s.index].last = max(lives[s.index].last, now+reach)
			}
		}
	}
	return lives
}

// sized returns s with n elements of unspecified contents.
func sized[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }
