package metalbackend

import "errors"

// scratch is working memory that the operations of all Submits take in turn.
// From half of it on the next operation starts at the front again: hazards are
// found by bytes, and operations that follow one another have different ones.
type scratch struct {
	memory   *memory
	used     int       // bytes that are given out
	outgrown []*memory // that dispatches not yet encoded still name
	err      error     // the first allocation that failed
}

const leastScratch = 1 << 20 // bytes

// scratch is memory for what one dispatch of an operation leaves to another one
// of the same operation. It holds old values and is gone when the operation is
// done. Where there is no memory left, the Submit fails.
func (l *lowering) scratch(bytes int) region {
	s := &l.working
	taken := (bytes + 255) / 256 * 256
	if !l.rehearsal && (s.memory == nil || s.used+taken > s.memory.bytes) {
		if err := s.grow(l.b, taken); err != nil {
			s.err = errors.Join(s.err, err)
			return region{}
		}
	}
	r := region{s.memory, s.used, bytes}
	s.used += taken
	return r
}

// next begins an operation.
func (s *scratch) next() {
	if s.memory == nil || s.used > s.memory.bytes/2 {
		s.used = 0
	}
}

// grow makes room for bytes that start at the front of new memory.
func (s *scratch) grow(b *Backend, bytes int) error {
	size := leastScratch
	if s.memory != nil {
		size = s.memory.bytes
	}
	for size < 4*bytes {
		size *= 2
	}
	m, err := b.newMemory("working memory", size)
	if err != nil {
		return err
	}
	if s.memory != nil {
		s.outgrown = append(s.outgrown, s.memory)
	}
	s.memory, s.used = m, 0
	return nil
}

// settle frees what was outgrown: command buffers keep what they use.
func (s *scratch) settle() {
	for _, m := range s.outgrown {
		_ = m.Close() // which cannot fail
	}
	clear(s.outgrown)
	s.outgrown, s.err = s.outgrown[:0], nil
}

func (s *scratch) close() {
	s.settle()
	if s.memory != nil {
		_ = s.memory.Close()
	}
}
