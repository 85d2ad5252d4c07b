package lower

import (
	"inglenook/engine"
	"inglenook/gpu"
)

// scratch is working memory that operations use in turn, across lists. Once half
// of it is used, the next operation starts at the front again. Hazards are found
// by bytes, so consecutive operations should use different ones.
type scratch struct {
	memory   *gpu.Memory
	free     func() // frees the memory
	used     int    // bytes
	outgrown []func()
}

const leastScratch = 1 << 20 // bytes

// scratch returns memory for data that one dispatch of an operation passes to
// another one of the same operation. Its contents are unspecified, and it is
// invalid after the operation.
func (l *Lowerer) scratch(bytes int) gpu.Region {
	s := &l.working
	taken := (bytes + 255) / 256 * 256
	if s.memory == nil || s.used+taken > s.memory.Size {
		if err := s.grow(l.host, taken); err != nil {
			l.fail(err)
			return gpu.Region{}
		}
	}
	r := gpu.Region{Memory: s.memory, Offset: s.used, Size: bytes}
	s.used += taken
	return r
}

// next begins an operation.
func (s *scratch) next() {
	if s.memory == nil || s.used > s.memory.Size/2 {
		s.used = 0
	}
}

// grow allocates new memory, with space for several times bytes. Dispatches of
// the list may still use the old one.
func (s *scratch) grow(host Host, bytes int) error {
	size := leastScratch
	if s.memory != nil {
		size = s.memory.Size
	}
	for size < 4*bytes {
		size *= 2
	}
	m, free, err := host.Scratch(size)
	if err != nil {
		return err
	}
	if s.memory != nil {
		s.outgrown = append(s.outgrown, s.free)
	}
	s.memory, s.free, s.used = m, free, 0
	return nil
}

// freeOutgrown frees the memories that are too small, once the list is submitted.
func (s *scratch) freeOutgrown() {
	for _, free := range s.outgrown {
		free()
	}
	clear(s.outgrown)
	s.outgrown = s.outgrown[:0]
}

func (s *scratch) close() {
	if s.memory != nil {
		s.free()
		s.memory, s.free = nil, nil
	}
}

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
