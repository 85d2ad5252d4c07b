package cudabackend

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"inglenook/cudabackend/driver"
	"inglenook/cudabackend/nvrtc"
	"inglenook/cudabackend/own"
	"inglenook/engine"
	"inglenook/gpu/lower"
	"inglenook/gpu/msl"
	"inglenook/metalbackend/kernels"
)

// Options configure a backend. The zero value is right for a machine with a card.
type Options struct {
	Driver  *driver.API   // NVIDIA's where nil
	Compile Compile       // NVRTC where nil
	Version Version       // NVRTC's where Compile is nil
	Folder  string        // keeps compiled kernels; empty: nothing is kept
	Timeout time.Duration // without progress, after which the card counts as lost; 0 means 30 s
}

// Compile makes the code of one kernel, with the values of its function constants by
// index, for an architecture such as "sm_90". own is the source of a kernel of the card's
// own that stands in for it, or empty: see package own.
type Compile func(p *msl.Program, k *msl.Kernel, constants map[int]int32, own, architecture string) ([]byte, error)

// Version returns the version of the compiler, or an error where there is none: then the
// card runs the kernels that were kept when there was one.
type Version func() (string, error)

// Backend is an [engine.Backend] on one card.
type Backend struct {
	device  engine.Device
	api     *driver.API
	card    *driver.Card
	context uintptr
	stream  uintptr
	timeout time.Duration
	keys    [lower.Layouts]any // of prepared weights
	taken   atomic.Int64       // bytes of all memory
	failure atomic.Pointer[CardError]
	library *library

	use    sync.RWMutex // held for reading while the context is used; for writing by Close
	closed bool         // guarded by use

	lock    engine.Lock // one run at a time; guards the fields below
	lowerer *lower.Lowerer
	launcher
	staging staging
}

const (
	// ID is the device's id, as in --device.
	ID             = "cuda"
	defaultTimeout = 30 * time.Second
	leastMemory    = 512 << 20 // bytes, below which no model fits
	leastMajor     = 7         // compute capability: Volta has the shuffles that the kernels use
	ownMajor       = 8         // Ampere copies to shared memory while it computes, as those of package own do
)

// UnsuitableError reports that this machine has no card that can run the kernels.
// Nothing is broken.
type UnsuitableError struct{ Reason string }

func (e *UnsuitableError) Error() string { return e.Reason }

// CardError reports that the card failed during work. The driver accepts nothing
// afterwards: the backend refuses further work with this reason.
type CardError struct{ Err error }

func (e *CardError) Error() string { return "the GPU failed: " + e.Err.Error() }

func (e *CardError) Unwrap() error { return e.Err }

// New opens the card with the most free memory. Its error is one sentence that says why
// this machine has none that can be used.
func New(o Options) (*Backend, error) {
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	api, cards, err := choose(o.Driver)
	if err != nil {
		return nil, err
	}
	if o.Compile != nil {
		return o.openFirst(api, cards, false) // the emulator behind a fake driver has Metal's kernels only
	}
	o.Compile, o.Version = nvrtc.CompileKernel, nvrtc.Version
	return o.openFirst(api, cards, true)
}

// openFirst opens the first of the cards that can be opened. The others are named as not used.
func (o Options) openFirst(api *driver.API, cards []choice, owns bool) (*Backend, error) {
	var errs []error
	for i := range cards {
		b, err := o.openOn(api, slices.Concat(cards[i:], cards[:i]), owns && cards[i].Major >= ownMajor)
		if err == nil {
			return b, nil
		}
		errs = append(errs, err)
	}
	return nil, errs[0] // of the one with the most memory
}

// openOn opens the first of some cards.
func (o Options) openOn(api *driver.API, cards []choice, owns bool) (*Backend, error) {
	card := cards[0].Card
	program, err := msl.Parse(kernels.Source())
	if err != nil {
		return nil, err
	}
	o.Driver = api
	kept, compile, err := o.compiler(program, card)
	if err != nil {
		return nil, err
	}
	b := &Backend{
		device: device(api, cards), api: api, card: card, timeout: o.Timeout, lock: engine.NewLock(),
		library: newLibrary(program, compile, kept, card, owns),
	}
	if err := b.open(); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	b.lowerer = b.newLowerer(host{b})
	b.launcher.init(card, b.stream, b.library.shaper())
	for kind := range b.keys {
		b.keys[kind] = layout{b, lower.Layout(kind)}
	}
	return b, nil
}

// errNoCompiler is why a kernel that was not kept is refused.
var errNoCompiler = errors.New("NVIDIA's compiler library NVRTC is not installed, and this kernel was not kept from before")

// compiler returns where kernels are kept, and what compiles those that are not. Without
// a compiler only those of this version of the program run that were kept for the card.
func (o Options) compiler(p *msl.Program, card *driver.Card) (*kept, Compile, error) {
	version, err := "", error(nil)
	if o.Version != nil {
		version, err = o.Version()
	}
	if err == nil && o.newerThanDriver(version) {
		return nil, nil, &UnsuitableError{fmt.Sprintf("NVIDIA's driver is older than its compiler library NVRTC %s, whose code it does not run; install a newer driver, or an older NVRTC", version)}
	}
	if err == nil {
		return newKept(p, o.Folder, card.Architecture(), version), o.Compile, nil
	}
	k := findKept(p, o.Folder, card.Architecture())
	if k == nil {
		return nil, nil, &UnsuitableError{fmt.Sprintf("the GPU %q needs NVIDIA's compiler library NVRTC, which is not installed; it is part of the CUDA toolkit, and of the Python package nvidia-cuda-nvrtc", card.Name)}
	}
	none := func(*msl.Program, *msl.Kernel, map[int]int32, string, string) ([]byte, error) {
		return nil, errNoCompiler
	}
	return k, none, nil
}

// newerThanDriver reports whether a compiler is of a later major version of CUDA than the
// driver, which runs the code of its own and of earlier ones.
func (o Options) newerThanDriver(compiler string) bool {
	var major, runs int32
	if _, err := fmt.Sscanf(compiler, "%d.", &major); err != nil || o.Driver == nil || o.Driver.DriverVersion(&runs) != 0 {
		return false
	}
	return major > runs/1000
}

// open makes the context and the stream.
func (b *Backend) open() error {
	if err := b.api.Fault("cuDevicePrimaryCtxRetain", b.api.RetainContext(&b.context, b.card.Device)); err != nil {
		return err
	}
	done, err := b.api.Bind(b.context)
	if err != nil {
		return err
	}
	defer done()
	return b.api.Fault("cuStreamCreate", b.api.NewStream(&b.stream, driver.NonBlocking))
}

// wide is the number of multiprocessors from which on a row of a product is shared by more
// threads: an H200 has 132, a 3060 has 28.
const wide = 64

func (b *Backend) newLowerer(h lower.Host) *lower.Lowerer {
	l := lower.New(h)
	l.Wide, l.Front = b.card.Processors >= wide, true
	return l
}

// Device describes the card.
func (b *Backend) Device() engine.Device { return b.device }

// Taken returns how many bytes of memory the backend holds, weights and caches
// included.
func (b *Backend) Taken() int64 { return b.taken.Load() }

// Supports reports whether there is a kernel that the compiler took.
func (b *Backend) Supports(op *engine.Tensor) error {
	if err := lower.Check(op); err != nil {
		return err
	}
	if !b.library.any.Load() {
		return nil
	}
	return b.library.refused(op, b.newLowerer(lower.Sketch{}))
}

// Reach is how many later operations one launch may do together with an operation.
func (b *Backend) Reach() int {
	if b.library.owns {
		return own.Reach
	}
	return lower.Reach
}

// BatchRows has two tiles of a product's rows for each multiprocessor: the host, which begins a
// pass only when the last one has ended, then takes a tenth of the time that a pass of an encoder
// of 22M parameters needs on an H200.
func (b *Backend) BatchRows() int { return 2 * own.TileRows * int(b.card.Processors) }

// Footprint returns the memory of operations besides an arena.
func (b *Backend) Footprint(ops []*engine.Tensor) engine.Footprint {
	f := lower.Footprint(ops)
	if !b.library.owns {
		return f
	}
	var products, attentions []*engine.Tensor
	for _, op := range ops {
		switch op.Op {
		case engine.OpLinear:
			products = append(products, op)
		case engine.OpAttention, engine.OpCausalAttention, engine.OpCrossAttention:
			attentions = append(attentions, op)
		}
	}
	most := 0
	for _, some := range [][]*engine.Tensor{products, attentions} {
		if list, err := b.newLowerer(rehearsal{host{b}}).Lower(context.Background(), nil, some); err == nil { // else they do not run here
			most = max(most, own.Scratch(list))
		}
	}
	f.Working += int64(most)
	return f
}

var errClosed = errors.New("the backend is closed")

// current makes the card's context current on this goroutine's thread, unless the card
// has failed. If it returns no error the caller must call done, and use the card no
// longer.
func (b *Backend) current() (done func(), err error) {
	if err := b.Failed(); err != nil {
		return nil, err
	}
	b.use.RLock()
	if b.closed {
		b.use.RUnlock()
		return nil, errClosed
	}
	undo, err := b.api.Bind(b.context)
	if err != nil {
		b.use.RUnlock()
		return nil, b.failed(err)
	}
	return func() { undo(); b.use.RUnlock() }, nil
}

// begin waits for exclusive use of the backend, or for ctx to end. If it returns no
// error the caller must call end.
func (b *Backend) begin(ctx context.Context) (end func(), err error) {
	if err := b.lock.LockContext(ctx); err != nil {
		return nil, err
	}
	done, err := b.current()
	if err != nil {
		b.lock.Unlock()
		return nil, err
	}
	return func() { done(); b.lock.Unlock() }, nil
}

// Failed returns the card's failure, nil while there is none.
func (b *Backend) Failed() error {
	if err := b.failure.Load(); err != nil {
		return err
	}
	return nil
}

// call returns the error of a call of the driver: nil, or that the card has failed.
func (b *Backend) call(name string, result int32) error {
	if result == 0 {
		return nil
	}
	return b.failed(b.api.Fault(name, result))
}

// callWithRoom is call for what the driver needs memory of its own for. That there is none left is an
// error about memory, and the card can do other work.
func (b *Backend) callWithRoom(what, name string, result int32) error {
	if result == driver.OutOfMemory {
		return &engine.NoRoomError{Device: b.device.ID, Err: fmt.Errorf("the GPU has no memory left for %s", what)}
	}
	return b.call(name, result)
}

// failed keeps the first failure of the card and returns it.
func (b *Backend) failed(err error) error {
	b.failure.CompareAndSwap(nil, &CardError{err})
	return b.failure.Load()
}

// Close waits for the work in flight and releases the card, with all memory on it.
func (b *Backend) Close() error {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.library.close()
	b.use.Lock()
	defer b.use.Unlock()
	if b.closed || b.context == 0 {
		b.closed = true
		return nil
	}
	b.closed = true
	if b.failure.Load() == nil && b.stream != 0 {
		if undo, err := b.api.Bind(b.context); err == nil {
			_ = b.call("cuStreamSynchronize", b.api.FinishStream(b.stream)) // no work is left that could report it
			b.closeLaunches()
			b.staging.free(b)
			b.library.unload(b.api)
			_ = b.api.CloseStream(b.stream)
			undo()
		}
	}
	err := b.api.Fault("cuDevicePrimaryCtxRelease", b.api.ReleaseContext(b.card.Device))
	if b.failure.Load() != nil {
		return nil // a card that failed may not even be released
	}
	return err
}

var _ engine.Backend = (*Backend)(nil)
