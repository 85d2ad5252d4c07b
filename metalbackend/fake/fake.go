// Package fake is an Objective-C runtime that knows only the messages for driving
// Metal and for the activities of a program, and checks each one: that the receiver understands it and is alive, that
// arguments match the header, that encoders and command buffers are used in
// order, that a kernel has all of its arguments, that no two dispatches touch the
// same bytes without a barrier between them, and that nothing leaks. A violation
// makes the command buffer fail and is listed in Problems.
//
// An [Executor] runs the kernels of a committed command buffer. Faults of real
// devices can be injected. The package is for tests and for running the Metal
// backend without Metal; it shows nothing about Apple's own checks beyond the
// headers, nor about speed.
package fake

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	"inglenook/gpu"
	"inglenook/metalbackend/objc"
)

// Options describe the GPU. The zero value is a recent one that runs nothing.
type Options struct {
	Executor      Executor // nil: kernels are not run
	Name          string
	Family        int // of Apple's GPUs, 9 where 0; -1: none, as of Intel and AMD
	SIMDWidth     int // 32 where 0
	MaxThreads    int // of every pipeline; 1024 where 0
	Memory        int // recommendedMaxWorkingSetSize, 64 GiB where 0
	LongestBuffer int // maxBufferLength, as Memory where 0
	SharedBytes   int // maxThreadgroupMemoryLength, 32 KiB where 0
	NoDevice      bool
	NoDefault     bool   // the GPU is in the list of all, and is no default
	CompileFail   string // the compiler's message
	CompileFailAt string // text that the compiler stumbles on; "": any
	Before15      bool   // a macOS without math modes and residency sets
	NoResidency   bool   // a device without residency sets, on a macOS that has the class
}

// Fake is the runtime. It is safe for use by several goroutines.
type Fake struct {
	o    Options
	born time.Time

	mu        sync.Mutex
	selectors []string // by objc.Sel - 1
	methods   []message
	known     map[string]objc.Sel
	metas     map[string]*thing
	things    things
	device    *thing
	process   *thing
	pools     []*pool
	problems  []string
	reach     int // of the next setBuffer
	stats     Stats
	faults    []*Fault

	running    sync.Mutex // while command buffers run
	committed  []*command
	launch     gpu.Launch
	hang       chan struct{} // closed with the runtime
	sparePools []*pool

	spareCommands []*command
	spareEncoders []*encoder
}

// Stats count the messages that were sent.
type Stats struct {
	Messages, Dispatches, Barriers, Commands int
	Requests                                 int // for residency
}

var (
	_ objc.Runtime = (*Fake)(nil)
	_ objc.Watcher = (*Fake)(nil)
)

// New makes a runtime with one GPU.
func New(o Options) (*Fake, error) {
	set := func(p *int, v int) {
		if *p == 0 {
			*p = v
		}
	}
	set(&o.Family, 9)
	set(&o.SIMDWidth, 32)
	set(&o.MaxThreads, 1024)
	set(&o.Memory, 64<<30)
	set(&o.LongestBuffer, o.Memory)
	set(&o.SharedBytes, 32<<10)
	f := &Fake{o: o, born: time.Now(), known: map[string]objc.Sel{}, metas: map[string]*thing{}, hang: make(chan struct{})}
	if err := f.declare(); err != nil {
		return nil, err
	}
	return f, nil
}

// Problems returns the violations so far.
func (f *Fake) Problems() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.problems)
}

// Leaks returns the objects that are still held.
func (f *Fake) Leaks() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.living()
}

// Stats returns the counts so far.
func (f *Fake) Stats() Stats {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stats
}

// Close releases hanging command buffers and reports the problems. Objects that
// are still held stay usable: weights may outlive a backend.
func (f *Fake) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-f.hang:
	default:
		close(f.hang)
	}
	if len(f.problems) > 0 {
		return errors.New(strings.Join(f.problems, "\n"))
	}
	return nil
}

const maxProblems = 20

func (f *Fake) problem(format string, args ...any) {
	if len(f.problems) < maxProblems {
		f.problems = append(f.problems, fmt.Sprintf(format, args...))
	}
}

// Device implements objc.Runtime.
func (f *Fake) Device() objc.ID {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.o.NoDevice || f.o.NoDefault {
		return 0
	}
	return f.gpu().id
}

// Devices implements objc.Runtime.
func (f *Fake) Devices() objc.ID {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.things.add(arrayClass)
	if !f.o.NoDevice {
		t.elements = append(t.elements, f.gpu())
	}
	return t.id
}

// gpu returns a new reference to the one GPU.
func (f *Fake) gpu() *thing {
	if f.device == nil || f.device.id == 0 {
		f.device = f.things.add(deviceClass)
	} else {
		f.device.refs++
	}
	return f.device
}

// instantiable are the classes that a host gets messages to; all else are protocols or
// come from other messages.
var instantiable = map[class]bool{optionsClass: true, valuesClass: true, descriptorClass: true, processClass: true}

// Class implements objc.Runtime.
func (f *Fake) Class(name string) objc.ID {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := classes[name]
	if !instantiable[c] || c == descriptorClass && f.o.Before15 {
		return 0
	}
	t := f.metas[name]
	if t == nil {
		t = f.things.add(metaclass)
		t.text = name
		f.metas[name] = t
	}
	return t.id
}

// Sel implements objc.Runtime.
func (f *Fake) Sel(name string) objc.Sel {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sel(name)
}

// String implements objc.Runtime.
func (f *Fake) String(s string) objc.ID {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.string(s)
}

func (f *Fake) string(s string) objc.ID {
	t := f.things.add(stringClass)
	t.text = s
	f.autorelease(t)
	return t.id
}

// GoString implements objc.Runtime.
func (f *Fake) GoString(ns objc.ID) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.things.find(ns)
	if ns == 0 {
		return ""
	}
	if t == nil || t.class != stringClass {
		f.problem("a string is read from what is none, or gone")
		return ""
	}
	return t.text
}

// Pool implements objc.Runtime.
func (f *Fake) Pool() func() {
	runtime.LockOSThread()
	f.mu.Lock()
	defer f.mu.Unlock()
	var p *pool
	if n := len(f.sparePools); n > 0 {
		p = f.sparePools[n-1]
		f.sparePools = f.sparePools[:n-1]
	} else {
		p = &pool{}
		p.drain = func() { f.drain(p) }
	}
	p.thread = thread()
	f.pools = append(f.pools, p)
	return p.drain
}

func (f *Fake) drain(p *pool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer runtime.UnlockOSThread()
	i := slices.Index(f.pools, p)
	if i < 0 || p.thread != thread() {
		f.problem("a pool is drained twice, or on another thread")
		return
	}
	f.pools = slices.Delete(f.pools, i, i+1)
	for _, t := range p.things {
		f.drop(t)
	}
	clear(p.things)
	p.things = p.things[:0]
	f.sparePools = append(f.sparePools, p)
}

// Range implements objc.Watcher.
func (f *Fake) Range(bytes int) {
	f.mu.Lock()
	f.reach = bytes
	f.mu.Unlock()
}

// memoryAt returns host memory at an address that the host sent.
func memoryAt(address uintptr, bytes int) []byte {
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&address))), bytes)
}
