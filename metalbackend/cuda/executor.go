package cuda

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"inglenook/cudabackend/driver"
	"inglenook/gpu"
	"inglenook/gpu/msl"
	"inglenook/metalbackend/fake"
)

// Executor is a [fake.Executor] on an NVIDIA card.
type Executor struct {
	Name    string // of the card
	program *msl.Program
	d       *driver.API
	card    *driver.Card
	context uintptr
	module  uintptr

	mu        sync.Mutex // one launch at a time: constants belong to the module
	functions map[string]uintptr
	constants map[int32]int32 // as set on the card
	arguments [maxArguments]uintptr
	pointers  [maxArguments]unsafe.Pointer // to arguments, in the form of cuLaunchKernelEx
}

var _ fake.Executor = (*Executor)(nil)

// Open compiles the program for the first card of this machine.
func Open(p *msl.Program) (*Executor, error) {
	d, err := driver.Open()
	if err != nil {
		return nil, err
	}
	e := &Executor{program: p, d: d, functions: map[string]uintptr{}, constants: map[int32]int32{}}
	for i := range e.arguments {
		e.pointers[i] = unsafe.Pointer(&e.arguments[i])
	}
	if err := d.Fault("cuInit", d.Init(0)); err != nil {
		return nil, err
	}
	if e.card, err = d.Card(0); err != nil {
		return nil, err
	}
	if err := d.Fault("cuDevicePrimaryCtxRetain", d.RetainContext(&e.context, e.card.Device)); err != nil {
		return nil, err
	}
	e.Name = e.card.Name
	code, err := kept(p, e.card.Architecture())
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	done, err := d.Bind(e.context)
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	defer done()
	if err := d.Fault("cuModuleLoadData", d.LoadModule(&e.module, &code[0])); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// Close releases the card.
func (e *Executor) Close() error {
	if e.context == 0 {
		return nil
	}
	e.context = 0
	return e.d.Fault("cuDevicePrimaryCtxRelease", e.d.ReleaseContext(e.card.Device))
}

// Alloc returns host memory: a launch copies what it binds.
func (e *Executor) Alloc(n int) ([]byte, error) {
	return syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

// Free frees it.
func (e *Executor) Free(mem []byte) error { return syscall.Munmap(mem) }

// Has returns an error if the program has no such kernel.
func (e *Executor) Has(kernel string) error {
	if e.program.Kernel(kernel) == nil {
		return fmt.Errorf("CUDA: there is no kernel %s", kernel)
	}
	return nil
}

// Run launches once and waits.
func (e *Executor) Run(l *gpu.Launch) error {
	_, err := e.Time(l, 1)
	return err
}

// Time runs a number of launches, waits, and returns the card's time for one.
func (e *Executor) Time(l *gpu.Launch, launches int) (time.Duration, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	done, err := e.d.Bind(e.context)
	if err != nil {
		return 0, err
	}
	defer done()
	if err := e.Has(l.Kernel); err != nil {
		return 0, err
	}
	kernel := e.program.Kernel(l.Kernel)
	function, err := e.function(l.Kernel)
	if err != nil {
		return 0, err
	}
	if err := e.setConstants(l.Constants); err != nil {
		return 0, err
	}
	spans, err := e.upload(l.Buffers)
	defer e.release(spans)
	if err != nil {
		return 0, err
	}
	took, err := e.launch(function, kernel, l, spans, launches)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", l.Kernel, err)
	}
	return took, e.download(kernel, l.Buffers, spans)
}

func (e *Executor) function(name string) (uintptr, error) {
	if f := e.functions[name]; f != 0 {
		return f, nil
	}
	var f uintptr
	if err := e.d.Fault("cuModuleGetFunction "+name, e.d.GetFunction(&f, e.module, "metal_"+name)); err != nil {
		return 0, err
	}
	e.functions[name] = f
	return f, nil
}

// setConstants writes the function constants that differ from those on the card.
func (e *Executor) setConstants(list []gpu.Constant) error {
	for _, c := range list {
		if value, ok := e.constants[c.Index]; ok && value == c.Value {
			continue
		}
		i := slices.IndexFunc(e.program.Constants, func(have msl.Constant) bool { return have.Index == int(c.Index) })
		if i < 0 {
			return fmt.Errorf("CUDA: there is no function constant %d", c.Index)
		}
		name := e.program.Constants[i].Name
		var at uintptr
		var n uint64
		if err := e.d.Fault("cuModuleGetGlobal "+name, e.d.GetGlobal(&at, &n, e.module, name)); err != nil {
			return err
		}
		value := c.Value
		if err := e.d.Fault("cuMemcpyHtoD", e.d.ToDevice(at, (*byte)(unsafe.Pointer(&value)), 4)); err != nil {
			return err
		}
		e.constants[c.Index] = value
	}
	return nil
}

// launch passes an address for every buffer index and an offset for every index
// of threadgroup memory.
func (e *Executor) launch(function uintptr, kernel *msl.Kernel, l *gpu.Launch, spans []span, launches int) (time.Duration, error) {
	n := 0
	for i := range kernel.Buffers() {
		e.arguments[n] = 0
		if i < len(l.Buffers) && len(l.Buffers[i]) > 0 {
			e.arguments[n] = address(l.Buffers[i], spans)
		}
		n++
	}
	var total uint32
	for i := range sharedIndexes {
		e.arguments[n] = uintptr(total) // little-endian: its first four bytes are the number
		if i < len(l.Shared) {
			total += (l.Shared[i] + 15) / 16 * 16
		}
		n++
	}
	if total > driver.PlainSharedBytes {
		if err := e.d.Fault("cuFuncSetAttribute", e.d.SetAttribute(function, driver.MaxDynamicSharedBytes, int32(total))); err != nil {
			return 0, err
		}
	}
	var events [2]uintptr
	for i := range events {
		if err := e.d.Fault("cuEventCreate", e.d.NewEvent(&events[i], 0)); err != nil {
			return 0, err
		}
		defer e.d.DestroyEvent(events[i])
	}
	shape := driver.Launch{Grid: l.Groups, Block: l.Threads, Shared: total, Stream: defaultStream}
	e.d.Record(events[0], defaultStream)
	for range launches {
		if err := e.d.Fault("cuLaunchKernelEx", e.d.Launch(&shape, function, &e.pointers[0], 0)); err != nil {
			return 0, err
		}
	}
	e.d.Record(events[1], defaultStream)
	if err := e.d.Fault("cuCtxSynchronize", e.d.Synchronize()); err != nil {
		return 0, err
	}
	var ms float32
	if err := e.d.Fault("cuEventElapsedTime", e.d.Elapsed(&ms, events[0], events[1])); err != nil {
		return 0, err
	}
	return time.Duration(float64(ms) / float64(launches) * float64(time.Millisecond)), nil
}

const (
	defaultStream = 0 // of the context
	sharedIndexes = 4 // offsets into shared memory that every kernel takes
	maxArguments  = 31 + sharedIndexes
)
