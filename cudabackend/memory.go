package cudabackend

import (
	"fmt"
	"io"
	"sync"

	"inglenook/cudabackend/driver"
	"inglenook/engine"
	"inglenook/gpu"
)

// memory is a piece of the card's memory: an arena, a weight, a cache, working memory.
// The host cannot see it.
type memory struct {
	gpu.Memory // its handle is the address on the card
	b          *Backend
	closing    sync.Mutex
}

// region returns a part of the memory.
func (m *memory) region(offset, bytes int) gpu.Region {
	return gpu.Region{Memory: &m.Memory, Offset: offset, Size: bytes}
}

// behind is how many bytes lie behind every piece of memory: kernels copy weights 16 bytes at
// a time from addresses that are multiples of 16, up to 30 bytes past the last one.
const behind = 32

// newMemory returns zeroed memory. An error names what it was for.
func (b *Backend) newMemory(what string, bytes int) (*memory, error) {
	bytes = max(bytes, 1)
	done, err := b.current()
	if err != nil {
		return nil, err
	}
	defer done()
	m := &memory{Memory: gpu.Memory{Size: bytes}, b: b}
	whole := uint64(bytes) + behind
	result := b.api.Alloc(&m.Handle, whole)
	if result == driver.OutOfMemory {
		return nil, b.noRoom(what, int64(bytes))
	}
	if err := b.call("cuMemAlloc", result); err != nil {
		return nil, err
	}
	if err := b.call("cuMemsetD8Async", b.api.QueueFill(m.Handle, 0, whole, b.stream)); err != nil {
		return nil, err
	}
	b.taken.Add(int64(bytes))
	return m, nil
}

// noRoom returns an error about memory. The card can do other work.
func (b *Backend) noRoom(what string, bytes int64) error {
	var free, total uint64
	left := ""
	if b.api.MemoryInfo(&free, &total) == 0 {
		left = fmt.Sprintf("; %s are free", megabytes(int64(free)))
	}
	return &engine.NoRoomError{Device: b.device.ID, Err: fmt.Errorf("the GPU refused %s of memory for %s%s", megabytes(bytes), what, left)}
}

// Room returns the bytes of the card's memory that no program has taken.
func (b *Backend) Room() int64 {
	done, err := b.current()
	if err != nil {
		return 0
	}
	defer done()
	var free, total uint64
	if b.api.MemoryInfo(&free, &total) != 0 {
		return 0
	}
	return int64(free)
}

func megabytes(bytes int64) string { return fmt.Sprintf("%d MB", (bytes+1<<20-1)>>20) }

// Alloc returns zeroed memory for an arena.
func (b *Backend) Alloc(bytes int) (engine.Buffer, error) {
	m, err := b.newMemory("activations", bytes)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Bytes returns nil: the host cannot see the memory.
func (m *memory) Bytes() []byte { return nil }

// ReadAt copies to the host, after the work that was submitted before.
func (m *memory) ReadAt(p []byte, off int64) (int, error) {
	n, err := m.within(p, off)
	if n == 0 {
		return 0, err
	}
	if m.Handle == 0 {
		return 0, errClosed
	}
	done, failed := m.b.current()
	if failed != nil {
		return 0, failed
	}
	defer done()
	if err := m.b.toHost(p[:n], m.Handle+uintptr(off)); err != nil {
		return 0, err
	}
	return n, err
}

// WriteAt copies from the host, after the work that was submitted before.
func (m *memory) WriteAt(p []byte, off int64) (int, error) {
	n, err := m.within(p, off)
	if n == 0 {
		return 0, err
	}
	done, failed := m.b.current()
	if failed != nil {
		return 0, failed
	}
	defer done()
	// The driver has read memory that it does not know before it returns.
	if err := m.b.call("cuMemcpyHtoDAsync", m.b.api.QueueToCard(m.Handle+uintptr(off), &p[0], uint64(n), m.b.stream)); err != nil {
		return 0, err
	}
	return n, err
}

// within returns how many bytes of p lie in the memory from an offset on, and an error
// if not all do.
func (m *memory) within(p []byte, off int64) (int, error) {
	if off < 0 || off > int64(m.Size) {
		return 0, fmt.Errorf("offset %d of %d bytes on the GPU", off, m.Size)
	}
	if n := int64(m.Size) - off; n < int64(len(p)) {
		return int(n), io.ErrUnexpectedEOF
	}
	return len(p), nil
}

// Close frees the memory, after the work in flight. With the backend all memory goes.
func (m *memory) Close() error {
	m.closing.Lock()
	defer m.closing.Unlock()
	if m.Handle == 0 {
		return nil
	}
	address := m.Handle
	m.Handle = 0
	m.b.taken.Add(-int64(m.Size))
	done, err := m.b.current()
	if err != nil {
		return nil // the card is closed or lost, and its memory with it
	}
	defer done()
	return m.b.call("cuMemFree", m.b.api.Free(address))
}

// CacheMemory returns the memory of a cache, allocated now if there is none.
func (b *Backend) CacheMemory(t *engine.Tensor) (engine.Buffer, error) {
	return t.Memory(b.device.ID, func(bytes int) (engine.Buffer, error) {
		m, err := b.newMemory("a cache", bytes)
		if err != nil {
			return nil, err
		}
		return m, nil
	})
}

// CacheLayout returns the name of the layout of a cache's rows.
func (b *Backend) CacheLayout() string { return "rows" }
