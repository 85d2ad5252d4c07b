package cpubackend

// #include "kernels/cpu.h"
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	"inglenook/engine"
)

// memory is anonymous memory outside the Go heap: an arena or a prepared weight.
type memory struct {
	engine.HostMemory
	start unsafe.Pointer
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
	return &memory{unsafe.Slice((*byte)(p), bytes), p}, nil
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

// Close frees the memory.
func (m *memory) Close() error {
	if m.start != nil {
		C.memory_unmap(m.start, C.size_t(len(m.HostMemory)))
	}
	*m = memory{}
	return nil
}
