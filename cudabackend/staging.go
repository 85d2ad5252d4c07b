package cudabackend

import (
	"sync"
	"unsafe"
)

// mostStaged is how many bytes go through memory that the card writes itself; larger results
// are read so seldom that the driver's own way, which is slower, does not matter.
const mostStaged = 4 << 20

// staging is memory of the host that the card writes without help. A result is copied from
// there: what a token's logits need for their way to the host falls by half.
type staging struct {
	mu      sync.Mutex
	bytes   []byte
	refused bool // the system has no such memory
}

// take returns n bytes, or nil where they are too many or the driver refuses the memory. The
// caller holds the lock, and uses the context.
func (s *staging) take(b *Backend, n int) []byte {
	if n > mostStaged || s.refused {
		return nil
	}
	if n > len(s.bytes) {
		s.free(b)
		size := 64 << 10
		for size < n {
			size *= 2
		}
		var first *byte
		if s.refused = b.api.AllocHost(&first, uint64(size)) != 0; s.refused {
			return nil
		}
		s.bytes = unsafe.Slice(first, size)
	}
	return s.bytes[:n]
}

// free gives the memory back.
func (s *staging) free(b *Backend) {
	if s.bytes != nil {
		_ = b.api.FreeHost(&s.bytes[0]) // there is nothing to do if it fails
		s.bytes = nil
	}
}

// toHost copies to the host, after the work that was submitted before. The caller uses the
// context.
func (b *Backend) toHost(p []byte, from uintptr) error {
	b.staging.mu.Lock()
	defer b.staging.mu.Unlock()
	to := p
	staged := b.staging.take(b, len(p))
	if staged != nil {
		to = staged
	}
	if err := b.call("cuMemcpyDtoHAsync", b.api.QueueToHost(&to[0], from, uint64(len(p)), b.stream)); err != nil {
		return err
	}
	if err := b.call("cuStreamSynchronize", b.api.FinishStream(b.stream)); err != nil {
		return err
	}
	if staged != nil {
		copy(p, staged)
	}
	return nil
}
