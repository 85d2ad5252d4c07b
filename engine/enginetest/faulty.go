package enginetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"inglenook/engine"
)

// Faulty is a backend that fails once, in a chosen way and at a chosen moment.
// Before and after, it computes with another backend's kernels, so that a test
// can compare the outcome with a run without failure. The host must be able to
// see the other backend's memory.
type Faulty struct {
	engine.Backend

	mu      sync.Mutex
	fault   Fault
	moment  Moment
	left    int // how many more moments pass before the fault strikes
	broken  error
	lost    bool
	open    int // arenas
	submits int
	bad     map[*engine.Tensor]*engine.Tensor // damaged copies of weights
}

// Fault is a way to fail.
type Fault string

// The faults. The device does not report the last three: only its numbers show
// them.
const (
	AllocationRefused  Fault = "allocation refused"
	CommandBufferError Fault = "command buffer error" // returned by Wait
	Timeout            Fault = "timeout"
	DeviceLost         Fault = "device lost" // nothing works any more, not even freeing memory
	Zeros              Fault = "zeros"
	NaNs               Fault = "NaN"
	FlippedValue       Fault = "one flipped value" // in an exponent bit, so that it grows
)

// Faults lists them.
func Faults() []Fault {
	return []Fault{AllocationRefused, CommandBufferError, Timeout, DeviceLost, Zeros, NaNs, FlippedValue}
}

// Moment is when a fault strikes.
type Moment string

// The moments.
const (
	AtPrepare Moment = "prepare" // weights are brought to the device
	AtSubmit  Moment = "submit"  // operations are run
	AtRead    Moment = "read"    // results are read back
)

// errLost is the error that a lost device returns to every call.
var errLost = errors.New("the device is lost")

// Arm makes the fault strike at the moment, after that has passed so many times.
func (f *Faulty) Arm(fault Fault, at Moment, after int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fault, f.moment, f.left = fault, at, after
}

// Struck reports whether the fault has struck, Open returns how many arenas are
// in use, and Submits how often work was submitted.
func (f *Faulty) Struck() bool { f.mu.Lock(); defer f.mu.Unlock(); return f.fault == "" }
func (f *Faulty) Open() int    { f.mu.Lock(); defer f.mu.Unlock(); return f.open }
func (f *Faulty) Submits() int { f.mu.Lock(); defer f.mu.Unlock(); return f.submits }

// strike returns the fault if it strikes now.
func (f *Faulty) strike(at Moment) (Fault, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lost {
		return "", errLost
	}
	if f.fault == "" || f.moment != at {
		return "", nil
	}
	if f.left--; f.left >= 0 {
		return "", nil
	}
	fault := f.fault
	f.fault = ""
	switch fault {
	case AllocationRefused:
		return fault, errors.New("the system refused 123 MB of memory")
	case Timeout:
		time.Sleep(5 * time.Millisecond)
		return fault, errors.New("the command buffer did not end in 5 ms")
	case DeviceLost:
		f.lost = true
		return fault, errLost
	case CommandBufferError:
		err := errors.New("the command buffer ended with error 14")
		if at == AtSubmit {
			f.broken = err // Wait returns it
			return fault, nil
		}
		return fault, err
	}
	return fault, nil
}

// Prepare uploads weights, damaged if the fault demands it.
func (f *Faulty) Prepare(ctx context.Context, op *engine.Tensor) error {
	uses := func(s *engine.Tensor) bool { return s != nil && s.Op == engine.OpWeight }
	if op.Op != engine.OpLinear || !slices.ContainsFunc(op.Src, uses) {
		return f.Backend.Prepare(ctx, op)
	}
	fault, err := f.strike(AtPrepare)
	if err != nil {
		return err
	}
	if fault != "" {
		w := op.Src[1]
		f.mu.Lock()
		if f.bad == nil {
			f.bad = map[*engine.Tensor]*engine.Tensor{}
		}
		f.bad[w] = engine.NewWeight(w.Name, w.DType, w.Rows, w.Cols, damagedSource{w, fault})
		f.mu.Unlock()
	}
	return f.Backend.Prepare(ctx, f.arrived([]*engine.Tensor{op})[0])
}

// damagedSource is a weight of plain numbers with a fault.
type damagedSource struct {
	w     *engine.Tensor
	fault Fault
}

func (d damagedSource) ReadAt(p []byte, off int64) (int, error) {
	n, err := d.w.Source().ReadAt(p, off)
	if d.w.DType.Quantized() {
		return 0, fmt.Errorf("%s is in %s: only plain numbers can be damaged", d.w.Name, d.w.DType)
	}
	if d.fault != FlippedValue || off == 0 {
		damage(d.fault, d.w.DType, p[:n])
	}
	return n, err
}

// arrived replaces weights by their damaged copies.
func (f *Faulty) arrived(ops []*engine.Tensor) []*engine.Tensor {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.bad) == 0 {
		return ops
	}
	out := make([]*engine.Tensor, len(ops))
	for i, op := range ops {
		moved := *op
		moved.Src = slices.Clone(op.Src)
		for k, s := range moved.Src {
			if b := f.bad[s]; b != nil {
				moved.Src[k] = b
			}
		}
		out[i] = &moved
	}
	return out
}

// damage changes numbers as the fault demands. Their bytes are little-endian, so
// sign and exponent are in the last ones.
func damage(fault Fault, d engine.DType, data []byte) {
	size := d.BlockBytes()
	switch fault {
	case Zeros:
		clear(data)
	case NaNs:
		for i := size - 1; i < len(data); i += size {
			data[i], data[i-1] = 0x7f, 0xff
		}
	case FlippedValue:
		for bit := byte(1 << 6); bit > 0; bit >>= 1 {
			if top := &data[size-1]; *top&bit == 0 {
				*top |= bit
				return
			}
		}
	}
}

// Alloc returns an arena.
func (f *Faulty) Alloc(bytes int) (engine.Buffer, error) {
	if _, err := f.strike(""); err != nil {
		return nil, err
	}
	b, err := f.Backend.Alloc(bytes)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.open++
	f.mu.Unlock()
	return &faultyBuffer{b, f}, nil
}

// Submit runs the operations. After a silent failure, nothing or something wrong
// has been written.
func (f *Faulty) Submit(ctx context.Context, arena engine.Buffer, ops []*engine.Tensor) error {
	f.mu.Lock()
	f.submits++
	f.mu.Unlock()
	fault, err := f.strike(AtSubmit)
	if err != nil {
		return err
	}
	memory := arena.(*faultyBuffer).Buffer
	if fault != CommandBufferError {
		if err := f.Backend.Submit(ctx, memory, f.arrived(ops)); err != nil {
			return err
		}
	}
	result := func(t *engine.Tensor) []byte { return memory.Bytes()[t.Offset : t.Offset+t.Bytes()] }
	switch fault {
	case Zeros, NaNs:
		for _, op := range ops {
			damage(fault, op.DType, result(op))
		}
	case FlippedValue:
		damage(fault, engine.F32, result(ops[len(ops)-1]))
	}
	return nil
}

// Wait returns the error of anything that failed since the last one.
func (f *Faulty) Wait(ctx context.Context, arena engine.Buffer) error {
	f.mu.Lock()
	err := f.broken
	f.broken = nil
	if f.lost {
		err = errLost
	}
	f.mu.Unlock()
	if err != nil {
		return err
	}
	return f.Backend.Wait(ctx, arena.(*faultyBuffer).Buffer)
}

// Close frees the damaged copies; the other backend stays open.
func (f *Faulty) Close() error {
	var errs []error
	for _, w := range f.bad {
		errs = append(errs, w.Release())
	}
	return errors.Join(errs...)
}

// faultyBuffer is an arena that may be read back wrong.
type faultyBuffer struct {
	engine.Buffer
	of *Faulty
}

// Bytes returns nil: the host does not see the device's memory.
func (b *faultyBuffer) Bytes() []byte { return nil }

func (b *faultyBuffer) ReadAt(p []byte, off int64) (int, error) {
	fault, err := b.of.strike(AtRead)
	if err != nil {
		return 0, err
	}
	n, err := b.Buffer.ReadAt(p, off)
	damage(fault, engine.F32, p[:n])
	return n, err
}

func (b *faultyBuffer) WriteAt(p []byte, off int64) (int, error) {
	if _, err := b.of.strike(""); err != nil {
		return 0, err
	}
	return b.Buffer.WriteAt(p, off)
}

func (b *faultyBuffer) Close() error {
	b.of.mu.Lock()
	b.of.open--
	lost := b.of.lost
	b.of.mu.Unlock()
	err := b.Buffer.Close()
	if lost {
		return errLost
	}
	return err
}
