package metalbackend

import (
	"context"
	"fmt"
	"math"
	"time"
	"unsafe"

	"inglenook/engine"
	"inglenook/gpu"
	"inglenook/metalbackend/objc"
)

// Submit lowers and encodes operations in order. Long work is cut into several
// command buffers; the last of them may still be in flight when it returns.
func (b *Backend) Submit(ctx context.Context, arena engine.Buffer, ops []*engine.Tensor) error {
	m, err := b.arena(arena)
	if err != nil {
		return err
	}
	if err := b.begin(ctx); err != nil {
		return err
	}
	defer b.end()
	defer b.sys.Pool()()
	for _, t := range ops {
		t.Elapsed = 0
	}
	defer b.lowerer.Reset()
	list, err := b.lower(ctx, &m.Memory, ops)
	if err != nil {
		return err
	}
	b.resident.settle()
	if engine.IsTimed(ctx) {
		return b.encodeTimed(ctx, m, list)
	}
	return b.encode(ctx, m, list)
}

// arena returns the memory of an arena that this backend allocated.
func (b *Backend) arena(arena engine.Buffer) (*memory, error) {
	m, ok := arena.(*memory)
	if !ok || m.b != b {
		return nil, fmt.Errorf("the arena is a %T of another backend", arena)
	}
	return m, nil
}

// lower returns the dispatches of operations, with a pipeline state for each. Where
// one cannot be made, none of the operations has run, and Supports refuses those that
// need it.
func (b *Backend) lower(ctx context.Context, arena *gpu.Memory, ops []*engine.Tensor) (*gpu.List, error) {
	for {
		b.lowerer.Apart = b.library.refusals.any.Load()
		list, err := b.lowerer.Lower(ctx, arena, ops)
		if err != nil {
			return nil, err
		}
		if err = b.ready(list); err == nil {
			return list, nil
		}
		if b.lowerer.Apart {
			return nil, err
		}
		b.lowerer.Reset() // only a kernel of several operations may be missing
	}
}

// Wait returns when everything submitted is done, on whatever arena, or with ctx's
// error; work in flight then ends by itself, within a tenth of a second. What
// Metal left undone is told only to who waits for that work.
func (b *Backend) Wait(ctx context.Context, arena engine.Buffer) error {
	m, err := b.arena(arena)
	if err != nil {
		return err
	}
	if err := b.begin(ctx); err != nil {
		return err
	}
	defer b.end()
	return b.drain(ctx, m)
}

// drain waits for the work in flight. It returns the GPU's failure, if there was one,
// or why the work on the arena was not done.
func (b *Backend) drain(ctx context.Context, arena *memory) error {
	if err := b.inFlight.drain(ctx); err != nil {
		return b.noteFailure(err)
	}
	if err := b.usable(); err != nil {
		return err
	}
	if err := arena.takeUndone(); err != nil {
		return err
	}
	return b.views.changed()
}

// completed is called at the end of each command buffer.
func (b *Backend) completed(c command, took time.Duration, err error) {
	if err == nil {
		b.pace.Learn(c.work, took)
	} else if u := b.leftUndone(err); u != nil {
		c.arena.undone.Store(u)
	} else {
		_ = b.noteFailure(err)
	}
}

// firstDispatches is how many dispatches the first command buffer of a long list
// has: the GPU starts on them while the rest is encoded.
const firstDispatches = 32

// encode sends the dispatches to the GPU: a few in one command buffer, many in two,
// and in more where those would take long.
func (b *Backend) encode(ctx context.Context, arena *memory, list *gpu.List) (err error) {
	e, piece := &b.encoder, b.pace.Piece()
	for next := 0; next < len(list.Dispatches); {
		if err := b.inFlight.acquire(ctx); err != nil {
			return b.noteFailure(err)
		}
		last := len(list.Dispatches)
		if next == 0 && last > 2*firstDispatches {
			last = firstDispatches
		}
		done, work, err := b.command(ctx, list, next, last, piece)
		if err != nil {
			if e.id != 0 {
				b.sys.Send(e.end(), b.sys.sel.release)
			}
			b.inFlight.release()
			return err
		}
		b.inFlight.commit(command{id: e.end(), arena: arena, work: work})
		next = done
	}
	return nil
}

// encodeTimed sends the dispatches of one operation at a time and waits for them,
// so that the GPU's own clock measures each operation. For operations that are
// computed together, one of them gets the whole time.
func (b *Backend) encodeTimed(ctx context.Context, arena *memory, list *gpu.List) error {
	for first := 0; first < len(list.Dispatches); {
		op, end := list.Dispatches[first].Op, first+1
		for end < len(list.Dispatches) && list.Dispatches[end].Op == op {
			end++
		}
		if err := b.inFlight.acquire(ctx); err != nil {
			return b.noteFailure(err)
		}
		_, work, err := b.command(ctx, list, first, end, math.Inf(1))
		if err != nil {
			if b.encoder.id != 0 {
				b.sys.Send(b.encoder.end(), b.sys.sel.release)
			}
			b.inFlight.release()
			return err
		}
		b.inFlight.commit(command{id: b.encoder.end(), arena: arena, work: work, op: op})
		if err := b.drain(ctx, arena); err != nil {
			return err
		}
		first = end
	}
	return nil
}

// command encodes dispatches [first, last) into a new command buffer until that
// has enough work. It returns the first dispatch that is left for the next one.
func (b *Backend) command(ctx context.Context, list *gpu.List, first, last int, enough float64) (next int, sum float64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, 0, err
	}
	if err := b.usable(); err != nil {
		return 0, 0, err
	}
	if err := b.encoder.begin(b.queue); err != nil {
		return 0, 0, err
	}
	for next = first; next < last && sum < enough; next++ {
		d := &list.Dispatches[next]
		sum += d.Work
		p, err := b.library.pipelineState(&d.Kernel)
		if err != nil {
			return 0, 0, err
		}
		if err := b.encoder.dispatch(d, p, list.Inline); err != nil {
			return 0, 0, err
		}
	}
	return next, sum, nil
}

// encoder turns dispatches into messages to one compute command encoder. It skips
// settings that are already in effect, and reuses its memory.
type encoder struct {
	sys     *system
	watcher objc.Watcher // nil on a Mac
	words   [4]uintptr   // arguments of the current message

	command, id objc.ID // both 0 between command buffers
	pipeline    *pipelineState
	bound       [gpu.MaxBindings]gpu.Region // by index; without memory where bytes or nothing are bound
	shared      [gpu.MaxShared]uint32
	hazards     gpu.Hazards

	dispatches, barriers int // counted over all command buffers
}

// begin opens a command buffer with one encoder, whose dispatches may run
// concurrently. The caller must have an open pool.
func (e *encoder) begin(queue objc.ID) error {
	sys := e.sys
	command := objc.ID(sys.Send(queue, sys.sel.commandBuffer))
	if command == 0 {
		return fmt.Errorf("the GPU returned no command buffer")
	}
	id := objc.ID(e.send1(command, sys.sel.encoder, dispatchConcurrent))
	if id == 0 {
		return fmt.Errorf("the GPU returned no command encoder")
	}
	sys.Send(command, sys.sel.retain) // until its end is known
	e.command, e.id = command, id
	return nil
}

// end closes the encoder and returns the command buffer, which the caller now
// owns.
func (e *encoder) end() objc.ID {
	e.sys.Send(e.id, e.sys.sel.endEncoding)
	command := e.command
	e.command, e.id, e.pipeline = 0, 0, nil
	clear(e.bound[:])
	clear(e.shared[:])
	e.hazards.Reset()
	return command
}

// dispatch encodes one dispatch, after a barrier if it needs one.
func (e *encoder) dispatch(d *gpu.Dispatch, p *pipelineState, inline []byte) error {
	if d.Threads == 0 || d.Threads%gpu.SIMDWidth != 0 {
		return fmt.Errorf("kernel %s in threadgroups of %d, which is no multiple of %d", d.Kernel.Name, d.Threads, gpu.SIMDWidth)
	}
	sel := &e.sys.sel
	if e.hazards.Add(d, p.written) {
		e.send1(e.id, sel.barrier, scopeBuffers)
		e.barriers++
	}
	if p != e.pipeline {
		e.send1(e.id, sel.setPipeline, uintptr(p.id))
		e.pipeline = p
	}
	for i := range d.Bindings {
		if r := &d.Bindings[i]; r.Size > 0 {
			e.bind(uintptr(i), r, inline)
		}
	}
	for i, n := range d.Shared {
		if n > 0 && n != e.shared[i] {
			e.send2(e.id, sel.setShared, uintptr(n), uintptr(i))
			e.shared[i] = n
		}
	}
	e.sys.SendSizes(e.id, sel.dispatch,
		objc.Size{Width: uint64(d.Groups[0]), Height: uint64(d.Groups[1]), Depth: uint64(d.Groups[2])},
		objc.Size{Width: uint64(d.Threads), Height: 1, Depth: 1})
	e.dispatches++
	return nil
}

// bind sets a buffer, or inline bytes if the region has no memory.
func (e *encoder) bind(index uintptr, r *gpu.Region, inline []byte) {
	sel, last := &e.sys.sel, &e.bound[index]
	switch {
	case r.Memory == nil:
		e.send3(e.id, sel.setBytes, uintptr(unsafe.Pointer(&inline[r.Offset])), uintptr(r.Size), index)
	case *last == *r:
		return
	default:
		if e.watcher != nil {
			e.watcher.Range(r.Size)
		}
		if last.Memory == r.Memory {
			e.send2(e.id, sel.setOffset, uintptr(r.Offset), index)
		} else {
			e.send3(e.id, sel.setBuffer, r.Memory.Handle, uintptr(r.Offset), index)
		}
	}
	*last = *r
}

// The arguments of a message lie in the encoder, so that sending allocates nothing.

func (e *encoder) send1(obj objc.ID, sel objc.Sel, a uintptr) uintptr {
	e.words[0] = a
	return e.sys.Send(obj, sel, e.words[:1]...)
}

func (e *encoder) send2(obj objc.ID, sel objc.Sel, a, b uintptr) {
	e.words[0], e.words[1] = a, b
	e.sys.Send(obj, sel, e.words[:2]...)
}

func (e *encoder) send3(obj objc.ID, sel objc.Sel, a, b, c uintptr) {
	e.words[0], e.words[1], e.words[2] = a, b, c
	e.sys.Send(obj, sel, e.words[:3]...)
}
