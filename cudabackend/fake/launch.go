package fake

import (
	"unsafe"

	"inglenook/cudabackend/driver"
	"inglenook/gpu"
)

// launched is a launch that was checked.
type launched struct {
	image       *image
	grid, block [3]uint32
	shared      uint32
	addresses   []uintptr
}

// launch runs a kernel at once, or adds it to the graph that its stream is recording.
func (f *Fake) launch(shape *driver.Launch, function uintptr, arguments *unsafe.Pointer, _ uintptr) int32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.enter("cuLaunchKernelEx"); r != 0 {
		return r
	}
	m, g, t := f.functions[function], shape.Grid, shape.Block
	switch {
	case m == nil:
		return f.wrong(invalidHandle, "cuLaunchKernelEx of the function %#x", function)
	case !f.streams[shape.Stream]:
		return f.wrong(invalidHandle, "cuLaunchKernelEx on the stream %#x", shape.Stream)
	case g[0] == 0 || g[1] == 0 || g[2] == 0 || g[1] > 65535 || g[2] > 65535 || t[0] == 0 || t[0]*t[1]*t[2] > maxThreads:
		return f.wrong(invalidValue, "cuLaunchKernelEx of %s: a grid of %d with blocks of %d", m.Kernel, g, t)
	case shape.Shared > driver.PlainSharedBytes:
		return f.wrong(invalidValue, "cuLaunchKernelEx of %s with %d bytes of shared memory", m.Kernel, shape.Shared)
	case shape.Count > 0 && (shape.Attributes == nil || shape.Attributes.ID != driver.BeginEarly || f.Major < 9):
		return f.wrong(invalidValue, "cuLaunchKernelEx of %s with attributes that this card does not know", m.Kernel)
	}
	l := launched{image: m, grid: g, block: t, shared: shape.Shared, addresses: make([]uintptr, m.Buffers)}
	pointers := unsafe.Slice(arguments, m.Buffers+sharedOffset)
	for i := range m.Buffers {
		l.addresses[i] = *(*uintptr)(pointers[i])
	}
	if graph := f.recording[shape.Stream]; graph != nil {
		graph.launches = append(graph.launches, l)
		return 0
	}
	return f.execute(l)
}

// execute runs a kernel. The caller holds the lock.
func (f *Fake) execute(d launched) int32 {
	m := d.image
	l := gpu.Launch{Kernel: m.Kernel, Constants: m.Constants, Groups: d.grid, Threads: d.block, Buffers: make([][]byte, m.Buffers)}
	for i, address := range d.addresses {
		if address == 0 {
			continue
		}
		if l.Buffers[i] = f.at(address); l.Buffers[i] == nil {
			return f.wrong(illegalAddress, "a launch of %s: %#x at index %d is no memory", m.Kernel, address, i)
		}
	}
	if d.shared > 0 {
		l.Shared = []uint32{d.shared}
	}
	if err := f.run.Run(&l); err != nil {
		return f.wrong(illegalAddress, "%s: %w", m.Kernel, err)
	}
	return 0
}
