package lower

import "inglenook/engine"

// Footprint returns the memory of the operations besides an arena: weights as
// stored in their file, which a device that shares the host's memory may read in
// place, caches with all rows, and working memory.
func Footprint(ops []*engine.Tensor) engine.Footprint {
	f := engine.Footprint{Working: leastScratch}
	seen := map[any]bool{}
	count := func(key any, bytes int) int64 {
		if seen[key] {
			return 0
		}
		seen[key] = true
		return int64(bytes)
	}
	type floats struct{ of *engine.Tensor }
	for _, op := range ops {
		for i, s := range op.Src {
			switch {
			case s == nil:
			case s.Op == engine.OpCache:
				f.Caches += count(s, s.Bytes())
			case s.Op != engine.OpWeight:
			case s.DType != engine.F32 && op.Op.Reads(i) == engine.ReadFloats:
				f.Weights += count(floats{s}, 4*s.Len())
			default:
				f.Weights += count(s, s.Bytes())
			}
		}
	}
	return f
}
