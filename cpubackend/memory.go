package cpubackend

// #include "kernels/cpu.h"
import "C"

import (
	"errors"
	"fmt"
	"io"
	"unsafe"

	"inglenook/engine"
)

// memory is a piece of anonymous memory outside the Go heap: an arena or a
// prepared weight.
type memory struct {
	start unsafe.Pointer
	bytes int
}

// newMemory returns zeroed memory for `what`, at least one byte.
func newMemory(what string, bytes int) (*memory, error) {
	if bytes < 0 {
		return nil, noMemory(what, bytes)
	}
	bytes = max(bytes, 1)
	p := C.memory_map(C.size_t(bytes))
	if p == nil {
		return nil, noMemory(what, bytes)
	}
	return &memory{p, bytes}, nil
}

func noMemory(what string, bytes int) error {
	return fmt.Errorf("the system refused %d bytes of memory for %s", bytes, what)
}

var errClosed = errors.New("the backend is closed")

// Alloc returns zeroed memory for an arena.
func (b *Backend) Alloc(bytes int) (engine.Buffer, error) {
	m, err := newMemory("activations", bytes)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Bytes is the memory itself, nil once it is closed.
func (m *memory) Bytes() []byte { return unsafe.Slice((*byte)(m.start), m.bytes) }

func (m *memory) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off > int64(m.bytes) {
		return 0, fmt.Errorf("read at %d of %d bytes", off, m.bytes)
	}
	n := copy(p, m.Bytes()[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (m *memory) WriteAt(p []byte, off int64) (int, error) {
	if off < 0 || off > int64(m.bytes) || len(p) > m.bytes-int(off) {
		return 0, fmt.Errorf("%d bytes at %d do not fit into %d", len(p), off, m.bytes)
	}
	return copy(m.Bytes()[off:], p), nil
}

// Close gives the memory back.
func (m *memory) Close() error {
	if m.start != nil {
		C.memory_unmap(m.start, C.size_t(m.bytes))
	}
	m.start, m.bytes = nil, 0
	return nil
}
