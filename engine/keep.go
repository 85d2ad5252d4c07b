package engine

import "slices"

// Values that depend on weights and constants alone can outlive their pass: they have bytes of
// their own at the beginning of the arena, and a later pass that records them again finds them
// there.

// kept is such a value of the last run, in the order of recording.
type kept struct {
	key     any
	size    int // bytes
	offset  int
	backend int // the arena it lies in,
	arena   int // and which one of that backend's
}

// Keep says that t is the same in every pass that keeps a value under an equal key, and returns
// t. Where the pass before has left it in the arena, nothing computes it again, nor what only it
// needs. A key must be comparable, and name the model or a part of it besides all else that the
// value depends on.
func (g *Graph) Keep(t *Tensor, key any) *Tensor {
	if g.err == nil && g.has(t) && t.Op != OpInput {
		t.key = key
	}
	return t
}

// Kept reports whether the last run has left a value under the key.
func (g *Graph) Kept(key any) bool {
	return slices.ContainsFunc(g.kept, func(k kept) bool { return k.key == key })
}

// leaveOut takes operations out of the runs whose results are there already, or which only such
// results need.
func (g *Graph) leaveOut() {
	at, found := 0, false
	for i := range g.places {
		p := &g.places[i]
		if p.op.key == nil {
			continue
		}
		p.there = at < len(g.kept) && g.kept[at] == g.keeping(*p)
		found = found || p.there
		at++
	}
	if !found {
		return
	}
	g.needed = sized(g.needed, len(g.slab.values()))
	clear(g.needed)
	for i := len(g.places) - 1; i >= 0; i-- {
		p := &g.places[i]
		if p.out = p.there || g.idle(p.op); p.out {
			continue
		}
		for _, s := range p.op.Src {
			if s != nil && !s.outlives() {
				g.needed[s.index] = true
			}
		}
	}
	g.cut()
}

// idle reports whether all operations that read a result are left out.
func (g *Graph) idle(op *Tensor) bool {
	return op.readers > 0 && !g.needed[op.index] && !op.want && op.key == nil && !op.usesCache()
}

// keeping is what a placed operation leaves behind.
func (g *Graph) keeping(p placed) kept {
	return kept{p.op.key, p.op.Bytes(), p.op.Offset, p.backend, g.arenas.made[p.backend]}
}

// keepAll remembers what this run has left behind.
func (g *Graph) keepAll() {
	for _, p := range g.places {
		if p.op.key != nil {
			g.kept = append(g.kept, g.keeping(p))
		}
	}
}
