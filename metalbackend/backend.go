package metalbackend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"inglenook/engine"
	"inglenook/gpu"
	"inglenook/gpu/lower"
	"inglenook/metalbackend/kernels"
	"inglenook/metalbackend/objc"
)

// Options configure a backend. The zero value is right for a Mac.
type Options struct {
	ID      string        // as in --device; "metal" where empty
	Timeout time.Duration // of one command buffer: a GPU that takes longer counts as lost; 0 means 30 s
	// Clock is what Timeout is measured by, where that is not the time of day: how long the GPU could work so
	// far. A GPU whose clock stands still or is slow counts as lost after mostTimeouts times the Timeout.
	Clock  func() time.Duration
	Rate   float64      // multiply-adds a second, the first guess; 0 means that of a small GPU
	Source string       // of the kernels; the built-in one if empty
	Copy   bool         // also copy weights that could be read in their mapped file
	Any    bool         // also a GPU without the instructions of simdgroups, for diagnosis: it runs the kernels without
	Log    *slog.Logger // gets what Metal's compiler says; nil: nobody
}

// Backend is an [engine.Backend] on a GPU.
type Backend struct {
	device   engine.Device
	features Features
	sys      *system
	queue    objc.ID
	keys     [lower.Layouts]any // of prepared weights
	taken    atomic.Int64       // bytes of all memory
	resident *residency
	views    views
	inFlight *inFlight
	pace     *gpu.Pace
	failure  atomic.Pointer[GPUError] // the first
	closed   atomic.Bool

	lock    engine.Lock // one run at a time; guards the fields below
	library *library
	lowerer *lower.Lowerer
	encoder encoder
}

const (
	defaultTimeout = 30 * time.Second
	mostTimeouts   = 20
	leastMemory    = 512 << 20 // bytes, below which no model fits
)

// New opens the GPU of a runtime. Its error is one sentence that says why this
// machine's GPU cannot be used.
func New(rt objc.Runtime, o Options) (*Backend, error) {
	if o.ID == "" {
		o.ID = "metal"
	}
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Source == "" {
		o.Source = kernels.Source()
	}
	defer rt.Pool()()
	b := &Backend{
		sys: newSystem(rt), pace: gpu.NewPace(o.Rate), lock: engine.NewLock(),
	}
	if err := b.open(o); err != nil {
		b.release()
		return nil, err
	}
	b.views.off = o.Copy
	b.lowerer = lower.New(host{b})
	watcher, _ := rt.(objc.Watcher)
	b.encoder = encoder{sys: b.sys, watcher: watcher}
	b.inFlight = newInFlight(b.sys, patience{o.Timeout, o.Clock}, b.completed)
	for kind := range b.keys {
		b.keys[kind] = layout{b, lower.Layout(kind)}
	}
	return b, nil
}

// Probe returns the device that New would open, or an error if it would fail. It
// does not compile the kernels, which takes long the first time on a Mac.
func Probe(rt objc.Runtime) (engine.Device, error) {
	defer rt.Pool()()
	sys := newSystem(rt)
	if sys.device == 0 {
		return engine.Device{}, errNoGPU
	}
	defer sys.Send(sys.device, sys.sel.release)
	d, _, err := describe(sys, "metal", false)
	return d, err
}

var errNoGPU = unsuitable("Metal finds no GPU on this machine; some virtual machines have none")

// open queries the GPU and compiles the kernels.
func (b *Backend) open(o Options) (err error) {
	sys := b.sys
	if sys.device == 0 {
		return errNoGPU
	}
	if b.device, b.features, err = describe(sys, o.ID, o.Any); err != nil {
		return err
	}
	if b.library, err = compile(sys, o.Source, o.Log); err != nil {
		return err
	}
	b.library.plain = b.features.Family < leastFamily
	if err := b.library.try(); err != nil {
		return err
	}
	if b.queue = objc.ID(sys.Send(sys.device, sys.sel.newQueue)); b.queue == 0 {
		return errors.New("the GPU returned no command queue")
	}
	b.resident = newResidency(sys, b.queue, b.usable)
	return nil
}

// release frees the objects that open made.
func (b *Backend) release() {
	if b.resident != nil {
		b.resident.close()
	}
	if b.library != nil {
		b.library.close()
	}
	for _, id := range []objc.ID{b.queue, b.sys.device} {
		if id != 0 {
			b.sys.Send(id, b.sys.sel.release)
		}
	}
}

// Device describes the GPU.
func (b *Backend) Device() engine.Device { return b.device }

// Features returns the properties that the kernels' launches depend on.
func (b *Backend) Features() Features { return b.features }

// Taken returns how many bytes of memory the backend holds, weights and caches
// included.
func (b *Backend) Taken() int64 { return b.taken.Load() }

// Supports reports whether there is a kernel that Metal took, and whether each
// weight fits into one buffer.
func (b *Backend) Supports(op *engine.Tensor) error {
	for _, s := range op.Src {
		if s != nil && s.Op == engine.OpWeight && s.Bytes() > b.features.BufferBytes {
			return fmt.Errorf("%w for %s with %s: its %s are more than the %s of this GPU's longest buffer",
				engine.ErrNoKernel, op.Op, s.Name, megabytes(s.Bytes()), megabytes(b.features.BufferBytes))
		}
	}
	if err := lower.Check(op); err != nil {
		return err
	}
	return b.refused(op)
}

// Footprint returns the memory of operations besides an arena.
func (b *Backend) Footprint(ops []*engine.Tensor) engine.Footprint { return lower.Footprint(ops) }

// Reach implements [engine.Reacher].
func (b *Backend) Reach() int { return lower.Reach }

// begin waits for exclusive use of the backend, or for ctx to end. If it returns
// no error the caller must call end.
func (b *Backend) begin(ctx context.Context) error {
	if err := b.lock.LockContext(ctx); err != nil {
		return err
	}
	err := b.usable()
	if err != nil {
		b.end()
	}
	return err
}

func (b *Backend) end() { b.lock.Unlock() }

var errClosed = errors.New("the backend is closed")

// usable returns why no further work is accepted, or nil.
func (b *Backend) usable() error {
	if err := b.failure.Load(); err != nil {
		return err
	}
	if b.closed.Load() {
		return errClosed
	}
	return nil
}

// Failed returns the GPU's failure, nil while there is none.
func (b *Backend) Failed() error {
	if err := b.failure.Load(); err != nil {
		return err
	}
	return nil
}

// noteFailure keeps the first failure of the GPU and returns err.
func (b *Backend) noteFailure(err error) error {
	var failure *GPUError
	if errors.As(err, &failure) {
		b.failure.CompareAndSwap(nil, failure)
	}
	return err
}

// Close waits for the work in flight and frees everything but weights and caches,
// which stay with their tensors.
func (b *Backend) Close() error {
	b.lock.Lock()
	defer b.end()
	defer b.sys.Pool()()
	if b.closed.Swap(true) {
		return nil
	}
	if b.failure.Load() == nil { // a GPU that failed may never answer
		_ = b.noteFailure(b.inFlight.drain(context.Background())) // no work is left that could report it
	}
	b.inFlight.close()
	b.lowerer.Close()
	b.release()
	var err error
	if c, ok := b.sys.Runtime.(io.Closer); ok {
		err = c.Close()
	}
	return err
}
