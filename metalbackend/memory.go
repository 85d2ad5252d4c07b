package metalbackend

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"unsafe"

	"inglenook/engine"
	"inglenook/gpu"
	"inglenook/metalbackend/objc"
)

// memory is a Metal buffer in shared storage: an arena, a weight, a cache,
// working memory. The GPU and the host see the same bytes.
type memory struct {
	gpu.Memory        // its handle is the buffer's objc.ID
	engine.HostMemory // empty for a mapped file, whose address the host has
	b                 *Backend
	undone            atomic.Pointer[undone] // of an arena: why work on it was not done; Wait takes it
}

func (m *memory) id() objc.ID { return objc.ID(m.Handle) }

// region returns a part of the memory.
func (m *memory) region(offset, bytes int) gpu.Region {
	return gpu.Region{Memory: &m.Memory, Offset: offset, Size: bytes}
}

// newMemory returns zeroed memory. An error names what it was for.
func (b *Backend) newMemory(what string, bytes int) (*memory, error) {
	bytes = max(bytes, 1)
	if err := b.admit(what, bytes); err != nil {
		return nil, err
	}
	defer b.sys.Pool()()
	id := objc.ID(b.sys.Send(b.sys.device, b.sys.sel.newBuffer, uintptr(bytes), storageShared))
	if id == 0 {
		b.taken.Add(-int64(bytes))
		return nil, b.noRoom("the GPU refused %s of memory for %s", megabytes(bytes), what)
	}
	contents := b.sys.Send(id, b.sys.sel.contents)
	host := unsafe.Slice(*(**byte)(unsafe.Pointer(&contents)), bytes)
	return &memory{Memory: gpu.Memory{Handle: uintptr(id), Size: bytes}, HostMemory: host, b: b}, nil
}

// errNotMapped says that Metal makes no buffer of some host memory.
var errNotMapped = errors.New("the GPU cannot use this memory in place")

// wrap makes whole pages of host memory visible to the GPU. They must stay mapped
// until Close. The error is errNotMapped if only a copy may help.
func (b *Backend) wrap(what string, address uintptr, bytes int) (*memory, error) {
	if err := b.admit(what, bytes); err != nil {
		return nil, err
	}
	defer b.sys.Pool()()
	id := objc.ID(b.sys.Send(b.sys.device, b.sys.sel.newMapped, address, uintptr(bytes), storageShared, 0))
	if id == 0 {
		b.taken.Add(-int64(bytes))
		return nil, errNotMapped
	}
	return &memory{Memory: gpu.Memory{Handle: uintptr(id), Size: bytes}, b: b}, nil
}

// admit checks bytes against the memory that the GPU can work with. Beyond that,
// results can be wrong without any error.
func (b *Backend) admit(what string, bytes int) error {
	if bytes > b.features.BufferBytes {
		return b.noRoom("%s would take %s; the longest buffer of this GPU is %s", what, megabytes(bytes), megabytes(b.features.BufferBytes))
	}
	if taken := b.taken.Add(int64(bytes)); taken > int64(b.device.MemoryBytes) {
		b.taken.Add(-int64(bytes))
		return b.noRoom("with %s the GPU would need %s; it can work with %s", what, megabytes(int(taken)), megabytes(int(b.device.MemoryBytes)))
	}
	return nil
}

// noRoom returns an error about memory. The GPU can do other work.
func (b *Backend) noRoom(format string, args ...any) error {
	return &engine.NoRoomError{Device: b.device.ID, Err: fmt.Errorf(format, args...)}
}

// undone says why a command buffer was not done although the GPU is in order.
type undone struct{ err error }

// victim is in the reason of a command buffer that Metal dropped because another one,
// mostly of another program, broke the GPU's work off.
const victim = "InnocentVictim"

// leftUndone returns an error for who waits for a command buffer that Metal did not do for
// lack of memory or as a victim, nil where the GPU failed. Metal does later ones.
func (b *Backend) leftUndone(err error) *undone {
	var failure *GPUError
	if !errors.As(err, &failure) {
		return nil
	}
	switch {
	case failure.Code == codeOutOfMemory:
		return &undone{b.noRoom("the GPU ran out of memory: %s (code %d)", failure.Reason, failure.Code)}
	case strings.Contains(failure.Reason, victim):
		return &undone{&engine.InterruptedError{Device: b.device.ID, Err: failure}}
	}
	return nil
}

// takeUndone returns why work on an arena was not done since the last call.
func (m *memory) takeUndone() error {
	if u := m.undone.Swap(nil); u != nil {
		return u.err
	}
	return nil
}

func megabytes(bytes int) string { return fmt.Sprintf("%d MB", (bytes+1<<20-1)>>20) }

// Alloc returns zeroed memory for an arena.
func (b *Backend) Alloc(bytes int) (engine.Buffer, error) {
	if err := b.usable(); err != nil {
		return nil, err
	}
	m, err := b.newMemory("activations", bytes)
	if err != nil {
		return nil, err
	}
	clear(m.Bytes())
	return m, nil
}

// Close frees the memory. Metal keeps it until the work in flight is done.
func (m *memory) Close() error {
	if m.Handle == 0 {
		return nil
	}
	defer m.b.sys.Pool()()
	if m.ReadOnly {
		m.b.resident.remove(m)
	}
	m.b.sys.Send(m.id(), m.b.sys.sel.release)
	m.b.taken.Add(-int64(m.Size))
	m.Handle, m.HostMemory, m.Size = 0, nil, 0
	return nil
}
