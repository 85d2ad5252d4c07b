package lower

import "inglenook/gpu"

// scratch is working memory that operations take in turn, from one list to the
// next. From the second half on the next operation starts at the front again:
// hazards are found by bytes, so that operations that follow one another should
// have different ones.
type scratch struct {
	memory   *gpu.Memory
	free     func() // gives memory back
	used     int    // bytes
	outgrown []func()
}

const leastScratch = 1 << 20 // bytes

// scratch returns memory for what one dispatch of an operation leaves to another
// one of the same operation. It holds old values and is gone with the operation.
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

// grow takes new memory, with room for several times bytes. Dispatches of the
// list may still name the old one.
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
