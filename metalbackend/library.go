package metalbackend

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"inglenook/gpu"
	"inglenook/gpu/msl"
	"inglenook/metalbackend/objc"
)

// library is the compiled source with the pipeline states made from it so far.
// Only one goroutine at a time may use it.
type library struct {
	sys     *system
	id      objc.ID
	program *msl.Program
	states  map[gpu.Kernel]*pipelineState
}

// pipelineState is a kernel, with values for its function constants, that is ready
// to run.
type pipelineState struct {
	id      objc.ID
	threads uint32 // of one threadgroup, at most
	written uint32 // bit i: the buffer with index i is written
}

// compile makes the library. It also parses the source: barriers depend on what a
// kernel writes.
func compile(sys *system, source string) (*library, error) {
	program, err := msl.Parse(source)
	if err != nil {
		return nil, fmt.Errorf("the kernels are not in our dialect of Metal: %s", firstLines(err.Error(), 5))
	}
	id, err := sys.make("Metal cannot compile the kernels", sys.device, sys.sel.newLibrary, uintptr(sys.String(source)), uintptr(sys.options()), 0)
	if err != nil {
		return nil, err
	}
	return &library{sys: sys, id: id, program: program, states: map[gpu.Kernel]*pipelineState{}}, nil
}

// options returns compile options that keep infinities and NaN, and request
// functions that are exact to the last bits.
func (s *system) options() objc.ID {
	o := s.instance("MTLCompileOptions")
	s.Send(o, s.sel.autorelease)
	if s.responds(o, s.sel.setMathMode) { // macOS 15
		s.Send(o, s.sel.setMathMode, mathSafe)
		s.Send(o, s.sel.setMathFunctions, functionsPrecise)
	} else {
		s.Send(o, s.sel.setFastMath, 0)
	}
	return o
}

// pipelineState returns the state of a kernel, made now if necessary.
func (l *library) pipelineState(key *gpu.Kernel) (*pipelineState, error) {
	if p := l.states[*key]; p != nil {
		return p, nil
	}
	p, err := l.build(key)
	if err != nil {
		return nil, fmt.Errorf("kernel %s: %w", key.Name, err)
	}
	l.states[*key] = p
	return p, nil
}

func (l *library) build(key *gpu.Kernel) (*pipelineState, error) {
	defer l.sys.Pool()()
	kernel := l.program.Kernel(key.Name)
	if kernel == nil {
		return nil, fmt.Errorf("the source has none of that name")
	}
	if err := complete(key, kernel); err != nil {
		return nil, err
	}
	sys := l.sys
	values := sys.instance("MTLFunctionConstantValues")
	defer sys.Send(values, sys.sel.release)
	var pin runtime.Pinner
	defer pin.Unpin()
	word := new(int32) // on the heap: Metal reads it
	pin.Pin(word)
	for _, c := range key.Constants {
		if c.Index != 0 {
			*word = c.Value
			sys.Send(values, sys.sel.setConstant, uintptr(unsafe.Pointer(word)), typeInt, uintptr(c.Index))
		}
	}
	function, err := sys.make("Metal cannot specialize it", l.id, sys.sel.newFunction, uintptr(sys.String(key.Name)), uintptr(values), 0)
	if err != nil {
		return nil, err
	}
	defer sys.Send(function, sys.sel.release)
	id, err := sys.make("Metal cannot make a pipeline", sys.device, sys.sel.newPipeline, uintptr(function), 0)
	if err != nil {
		return nil, err
	}
	p := &pipelineState{id: id, threads: uint32(sys.Send(id, sys.sel.maxThreads)), written: kernel.Written()}
	if width := sys.Send(id, sys.sel.simdWidth); width != gpu.SIMDWidth {
		sys.Send(id, sys.sel.release)
		return nil, unsuitable("this GPU runs %d threads in lockstep, the kernels are written for %d", width, gpu.SIMDWidth)
	}
	return p, nil
}

// complete returns an error if the key lacks a constant that the kernel reads.
func complete(key *gpu.Kernel, kernel *msl.Kernel) error {
	for _, index := range kernel.Constants {
		if !slices.ContainsFunc(key.Constants[:], func(c gpu.Constant) bool { return int(c.Index) == index }) {
			return fmt.Errorf("the function constant %d is not set", index)
		}
	}
	return nil
}

// try makes one pipeline state, of any kernel without constants. It fails if this
// GPU runs another number of threads in lockstep than the kernels are written
// for.
func (l *library) try() error {
	for _, k := range l.program.Kernels {
		if len(k.Constants) == 0 {
			_, err := l.pipelineState(&gpu.Kernel{Name: k.Name})
			return err
		}
	}
	return nil
}

func (l *library) close() {
	for _, p := range l.states {
		l.sys.Send(p.id, l.sys.sel.release)
	}
	l.sys.Send(l.id, l.sys.sel.release)
	clear(l.states)
}

// firstLines returns the first n lines of a compiler's message.
func firstLines(s string, n int) string {
	lines := strings.SplitN(strings.TrimSpace(s), "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "\n")
}
