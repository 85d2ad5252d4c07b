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
	lives := make([]life, len(values))
	for i, t := range values {
		lives[i] = life{t: t, first: i, last: i, size: (t.Bytes() + align - 1) / align * align}
		if t.Op == OpInput {
			lives[i].first = 0
		}
		if t.want {
			lives[i].last = len(values)
		}
		for _, s := range t.Src {
			if s != nil && s.Op != OpWeight {
				lives[s.index].last = max(lives[s.index].last, i)
			}
		}
	}
	order := make([]*life, len(lives))
	for i := range lives {
		order[i] = &lives[i]
	}
	slices.SortStableFunc(order, func(a, b *life) int { return b.size - a.size })

	var placed []*life // by offset
	total := 0
	for _, l := range order {
		offset := 0
		for _, p := range placed {
			if p.last < l.first || l.last < p.first {
				continue
			}
			if p.t.Offset-offset >= l.size {
				break
			}
			offset = max(offset, p.t.Offset+p.size)
		}
		l.t.Offset = offset
		total = max(total, offset+l.size)
		at, _ := slices.BinarySearchFunc(placed, offset, func(p *life, o int) int { return p.t.Offset - o })
		placed = slices.Insert(placed, at, l)
	}
	return total
}

type life struct {
	t           *Tensor
	first, last int
	size        int
}
