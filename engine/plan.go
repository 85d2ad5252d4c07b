package engine

import "slices"

// align keeps every value on its own cache lines and vector-aligned.
const align = 64

// plan gives every value of the graph an Offset in one arena such that no two
// values that are alive together share a byte, and returns the arena's size.
//
// A value lives from its recording (inputs: from the start) to its last use;
// wanted results live to the end. Values are placed largest first, each into
// the lowest gap that is free during its whole life ("greedy by size",
// Pisarchyk and Lee 2020, arXiv:2001.03288).
func plan(values []*Tensor) int {
	order := lifetimes(values)
	slices.SortStableFunc(order, func(a, b life) int { return b.size - a.size })

	placed := make([]life, 0, len(order)) // by offset
	total := 0
	for _, l := range order {
		for i := range placed {
			p := &placed[i]
			if p.last < l.first || l.last < p.first {
				continue
			}
			if p.offset-l.offset >= l.size {
				break
			}
			l.offset = max(l.offset, p.offset+p.size)
		}
		values[l.index].Offset = l.offset
		total = max(total, l.offset+l.size)
		at, _ := slices.BinarySearchFunc(placed, l.offset, func(p life, o int) int { return p.offset - o })
		placed = slices.Insert(placed, at, l)
	}
	return total
}

// life is the time during which a value is needed, in recording steps, and
// the place it gets.
type life struct {
	index, first, last int32
	size, offset       int
}

func lifetimes(values []*Tensor) []life {
	lives := make([]life, len(values))
	for i, t := range values {
		now := int32(i)
		lives[i] = life{index: now, first: now, last: now, size: (t.Bytes() + align - 1) / align * align}
		if t.Op == OpInput {
			lives[i].first = 0
		}
		if t.want {
			lives[i].last = int32(len(values))
		}
		for _, s := range t.Src {
			if s != nil && !s.outlives() {
				lives[s.index].last = max(lives[s.index].last, now)
			}
		}
	}
	return lives
}
