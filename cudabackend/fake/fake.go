// Package fake stands in for NVIDIA's driver where there is no card. It has the
// functions of [driver.API], checks every call as the driver would, and runs kernels in
// the emulator, at once. Each call can be made to fail.
package fake

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"inglenook/gpu"
	"inglenook/gpu/msl"
)

// Executor runs kernels on memory of its own: the emulator.
type Executor interface {
	Alloc(bytes int) ([]byte, error)
	Free(mem []byte) error
	Run(l *gpu.Launch) error
}

// Fake is the state behind a fake driver.
type Fake struct {
	Name         string // of the card
	Bytes        uint64 // of its memory
	Major, Minor int32  // its compute capability
	Processors   int32  // its multiprocessors
	Cards        int32
	Free         map[int32]uint64 // bytes of a card's memory that other programs leave; all, where a card is not in it

	mu        sync.Mutex
	run       Executor
	memory    map[uintptr][]byte
	taken     uint64
	ofHost    map[*byte][]byte // memory of the host that the card writes
	modules   map[uintptr]*image
	functions map[uintptr]*image
	streams   map[uintptr]bool
	events    map[uintptr]bool
	recording map[uintptr]*graph // by stream
	graphs    map[uintptr]*graph
	runs      map[uintptr]*graph // graphs that can run
	contexts  int
	cardOf    map[uintptr]int32 // by context
	current   int32             // card of the context that is current
	next      uintptr           // handle
	faults    map[string]*fault
	calls     map[string]int
	problems  []error
}

// fault makes a call fail.
type fault struct {
	result int32
	after  int  // calls that still succeed
	sticky bool // all later calls fail too, as after a kernel's bad access
	once   bool // the next one succeeds again
}

// image is what [Compile] makes of a kernel: the emulator has its code.
type image struct {
	Kernel    string
	Constants []gpu.Constant
	Buffers   int
	module    uintptr
}

const (
	invalidValue   = 1
	notInitialized = 3
	invalidContext = 201
	invalidHandle  = 400
	illegalAddress = 700

	maxThreads   = 1024
	sharedOffset = 4 // offsets into shared memory that every kernel takes
)

// New returns a fake of one card of 8 GB.
func New(run Executor) *Fake {
	return &Fake{
		Name: "fake GPU", Bytes: 8 << 30, Major: 9, Processors: 132, Cards: 1, run: run, next: 0x1000,
		memory: map[uintptr][]byte{}, ofHost: map[*byte][]byte{}, cardOf: map[uintptr]int32{}, modules: map[uintptr]*image{}, functions: map[uintptr]*image{},
		recording: map[uintptr]*graph{}, graphs: map[uintptr]*graph{}, runs: map[uintptr]*graph{}, streams: map[uintptr]bool{}, events: map[uintptr]bool{}, faults: map[string]*fault{}, calls: map[string]int{},
	}
}

// Compile returns an image that names the kernel, ended by a zero.
func Compile(_ *msl.Program, k *msl.Kernel, constants map[int]int32, _, _ string) ([]byte, error) {
	m := image{Kernel: k.Name, Buffers: k.Buffers()}
	for _, index := range k.Constants {
		m.Constants = append(m.Constants, gpu.Constant{Index: int32(index), Value: constants[index]})
	}
	code, err := json.Marshal(m)
	return append(code, 0), err
}

// Fail makes a call fail with a result, after so many calls that succeed. A sticky
// fault makes all later calls fail.
func (f *Fake) Fail(call string, result int32, after int, sticky bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults[call] = &fault{result: result, after: after, sticky: sticky}
}

// FailOnce makes one call return result, the one after so many others.
func (f *Fake) FailOnce(call string, result int32, after int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults[call] = &fault{result: result, after: after, once: true}
}

// Calls returns how often a call was made.
func (f *Fake) Calls(call string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[call]
}

// Problems returns what the program did wrong, and what it has not given back.
func (f *Fake) Problems() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.problems
	for what, n := range map[string]int{"modules": len(f.modules), "streams": len(f.streams), "events": len(f.events), "pieces of host memory": len(f.ofHost), "recordings": len(f.recording) + len(f.graphs) + len(f.runs), "contexts": f.contexts} {
		if n != 0 {
			all = append(all, fmt.Errorf("%d %s are left", n, what))
		}
	}
	return errors.Join(all...)
}

// enter notes a call, and returns the result that it has to fail with. The caller holds
// the lock.
func (f *Fake) enter(call string) int32 {
	f.calls[call]++
	for name, x := range f.faults {
		if x.sticky && x.after < 0 || name == call {
			if x.after--; x.after == -1 || x.after < 0 && !x.once {
				return x.result
			}
		}
	}
	return 0
}

// wrong notes a mistake of the program.
func (f *Fake) wrong(result int32, format string, args ...any) int32 {
	f.problems = append(f.problems, fmt.Errorf(format, args...))
	return result
}

// handle returns a new number.
func (f *Fake) handle() uintptr {
	f.next += 16
	return f.next
}

// at returns the memory from an address to the end of its allocation.
func (f *Fake) at(address uintptr) []byte {
	for start, mem := range f.memory {
		if address >= start && address < start+uintptr(len(mem)) {
			return mem[address-start:]
		}
	}
	return nil
}

// copy moves bytes between the host and the card.
func (f *Fake) copy(call string, address uintptr, host *byte, bytes uint64, stream uintptr, toCard bool) int32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.enter(call); r != 0 {
		return r
	}
	mem := f.at(address)
	switch {
	case uint64(len(mem)) < bytes:
		return f.wrong(invalidValue, "%s: %d bytes at %#x, where %d are", call, bytes, address, len(mem))
	case !f.streams[stream]:
		return f.wrong(invalidHandle, "%s on the stream %#x", call, stream)
	case toCard:
		copy(mem, unsafe.Slice(host, bytes))
	default:
		copy(unsafe.Slice(host, bytes), mem)
	}
	return 0
}
