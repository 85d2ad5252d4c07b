package cudabackend

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"
	"unsafe"

	"inglenook/cudabackend/driver"
	"inglenook/cudabackend/own"
	"inglenook/engine"
	"inglenook/gpu"
)

// launcher launches kernels. It reuses its memory.
type launcher struct {
	arguments [maxArguments]uintptr
	pointers  [maxArguments]unsafe.Pointer // to arguments, in the form of cuLaunchKernelEx
	shape     driver.Launch
	early     driver.Attribute
	parts     [mostParts]part
	*part             // that is submitted
	short     []known // lists that were short the last time
	ends      [mostParts]int
	inline    *memory // arguments and small tables of one list
	shaper    *own.Shaper
	scratch   *memory // of the shaper's kernels
	recorder
	events [2]uintptr // ends of pieces that may be in flight
	timed  [2]uintptr // around an operation whose time is measured; 0 until one is
	pace   *gpu.Pace
	busy   bool    // work was submitted since the last Wait
	work   float64 // of it, what has a known cost
	since  time.Time
	before same // of the last Wait
}

func (l *launcher) init(card *driver.Card, stream uintptr, shaper *own.Shaper) {
	l.pace, l.shaper, l.part = gpu.NewPace(0), shaper, &l.parts[0]
	l.shape.Stream = stream
	if card.Major >= earlyMajor {
		l.early = driver.Attribute{ID: driver.BeginEarly, Value: 1}
		l.shape.Attributes, l.shape.Count = &l.early, 1
	}
	for i := range l.arguments {
		l.pointers[i] = unsafe.Pointer(&l.arguments[i])
	}
}

// Submit lowers and launches operations in order. Long work goes to the card in pieces;
// the last of them may still be in flight when it returns.
func (b *Backend) Submit(ctx context.Context, arena engine.Buffer, ops []*engine.Tensor) error {
	m, ok := arena.(*memory)
	if !ok || m.b != b {
		return fmt.Errorf("the arena is a %T of another backend", arena)
	}
	end, err := b.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	for _, t := range ops {
		t.Elapsed = 0
	}
	b.busy = true
	first, queued := 0, 0.0
	for i, end := range b.partsOf(ctx, ops) {
		b.part = &b.parts[i]
		if queued, err = b.submit(ctx, &m.Memory, ops[first:end], queued); err != nil {
			return err
		}
		first = end
	}
	b.remember(ops, !engine.IsTimed(ctx) && queued < b.pace.Piece())
	return nil
}

// submit lowers and launches a part. queued is the work of the parts before it; it returns
// that with the work of this one.
func (b *Backend) submit(ctx context.Context, arena *gpu.Memory, ops []*engine.Tensor, queued float64) (float64, error) {
	defer b.lowerer.Reset()
	list, err := b.lower(ctx, arena, ops)
	if err != nil {
		return 0, err
	}
	if err := b.upload(list.Inline); err != nil {
		return 0, err
	}
	if err := b.resolve(list); err != nil {
		return 0, err
	}
	if engine.IsTimed(ctx) {
		return 0, b.launchTimed(ctx, list)
	}
	sum := 0.0
	for i := range list.Dispatches {
		sum += list.Dispatches[i].Work
	}
	if b.work == 0 {
		b.since = time.Now()
	}
	b.work += sum
	if queued+sum < b.pace.Piece() {
		return queued + sum, b.launchShort()
	}
	return queued + sum, b.launchAll(ctx, list, queued)
}

// lower returns the dispatches of operations, whose kernels are on the card. Where a
// kernel of several operations is refused, each gets dispatches of its own.
func (b *Backend) lower(ctx context.Context, arena *gpu.Memory, ops []*engine.Tensor) (*gpu.List, error) {
	for {
		b.lowerer.Apart = b.library.any.Load()
		b.shaper.Apart = b.lowerer.Apart
		list, err := b.lowerer.Lower(ctx, arena, ops)
		if err != nil {
			return nil, err
		}
		if list, err = b.shaped(list); err != nil {
			return nil, err
		}
		if err = b.ready(ctx, list); b.lowerer.Apart || !errors.Is(err, engine.ErrNoKernel) {
			return list, err
		}
		b.lowerer.Reset() // only a kernel of several operations may be refused
	}
}

// shaped returns a list with the launches of package own, where these are used.
func (b *Backend) shaped(list *gpu.List) (*gpu.List, error) {
	if !b.library.owns {
		return list, nil
	}
	if bytes := own.Scratch(list); b.scratch == nil && bytes > 0 || bytes > 0 && b.scratch.Size < bytes {
		m, err := b.newMemory("working memory", bytes)
		if err != nil {
			return nil, err
		}
		if b.scratch != nil {
			_ = b.scratch.Close() // after the work that uses it; a failure of the card is kept
		}
		b.scratch = m
	}
	region := gpu.Region{}
	if b.scratch != nil {
		region = b.scratch.region(0, b.scratch.Size)
	}
	return b.shaper.Shape(list, region), nil
}

// ready has the kernels of a list on the card.
func (b *Backend) ready(ctx context.Context, list *gpu.List) error {
	before := b.calls
	b.calls = slices.Grow(b.calls[:0], len(list.Dispatches))[:len(list.Dispatches)]
	missing := false
	for i := range list.Dispatches {
		key, c := &list.Dispatches[i].Kernel, &b.calls[i]
		var k *kernel
		if i < len(before) { // from one token to the next the kernels are the same
			k = before[i].kernel
		}
		if k == nil || k.function == 0 || k.key != *key {
			k = b.library.start(key) // all at once
		}
		*c = call{kernel: k}
		missing = missing || k.function == 0
	}
	if !missing {
		return nil
	}
	for i := range b.calls {
		if err := b.library.wait(ctx, b.calls[i].kernel); err != nil {
			return err
		}
		if err := b.loadKernel(b.calls[i].kernel); err != nil {
			return err
		}
	}
	return nil
}

// upload copies a list's inline bytes to the card, after the work that reads those of
// the list before.
func (b *Backend) upload(inline []byte) error {
	if len(inline) == 0 {
		return nil
	}
	if b.inline == nil || b.inline.Size < len(inline) {
		m, err := b.newMemory("arguments", max(64<<10, 2*len(inline)))
		if err != nil {
			return err
		}
		if b.inline != nil {
			_ = b.inline.Close() // a failure of the card is kept
		}
		b.inline = m
	}
	return b.call("cuMemcpyHtoDAsync", b.api.QueueToCard(b.inline.Handle, &inline[0], uint64(len(inline)), b.stream))
}

// launchAll launches the dispatches in pieces, of which two may be in flight. queued is the
// work that is in flight before.
func (b *Backend) launchAll(ctx context.Context, list *gpu.List, queued float64) error {
	enough, sum, pieces := b.pace.Piece(), queued, 0
	last := time.Now()
	for i := range list.Dispatches {
		if sum >= enough {
			if err := b.mark(pieces % 2); err != nil {
				return err
			}
			if pieces++; pieces > 1 {
				if err := b.reached(ctx, b.events[pieces%2]); err != nil {
					return err
				}
				b.pace.Learn(sum, time.Since(last))
				last = time.Now()
			}
			sum = 0
		}
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := b.launch(&b.calls[i]); err != nil {
			return err
		}
		sum += list.Dispatches[i].Work
	}
	return nil
}

// launchTimed launches the dispatches of one operation at a time and waits for them, so
// that the card's own clock measures each operation. For operations that are computed
// together, one of them gets the whole time.
func (b *Backend) launchTimed(ctx context.Context, list *gpu.List) error {
	for i := range b.timed {
		if b.timed[i] == 0 {
			if err := b.callWithRoom("an event", "cuEventCreate", b.api.NewEvent(&b.timed[i], 0)); err != nil {
				return err
			}
		}
	}
	for first := 0; first < len(list.Dispatches); {
		op, end := list.Dispatches[first].Op, first
		if err := b.call("cuEventRecord", b.api.Record(b.timed[0], b.stream)); err != nil {
			return err
		}
		for ; end < len(list.Dispatches) && list.Dispatches[end].Op == op; end++ {
			if err := b.launch(&b.calls[end]); err != nil {
				return err
			}
		}
		if err := b.call("cuEventRecord", b.api.Record(b.timed[1], b.stream)); err != nil {
			return err
		}
		if err := b.reached(ctx, b.timed[1]); err != nil {
			return err
		}
		var ms float32
		if err := b.call("cuEventElapsedTime", b.api.Elapsed(&ms, b.timed[0], b.timed[1])); err != nil {
			return err
		}
		op.Elapsed += time.Duration(float64(ms) * float64(time.Millisecond))
		first = end
	}
	return nil
}

// mark records the end of a piece in one of two events.
func (b *Backend) mark(i int) error {
	if b.events[i] == 0 {
		if err := b.callWithRoom("an event", "cuEventCreate", b.api.NewEvent(&b.events[i], driver.NoTiming)); err != nil {
			return err
		}
	}
	return b.call("cuEventRecord", b.api.Record(b.events[i], b.stream))
}

// Wait returns when everything submitted is done, on whatever arena, or with ctx's
// error; work in flight then ends by itself, within a tenth of a second.
func (b *Backend) Wait(ctx context.Context, _ engine.Buffer) error {
	end, err := b.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	if !b.busy {
		return nil
	}
	if err := b.mark(0); err != nil {
		return err
	}
	rested, err := b.rest(ctx)
	if err != nil {
		return err
	}
	late := rested && b.api.QueryEvent(b.events[0]) == 0
	if err := b.reached(ctx, b.events[0]); err != nil {
		return err
	}
	b.busy = false
	if b.work > 0 { // how fast the card does a token shows only here
		took := time.Since(b.since)
		b.pace.Learn(b.work, took)
		if late { // it may have been done long ago
			took /= 2
		}
		b.before, b.work = same{b.work, took}, 0
	}
	return nil
}

// same is how long some work took.
type same struct {
	work float64
	took time.Duration
}

// Go may need a millisecond more for a sleep than was asked for. A token takes a few.
const (
	oversleep = 2 * time.Millisecond
	spinning  = 25 * time.Millisecond // longer waits may be a millisecond too long
	resting   = time.Millisecond
)

// rest sleeps until the work in flight is nearly done, if the work before was equally
// much, as it is from one token to the next. So a wait does not keep the processor busy,
// and yet ends as soon as the card does. It reports whether it slept.
func (b *Backend) rest(ctx context.Context) (slept bool, err error) {
	if b.work == 0 || math.Abs(b.work-b.before.work) > b.before.work/10 {
		return false, nil
	}
	left := b.before.took - time.Since(b.since) - oversleep
	if left <= 0 {
		return false, nil
	}
	select {
	case <-time.After(left):
		return true, nil
	case <-ctx.Done():
		return true, ctx.Err()
	}
}

// reached returns when the card has come to an event, or with ctx's error. A card that
// takes longer than the timeout counts as lost.
func (b *Backend) reached(ctx context.Context, event uintptr) error {
	for begin := time.Now(); ; {
		result := b.api.QueryEvent(event)
		if result != driver.NotReady {
			return b.call("the work", result)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		switch waited := time.Since(begin); {
		case waited > b.timeout:
			return b.failed(fmt.Errorf("it has not answered for %v", b.timeout))
		case waited > spinning:
			time.Sleep(resting)
		default:
			runtime.Gosched()
		}
	}
}

// closeLaunches destroys the events, and frees the arguments' memory.
func (b *Backend) closeLaunches() {
	for _, e := range []uintptr{b.events[0], b.events[1], b.timed[0], b.timed[1]} {
		if e != 0 {
			_ = b.api.DestroyEvent(e)
		}
	}
	b.events, b.timed = [2]uintptr{}, [2]uintptr{}
	b.forget(0)
}
