package cpubackend

// #include "kernels/cpu.h"
import "C"

import "inglenook/engine"

// Footprint returns the memory for the operations' prepared weights, for their
// caches with all rows, and for a run of the operations besides its arena.
func (b *Backend) Footprint(ops []*engine.Tensor) (f engine.Footprint) {
	type kept struct {
		of   *engine.Tensor
		kind layoutKind
	}
	seen := map[kept]bool{}
	for _, op := range ops {
		for i, s := range op.Src {
			switch {
			case s == nil:
			case s.Op == engine.OpCache && !seen[kept{s, asNothing}]:
				seen[kept{s, asNothing}] = true
				f.Caches += int64(s.Bytes())
			case s.Op == engine.OpWeight:
				kind := layouts[op.Op.Reads(i)]
				if kind == asRows && rowsInPanels(s, seen[kept{s, asPanels}]) {
					kind = asPanels
				}
				if kind == asPanels && isLeft(op, i) {
					kind = inFile
				}
				if k := (kept{s, kind}); kind != asNothing && !seen[k] {
					seen[k] = true
					if kind != inFile {
						f.Weights += mapped(b.layBytes(s, kind))
					}
				}
			}
		}
	}
	for _, n := range b.levelBytes(ops, b.fromRows(ops)) {
		if n > 0 {
			f.Working += mapped(n)
		}
	}
	if n := b.fetchBytes(ops); n > 0 {
		f.Working += mapped(n)
	}
	return f
}

// mapped returns the memory that a mapping of so many bytes occupies once filled.
func mapped(bytes int) int64 {
	const page = 4 << 10
	return int64(ceilDiv(max(bytes, 1), page) * page)
}
