// Package emulator runs Metal kernels on the CPU, threadgroup by threadgroup and
// lane by lane: slowly, to check kernels on a machine without Metal.
//
// The kernels are compiled to a shared library (scripts/emulator.sh, from native
// and from the C++ that package msl writes), which is opened without cgo. An
// [Emulator] runs each [gpu.Launch]. Its results depend neither on the number of
// processors nor on the order of the lanes, unless a kernel has a race.
package emulator

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"inglenook/gpu"
)

// Order is the order in which lanes run. Metal allows every order.
type Order uint32

const (
	Forward Order = iota
	Reverse
	Shuffled
)

// orders are the values of $INGLENOOK_METAL_ORDER.
var orders = map[string]Order{"": Forward, "forward": Forward, "reverse": Reverse, "shuffled": Shuffled}

// Emulator runs kernels. Launches run one at a time.
type Emulator struct {
	Order      Order
	Processors int // how many share the threadgroups of a launch
	// Lax does what Metal's rules for numbers allow and its GPUs do: denormals of
	// float are zeros, and reductions of a simdgroup may pass over NaN.
	Lax bool

	mu      sync.Mutex // guards what follows
	library *os.File   // until it is loaded
	loading sync.Once
	failed  error   // of loading
	run     uintptr // emulator_run
	has     uintptr // emulator_has
	checks  bool
	launch  launch
	buffers []buffer
	message [1024]byte
}

// buffer is emulator_buffer of native/emulator.h.
type buffer struct {
	data   unsafe.Pointer
	length uint64
}

// launch is emulator_launch of native/emulator.h.
type launch struct {
	kernel           *byte
	groups, threads  [3]uint32
	buffers          *buffer
	bufferCount      uint32
	threadgroups     *uint32
	threadgroupCount uint32
	constants        *gpu.Constant
	constantCount    uint32
	order            uint32
	check            uint32
	processors       uint32
	lax              uint32
}

// Open opens the library at a path, or, if that is empty, the one that Find
// finds. Its code is not loaded before the first launch: a device that is only
// looked at runs nothing. $INGLENOOK_METAL_ORDER sets the order of lanes: forward,
// reverse or shuffled; INGLENOOK_METAL_LAX=1 sets Lax.
func Open(path string) (*Emulator, error) {
	order, known := orders[os.Getenv("INGLENOOK_METAL_ORDER")]
	if !known {
		return nil, fmt.Errorf("INGLENOOK_METAL_ORDER is %q; it can be forward, reverse or shuffled", os.Getenv("INGLENOOK_METAL_ORDER"))
	}
	library, err := open(path)
	if err != nil {
		return nil, err
	}
	return &Emulator{
		Order: order, Processors: min(runtime.NumCPU(), maxProcessors),
		Lax: os.Getenv("INGLENOOK_METAL_LAX") == "1", library: library,
	}, nil
}

// load loads the library's code, once. The caller holds the lock.
func (e *Emulator) load() error {
	e.loading.Do(func() {
		if e.failed = e.link(e.library); e.failed != nil {
			e.library.Close()
		}
	})
	return e.failed
}

func (e *Emulator) link(file *os.File) error {
	path := file.Name()
	// The file that was looked at, whatever has its name now. It stays open while its code is
	// loaded: the system knows libraries by their paths, and another one could get this number.
	if runtime.GOOS == "linux" {
		path = fmt.Sprintf("/proc/self/fd/%d", file.Fd())
	}
	library, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return fmt.Errorf("the emulator of Metal cannot be opened: %w", err)
	}
	run, err := purego.Dlsym(library, "emulator_run")
	if err != nil {
		return fmt.Errorf("%s is no emulator of Metal: %w", file.Name(), err)
	}
	has, err := purego.Dlsym(library, "emulator_has")
	if err != nil {
		return fmt.Errorf("%s is no emulator of Metal: %w", file.Name(), err)
	}
	checks, err := purego.Dlsym(library, "emulator_checks")
	if err != nil {
		return fmt.Errorf("%s is no emulator of Metal: %w", file.Name(), err)
	}
	r, _, _ := purego.SyscallN(checks)
	e.run, e.has, e.checks = run, has, r != 0
	return nil
}

// Checks reports whether the library checks every access: for races, bounds, and
// reads of threadgroup memory that was never written.
func (e *Emulator) Checks() (bool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	err := e.load()
	return e.checks, err
}

// Has returns an error if the library lacks a kernel, which happens when it is older
// than the kernels. Before the library is loaded it returns nil, because a device
// that is only looked at runs nothing.
func (e *Emulator) Has(kernel string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.run == 0 {
		return nil
	}
	var pins runtime.Pinner
	defer pins.Unpin()
	name := append([]byte(kernel), 0)
	pin(&pins, &name[0])
	found, _, _ := purego.SyscallN(e.has, uintptr(unsafe.Pointer(&name[0])))
	if int32(found) == 0 {
		return fmt.Errorf("the emulator has no kernel %s; 'make build' builds it again", kernel)
	}
	return nil
}

// maxProcessors limits the threads of a launch: starting more would take longer
// than they save.
const maxProcessors = 8

// Run runs one launch and returns when it is done. It returns an error if the
// kernel or the launch is wrong.
func (e *Emulator) Run(l *gpu.Launch) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.load(); err != nil {
		return err
	}
	var pins runtime.Pinner
	defer pins.Unpin()

	e.buffers = e.buffers[:0]
	for _, b := range l.Buffers {
		entry := buffer{length: uint64(len(b))}
		if data := unsafe.SliceData(b); data != nil {
			pins.Pin(data)
			entry.data = unsafe.Pointer(data)
		}
		e.buffers = append(e.buffers, entry)
	}
	name := append([]byte(l.Kernel), 0)
	e.launch = launch{
		kernel: &name[0], groups: l.Groups, threads: l.Threads,
		buffers: unsafe.SliceData(e.buffers), bufferCount: uint32(len(e.buffers)),
		threadgroups: unsafe.SliceData(l.Shared), threadgroupCount: uint32(len(l.Shared)),
		constants: unsafe.SliceData(l.Constants), constantCount: uint32(len(l.Constants)),
		order: uint32(e.Order), processors: uint32(max(e.Processors, 1)),
	}
	if e.checks {
		e.launch.check = 1
	}
	if e.Lax {
		e.launch.lax = 1
	}
	pin(&pins, e.launch.kernel)
	pin(&pins, e.launch.buffers)
	pin(&pins, e.launch.threadgroups)
	pin(&pins, e.launch.constants)
	failed, _, _ := purego.SyscallN(e.run, uintptr(unsafe.Pointer(&e.launch)), uintptr(unsafe.Pointer(&e.message[0])), uintptr(len(e.message)))
	runtime.KeepAlive(e)
	if int32(failed) != 0 {
		return errors.New(message(e.message[:]))
	}
	return nil
}

// pin prevents the collector from moving what p points to.
func pin[T any](pins *runtime.Pinner, p *T) {
	if p != nil {
		pins.Pin(p)
	}
}

// message returns a C string.
func message(b []byte) string {
	if n := bytes.IndexByte(b, 0); n >= 0 {
		b = b[:n]
	}
	return string(b)
}
