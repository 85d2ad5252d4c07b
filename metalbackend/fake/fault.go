package fake

import (
	"encoding/binary"
	"math"
	"os"
	"slices"

	"inglenook/gpu"
)

// FaultKind is a kind of failure.
type FaultKind uint8

// The faults. Those that write do so after a kernel has run, over its results.
const (
	RefuseBuffer     FaultKind = iota // a new buffer is nil
	RefuseMapping                     // a new buffer over the host's memory is nil
	FailCommand                       // a command buffer ends with an error, its kernels do not run
	Hang                              // a command buffer never ends
	WriteZeros                        // a dispatch leaves zeros
	WriteNaN                          // a dispatch leaves NaN
	NilResidencySet                   // a new residency set is nil
	RefuseLibrary                     // the compiler gives no library
	WarnLibrary                       // the compiler gives a library, and a warning beside it
	RefuseFunction                    // a kernel cannot be specialized
	RefusePipeline                    // there is no pipeline of a kernel
	NilQueue                          // a new command queue is nil
	NilCommandBuffer                  // a command buffer is nil
	NilEncoder                        // an encoder is nil
	Abort                             // a message ends the program at once, as Metal's assertions do
	FlipValue                         // the middle one of a dispatch's results has a bit flipped that makes it large or small
)

// The codes of MTLCommandBufferError that are used here.
const (
	CodeVictim        = 1 // an internal error: dropped because other work broke the GPU's off
	CodeTimeout       = 2
	CodePageFault     = 3
	CodeAccessRevoked = 4 // submissions are ignored after earlier errors
	CodeOutOfMemory   = 8
	CodeDeviceRemoved = 11
)

// Fault happens at the n-th occasion after its injection: buffer, command buffer,
// dispatch and so on. The first is 1.
type Fault struct {
	Kind    FaultKind
	At      int
	Lasting bool   // and at every later one
	Code    int    // FailCommand: a Code above
	Of      string // RefuseFunction, RefusePipeline: only occasions with this kernel count; Abort: with this message; "": all do
}

func (f *Fault) reason() string {
	switch f.Code {
	case CodeVictim:
		return "Discarded (victim of GPU error/recovery) (00000005:kIOGPUCommandBufferCallbackErrorInnocentVictim)"
	case CodeTimeout:
		return "Caused GPU Timeout Error"
	case CodePageFault:
		return "Caused GPU Address Fault Error"
	case CodeAccessRevoked:
		return "Ignored (for causing prior/excessive GPU errors)"
	case CodeOutOfMemory:
		return "Insufficient Memory"
	case CodeDeviceRemoved:
		return "The GPU was removed"
	}
	return "Internal Error"
}

// Inject adds a fault.
func (f *Fake) Inject(fault Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults = append(f.faults, &fault)
}

// Pending returns how many faults wait for their occasion.
func (f *Fake) Pending() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.faults)
}

// due counts an occasion and returns the fault that happens at it.
func (f *Fake) due(kind FaultKind) *Fault { return f.dueFor(kind, "") }

// dueFor counts an occasion with a kernel or a message.
func (f *Fake) dueFor(kind FaultKind, of string) *Fault {
	var found *Fault
	for _, fault := range f.faults {
		if fault.Kind != kind || fault.Of != "" && fault.Of != of {
			continue
		}
		if fault.At--; fault.At == 0 || fault.At < 0 && fault.Lasting {
			found = fault
		}
	}
	f.faults = slices.DeleteFunc(f.faults, func(x *Fault) bool { return x.Kind == kind && x.At <= 0 && !x.Lasting })
	return found
}

// abort ends the program, without the report of Go's runtime.
func abort() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {}
}

// spoil overwrites results as the faults demand.
func (f *Fake) spoil(fn *function, l *gpu.Launch) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.faults) == 0 {
		return
	}
	for kind, change := range map[FaultKind]func([]byte){WriteZeros: zero, WriteNaN: poison, FlipValue: flip} {
		if f.due(kind) == nil {
			continue
		}
		for _, n := range fn.buffers {
			if n.written {
				change(l.Buffers[n.index])
			}
		}
	}
}

func zero(b []byte) { clear(b) }

func poison(b []byte) {
	for i := 0; i+4 <= len(b); i += 4 {
		binary.NativeEndian.PutUint32(b[i:], math.Float32bits(float32(math.NaN())))
	}
}

func flip(b []byte) {
	const exponentBit = 1 << 29
	at := b[len(b)/8*4:]
	binary.NativeEndian.PutUint32(at, binary.NativeEndian.Uint32(at)^exponentBit)
}
