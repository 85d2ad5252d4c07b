package lower

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"unsafe"

	"inglenook/engine"
	"inglenook/engine/quant"
	"inglenook/gpu"
	"inglenook/gpu/emulator"
	"inglenook/gpu/msl"
	"inglenook/metalbackend/kernels"
)

// device is the smallest possible host: memory is the processor's, and the emulator runs
// one dispatch after the other. It is a [Host] and an [engine.Backend].
type device struct {
	lowerer  *Lowerer
	emulator *emulator.Emulator // nil: kernels are not run
	source   *msl.Program
	memories []*memory // by handle
	refuses  error     // of Scratch

	dispatches int // in all lists
}

// memory is an allocation of a device.
type memory struct {
	gpu.Memory
	bytes []byte
	freed bool
}

// newDevice returns a device that runs no kernels.
func newDevice(t testing.TB) *device {
	d := &device{source: program(t)}
	d.lowerer = New(d)
	return d
}

// emulated returns a device that runs kernels. The test is skipped where the
// emulator is missing.
func emulated(t testing.TB) *device {
	t.Helper()
	e, err := emulator.Open("")
	if errors.Is(err, emulator.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	d := newDevice(t)
	d.emulator = e
	return d
}

func (d *device) alloc(bytes int) *memory {
	m := &memory{Memory: gpu.Memory{Handle: uintptr(len(d.memories)), Size: bytes}, bytes: make([]byte, bytes)}
	d.memories = append(d.memories, m)
	return m
}

// Weight implements [Host].
func (d *device) Weight(_ context.Context, w *engine.Tensor, layout Layout) (gpu.Region, error) {
	type key struct {
		d      *device
		layout Layout
	}
	kept, err := w.Prepared(key{d, layout}, func() (io.Closer, error) {
		stored := make([]byte, w.Bytes())
		if _, err := w.Source().ReadAt(stored, 0); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		m := d.alloc(layout.Size(w))
		m.ReadOnly = true
		if layout == Stored {
			copy(m.bytes, stored)
		} else {
			quant.Dequantize(w.DType, stored, unsafe.Slice((*float32)(unsafe.Pointer(&m.bytes[0])), w.Len()))
		}
		return m, nil
	})
	if err != nil {
		return gpu.Region{}, err
	}
	m := kept.(*memory)
	return gpu.Region{Memory: &m.Memory, Size: m.Size}, nil
}

// Cache implements [Host].
func (d *device) Cache(c *engine.Tensor) (gpu.Region, error) {
	kept, err := c.Memory("test", d.Alloc)
	if err != nil {
		return gpu.Region{}, err
	}
	m := kept.(*memory)
	return gpu.Region{Memory: &m.Memory, Size: m.Size}, nil
}

// Scratch implements [Host].
func (d *device) Scratch(bytes int) (*gpu.Memory, func(), error) {
	if d.refuses != nil {
		return nil, nil, d.refuses
	}
	m := d.alloc(bytes)
	return &m.Memory, func() { m.freed = true }, nil
}

func (d *device) Device() engine.Device                         { return engine.Device{ID: "test"} }
func (d *device) Supports(op *engine.Tensor) error              { return Check(op) }
func (d *device) Alloc(bytes int) (engine.Buffer, error)        { return d.alloc(bytes), nil }
func (d *device) Prepare(context.Context, *engine.Tensor) error { return nil }
func (d *device) Wait(context.Context, engine.Buffer) error     { return nil }
func (d *device) Reach() int                                    { return Reach }
func (d *device) Close() error                                  { return nil }

// Submit implements [engine.Backend].
func (d *device) Submit(ctx context.Context, arena engine.Buffer, ops []*engine.Tensor) error {
	defer d.lowerer.Reset()
	list, err := d.lowerer.Lower(ctx, &arena.(*memory).Memory, ops)
	if err != nil {
		return err
	}
	d.dispatches += len(list.Dispatches)
	for i := range list.Dispatches {
		one := &list.Dispatches[i]
		if a, b, found := one.Aliased(d.source.Kernel(one.Kernel.Name).Written()); found {
			return fmt.Errorf("%s has the same bytes as buffers %d and %d, and writes one of them", one.Kernel.Name, a, b)
		}
		if d.emulator == nil {
			break
		}
		if err := d.emulator.Run(d.launch(&list.Dispatches[i], list.Inline)); err != nil {
			return err
		}
	}
	return nil
}

// launch returns a dispatch with its memory as the emulator takes it.
func (d *device) launch(one *gpu.Dispatch, inline []byte) *gpu.Launch {
	l := &gpu.Launch{Kernel: one.Kernel.Name, Groups: one.Groups, Threads: [3]uint32{one.Threads, 1, 1}, Shared: one.Shared[:]}
	for _, c := range one.Kernel.Constants {
		if c.Index != 0 {
			l.Constants = append(l.Constants, c)
		}
	}
	for _, r := range one.Bindings {
		from := inline
		if r.Memory != nil {
			from = d.memories[r.Memory.Handle].bytes
		}
		if r.Size == 0 {
			from = nil
		} else {
			from = from[r.Offset:][:r.Size:r.Size]
		}
		l.Buffers = append(l.Buffers, from)
	}
	return l
}

// Bytes implements [engine.Buffer].
func (m *memory) Bytes() []byte { return m.bytes }

// Close implements [engine.Buffer].
func (m *memory) Close() error {
	m.freed = true
	return nil
}

// ReadAt implements [engine.Buffer].
func (m *memory) ReadAt(p []byte, off int64) (int, error) { return copy(p, m.bytes[off:]), nil }

// WriteAt implements [engine.Buffer].
func (m *memory) WriteAt(p []byte, off int64) (int, error) { return copy(m.bytes[off:], p), nil }

// results runs a graph and returns one of its results.
func results(t testing.TB, g *engine.Graph, d *device, want *engine.Tensor) []float32 {
	t.Helper()
	if _, err := g.Run(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	v, err := g.Result(want)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// release frees the weights and caches of a graph.
func release(t testing.TB, g *engine.Graph) {
	t.Helper()
	for _, op := range g.Ops() {
		for _, s := range op.Src {
			if s != nil && (s.Op == engine.OpWeight || s.Op == engine.OpCache) {
				if err := s.Release(); err != nil {
					t.Error(err)
				}
			}
		}
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
}

// program is the parsed source of all kernels.
func program(t testing.TB) *msl.Program {
	t.Helper()
	p, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var parsed = sync.OnceValues(func() (*msl.Program, error) { return msl.Parse(kernels.Source()) })

// noMemory is a host without memory, for tests that only look at dispatches.
type noMemory struct{}

func (noMemory) Weight(_ context.Context, w *engine.Tensor, layout Layout) (gpu.Region, error) {
	return gpu.Region{Size: layout.Size(w)}, nil
}

func (noMemory) Cache(c *engine.Tensor) (gpu.Region, error) { return gpu.Region{Size: c.Bytes()}, nil }

func (noMemory) Scratch(bytes int) (*gpu.Memory, func(), error) {
	return &gpu.Memory{Size: bytes}, func() {}, nil
}

// lowered returns the dispatches of recorded operations.
func lowered(t testing.TB, ops []*engine.Tensor) *gpu.List {
	t.Helper()
	list, err := New(noMemory{}).Lower(t.Context(), nil, ops)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
