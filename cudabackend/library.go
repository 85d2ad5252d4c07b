package cudabackend

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"inglenook/cudabackend/driver"
	"inglenook/cudabackend/own"
	"inglenook/engine"
	"inglenook/gpu"
	"inglenook/gpu/lower"
	"inglenook/gpu/msl"
)

// library holds the kernels that were needed so far. Each is compiled once for each set
// of function constants, in the background, several at a time.
type library struct {
	program    *msl.Program
	compile    Compile
	kept       *kept
	arch       string
	owns       bool          // kernels of package own stand in for others
	processors int           // multiprocessors of the card
	slots      chan struct{} // compilers that may run
	running    sync.WaitGroup
	any        atomic.Bool // a kernel is refused

	mu     sync.Mutex
	closed bool
	all    map[gpu.Kernel]*kernel
	kinds  map[cachedKind]error // operations that are refused with all of their kind
}

// kernel is one kernel with the values of its function constants.
type kernel struct {
	key     gpu.Kernel
	buffers int           // one more than the highest index
	done    chan struct{} // closed once it is compiled
	code    []byte        // valid after done
	err     error         // why it is refused; valid after done

	module, function uintptr // once it is loaded; guarded by the backend's lock
	shared           uint32  // bytes of shared memory that it may use so far
}

// cachedKind is a kind of operation with caches. All of a kind are refused together,
// since a cache lives on one device, and a prompt and its answer share it.
type cachedKind struct {
	op    engine.Op
	dtype engine.DType // of the caches
}

func newLibrary(p *msl.Program, compile Compile, kept *kept, card *driver.Card, owns bool) *library {
	return &library{
		program: p, compile: compile, kept: kept, arch: card.Architecture(), owns: owns, processors: int(card.Processors),
		slots: make(chan struct{}, runtime.NumCPU()), all: map[gpu.Kernel]*kernel{}, kinds: map[cachedKind]error{},
	}
}

// start has a kernel compiled, unless it is already.
func (l *library) start(key *gpu.Kernel) *kernel {
	l.mu.Lock()
	defer l.mu.Unlock()
	if k := l.all[*key]; k != nil {
		return k
	}
	k := &kernel{key: *key, done: make(chan struct{})}
	l.all[*key] = k
	declared, source := l.program.Kernel(key.Name), ""
	if l.owns {
		declared, source = own.Find(l.program, key)
	}
	if declared == nil || l.closed {
		k.err = fmt.Errorf("there is no kernel %s", key.Name)
		l.any.Store(true)
		close(k.done)
		return k
	}
	k.buffers = declared.Buffers()
	constants := map[int]int32{}
	for _, c := range key.Constants {
		if c.Index != 0 {
			constants[int(c.Index)] = c.Value
		}
	}
	values := key.Values()
	l.running.Go(func() {
		defer close(k.done)
		l.slots <- struct{}{}
		defer func() { <-l.slots }()
		k.code, k.err = l.kept.code(key.Name, values, func() ([]byte, error) { return l.compile(l.program, declared, constants, source, l.arch) })
		if k.err != nil {
			l.any.Store(true)
		}
	})
	return k
}

// wait returns once a kernel is compiled. An error wraps engine.ErrNoKernel, or is ctx's.
func (l *library) wait(ctx context.Context, k *kernel) error {
	select {
	case <-k.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	if k.err != nil {
		return fmt.Errorf("%w: kernel %s: %w", engine.ErrNoKernel, k.key.Name, k.err)
	}
	return nil
}

// refused returns why an operation cannot run because its kernels were refused. It
// lowers the operation by sketch, which takes microseconds, only where kernels are
// refused.
func (l *library) refused(op *engine.Tensor, sketch *lower.Lowerer) error {
	kind, cached := kindOf(op)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.kinds[kind]; cached && err != nil {
		return err
	}
	list, err := sketch.Lower(context.Background(), nil, []*engine.Tensor{op})
	if err != nil {
		return err
	}
	if l.owns {
		list = l.shaper().Shape(list, gpu.Region{})
	}
	for i := range list.Dispatches {
		k := l.all[list.Dispatches[i].Kernel]
		if k == nil {
			continue
		}
		select {
		case <-k.done:
		default:
			continue
		}
		if k.err != nil {
			err := fmt.Errorf("%w for %s: kernel %s: %w", engine.ErrNoKernel, op.Op, k.key.Name, k.err)
			if cached {
				l.kinds[kind] = err
			}
			return err
		}
	}
	return nil
}

// shaper returns what shapes lists for the card.
func (l *library) shaper() *own.Shaper {
	return &own.Shaper{Hopper: l.arch == driver.Hopper, Processors: l.processors}
}

// kindOf returns the kind of an operation with caches.
func kindOf(op *engine.Tensor) (kind cachedKind, ok bool) {
	for _, s := range op.Src {
		if s != nil && s.Op == engine.OpCache {
			return cachedKind{op.Op, s.DType}, true
		}
	}
	return kind, false
}

// loadKernel gives the driver the code of a kernel. The caller has exclusive use of the
// backend.
func (b *Backend) loadKernel(k *kernel) error {
	if k.function != 0 {
		return nil
	}
	if err := b.callWithRoom("a kernel", "cuModuleLoadData", b.api.LoadModule(&k.module, &k.code[0])); err != nil {
		return err
	}
	return b.call("cuModuleGetFunction", b.api.GetFunction(&k.function, k.module, "metal_"+k.key.Name))
}

// close waits for the compilers.
func (l *library) close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.running.Wait()
}

// unload takes all code from the card.
func (l *library) unload(api *driver.API) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, k := range l.all {
		if k.module != 0 {
			_ = api.UnloadModule(k.module)
			k.module, k.function = 0, 0
		}
	}
}
