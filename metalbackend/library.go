package metalbackend

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	"inglenook/gpu"
	"inglenook/gpu/msl"
	"inglenook/metalbackend/objc"
)

// library is the compiled source with the pipeline states made from it so far.
// Only one goroutine at a time may use it, refusals aside.
type library struct {
	sys      *system
	log      *slog.Logger
	id       objc.ID
	program  *msl.Program
	plain    bool // the GPU lacks the instructions of simdgroups
	states   map[gpu.Kernel]*pipelineState
	refusals *refusals
}

// pipelineState is a kernel, with values for its function constants, that is ready
// to run.
type pipelineState struct {
	id      objc.ID
	threads uint32 // of one threadgroup, at most
	written uint32 // bit i: the buffer with index i is written
	width   int    // threads in lockstep
	shared  int    // bytes of threadgroup memory that the kernel declares itself
	took    time.Duration
}

// compile makes the library. It also parses the source: barriers depend on what a
// kernel writes. A part that Metal does not take is left out, and its kernels are
// refused; the error means that nothing can be compiled.
func compile(sys *system, source string, log *slog.Logger) (*library, error) {
	program, err := msl.Parse(source)
	if err != nil {
		return nil, fmt.Errorf("the kernels are not in our dialect of Metal: %s", firstLines(err.Error(), 5))
	}
	l := &library{sys: sys, log: log, program: program, states: map[gpu.Kernel]*pipelineState{}, refusals: newRefusals()}
	if l.id, err = l.translate(source); err == nil {
		return l, nil
	}
	log.Error("Metal does not compile the kernels, so it gets them in parts", "compiler", wholeReason(err))
	if !l.salvage(source) {
		l.close()
		return nil, err
	}
	return l, nil
}

// translate has Metal compile a text, and returns its library.
func (l *library) translate(text string) (objc.ID, error) {
	sys := l.sys
	defer sys.Pool()()
	return sys.make("Metal cannot compile the kernels", sys.device, sys.sel.newLibrary, uintptr(sys.String(text)), uintptr(sys.options()), 0)
}

// options returns compile options for the language that the kernels are written in,
// whatever newer one a system has. They keep infinities and NaN, and request functions
// that are exact to the last bits.
func (s *system) options() objc.ID {
	o := s.instance("MTLCompileOptions")
	s.Send(o, s.sel.autorelease)
	s.Send(o, s.sel.setLanguage, language24)
	if s.responds(o, s.sel.setMathMode) { // macOS 15
		s.Send(o, s.sel.setMathMode, mathSafe)
		s.Send(o, s.sel.setMathFunctions, functionsPrecise)
	} else {
		s.Send(o, s.sel.setFastMath, 0)
	}
	return o
}

// pipelineState returns the state of a kernel, made now if necessary. Its error is
// a kernelError: what Metal refused once is refused from then on.
func (l *library) pipelineState(key *gpu.Kernel) (*pipelineState, error) {
	if p := l.states[*key]; p != nil {
		return p, nil
	}
	err := l.refusals.of(key)
	if err == nil {
		var p *pipelineState
		if p, err = l.build(key); err == nil {
			l.states[*key] = p
			return p, nil
		}
		l.refuse(key, err)
	}
	return nil, &kernelError{key.Name, err}
}

// makers is how many pipeline states are made at a time.
const makers = 4

// makeStates makes the pipeline states that a list lacks, several at a time: each takes
// Metal tens of milliseconds, and the first list of a program lacks a hundred.
func (l *library) makeStates(list *gpu.List) {
	missing := map[gpu.Kernel]bool{}
	for i := range list.Dispatches {
		key := &list.Dispatches[i].Kernel
		if l.states[*key] == nil && l.refusals.of(key) == nil {
			missing[*key] = true
		}
	}
	if len(missing) < 2 {
		return
	}
	keys := make(chan gpu.Kernel, len(missing))
	for _, key := range slices.SortedFunc(maps.Keys(missing), compareKernels) {
		keys <- key
	}
	close(keys)
	var mu sync.Mutex
	var group sync.WaitGroup
	for range makers {
		group.Go(func() {
			for key := range keys {
				p, err := l.build(&key)
				mu.Lock()
				if err != nil {
					l.refuse(&key, err)
				} else {
					l.states[key] = p
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
}

func compareKernels(a, b gpu.Kernel) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Values(), b.Values()))
}

// refuse notes that a kernel cannot run, and says so in the log.
func (l *library) refuse(key *gpu.Kernel, why error) {
	l.log.Error("a kernel is not used", "kernel", key.Name, "constants", key.Values(), "reason", wholeReason(why))
	l.refusals.refuseState(key, why)
}

func (l *library) build(key *gpu.Kernel) (*pipelineState, error) {
	defer l.sys.Pool()()
	start := time.Now()
	kernel := l.program.Kernel(key.Name)
	if kernel == nil {
		return nil, errors.New("the source has none of that name")
	}
	if err := complete(key, kernel); err != nil {
		return nil, err
	}
	sys := l.sys
	function, err := l.function(key)
	if err != nil {
		return nil, err
	}
	defer sys.Send(function, sys.sel.release)
	id, err := sys.make("Metal cannot make a pipeline", sys.device, sys.sel.newPipeline, uintptr(function), 0)
	if err != nil {
		return nil, err
	}
	if l.plain && kernel.SIMD { // some of these GPUs make the pipeline, and compute something else
		sys.Send(id, sys.sel.release)
		return nil, errors.New("this GPU lacks the instructions of simdgroups")
	}
	width := sys.Send(id, sys.sel.simdWidth)
	if width != gpu.SIMDWidth && !l.plain {
		sys.Send(id, sys.sel.release)
		return nil, unsuitable("this GPU runs %d threads in lockstep, the kernels are written for %d", width, gpu.SIMDWidth)
	}
	return &pipelineState{
		id: id, width: int(width), written: kernel.Written(), took: time.Since(start),
		threads: uint32(sys.Send(id, sys.sel.maxThreads)), shared: int(sys.Send(id, sys.sel.staticShared)),
	}, nil
}

// function returns a kernel's function with values for its constants, which the
// caller releases.
func (l *library) function(key *gpu.Kernel) (objc.ID, error) {
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
	return sys.make("Metal cannot specialize it", l.id, sys.sel.newFunction, uintptr(sys.String(key.Name)), uintptr(values), 0)
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

// try makes one pipeline state, of any kernel without constants that Metal takes. It
// fails if this GPU runs another number of threads in lockstep than the kernels are
// written for, or takes none of them.
func (l *library) try() (err error) {
	for _, k := range l.program.Kernels {
		if len(k.Constants) > 0 {
			continue
		}
		if _, err = l.pipelineState(&gpu.Kernel{Name: k.Name}); err == nil {
			return nil
		}
		if width, ok := errors.AsType[*UnsuitableError](err); ok {
			return width
		}
	}
	return err
}

func (l *library) close() {
	for _, p := range l.states {
		l.sys.Send(p.id, l.sys.sel.release)
	}
	if l.id != 0 {
		l.sys.Send(l.id, l.sys.sel.release)
	}
	clear(l.states)
}

// firstLines returns the first n lines of a compiler's message.
func firstLines(s string, n int) string {
	lines := strings.SplitN(strings.TrimSpace(s), "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "\n")
}
