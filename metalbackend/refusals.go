package metalbackend

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"inglenook/engine"
	"inglenook/gpu"
	"inglenook/gpu/lower"
)

// refusals are the kernels that this GPU cannot run: Metal did not take their
// source, or made no pipeline of them. The operations that need one are refused,
// and all others go on.
type refusals struct {
	any atomic.Bool

	mu      sync.Mutex
	sources map[string]error     // by the kernel's name
	states  map[gpu.Kernel]error // with these function constants
	cached  map[cachedKind]error
}

// cachedKind is a kind of operation with caches. All of a kind are refused together,
// whatever kernels their numbers of rows need: a cache lives on one device, and a
// prompt and its answer share it.
type cachedKind struct {
	op    engine.Op
	dtype engine.DType // of the caches
}

func newRefusals() *refusals {
	return &refusals{sources: map[string]error{}, states: map[gpu.Kernel]error{}, cached: map[cachedKind]error{}}
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

// refuseSource notes that Metal did not compile a kernel.
func (r *refusals) refuseSource(name string, why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sources[name] = why
	r.any.Store(true)
}

// refuseState notes that there is no pipeline for a kernel with its constants.
func (r *refusals) refuseState(key *gpu.Kernel, why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.states[*key] = why
	r.any.Store(true)
}

// of returns why a kernel is refused, nil if it is not.
func (r *refusals) of(key *gpu.Kernel) error {
	if !r.any.Load() {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.sources[key.Name]; err != nil {
		return err
	}
	return r.states[*key]
}

func (r *refusals) refuseKind(kind cachedKind, why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cached[kind] = why
}

func (r *refusals) ofKind(kind cachedKind) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.cached[kind]
}

// kernelError reports a kernel that this GPU cannot run.
type kernelError struct {
	kernel string
	err    error
}

func (e *kernelError) Error() string { return "kernel " + e.kernel + ": " + e.err.Error() }

func (e *kernelError) Unwrap() []error { return []error{engine.ErrNoKernel, e.err} }

// refused returns why an operation cannot run because of a refused kernel. It
// lowers the operation, which takes microseconds, only where kernels are refused.
func (b *Backend) refused(op *engine.Tensor) error {
	if !b.library.refusals.any.Load() {
		return nil
	}
	kind, cached := kindOf(op)
	if err := b.library.refusals.ofKind(kind); cached && err != nil {
		return err
	}
	list, err := lower.New(lower.Sketch{}).Lower(context.Background(), nil, []*engine.Tensor{op})
	if err != nil {
		return err
	}
	for i := range list.Dispatches {
		key := &list.Dispatches[i].Kernel
		if err := b.library.refusals.of(key); err != nil {
			err = fmt.Errorf("%w for %s: %w", engine.ErrNoKernel, op.Op, &kernelError{key.Name, err})
			if cached {
				b.library.refusals.refuseKind(kind, err)
			}
			return err
		}
	}
	return nil
}

// ready makes the pipeline states that dispatches lack.
func (b *Backend) ready(list *gpu.List) error {
	for i := range list.Dispatches {
		d := &list.Dispatches[i]
		if p := b.library.states[d.Kernel]; p == nil || d.Threads > p.threads {
			return b.makeReady(list)
		}
	}
	return nil
}

// makeReady makes the pipeline states of all dispatches. Where one cannot be made it
// goes on with the others and returns the first error: all operations that are
// affected are then known at once.
func (b *Backend) makeReady(list *gpu.List) (first error) {
	b.library.makeStates(list)
	for i := range list.Dispatches {
		d := &list.Dispatches[i]
		p, err := b.library.pipelineState(&d.Kernel)
		if err == nil && d.Threads > p.threads {
			err = fmt.Errorf("this GPU runs it in threadgroups of up to %d threads, and it needs %d", p.threads, d.Threads)
			b.library.refuse(&d.Kernel, err)
			err = &kernelError{d.Kernel.Name, err}
		}
		if err != nil && first == nil {
			first = err
		}
	}
	return first
}
