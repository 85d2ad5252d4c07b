package metalbackend

import (
	"fmt"
	"unsafe"

	"inglenook/gpu"
	"inglenook/metalbackend/objc"
)

// encoder turns dispatches into messages to one compute command encoder. What
// is set already is not set again. Its memory serves again and again.
type encoder struct {
	sys     *system
	watcher objc.Watcher // nil on a Mac
	words   [4]uintptr   // of the message that is being sent

	command, id objc.ID // both 0 between command buffers
	pipeline    *pipeline
	bound       [gpu.MaxBindings]gpu.Region // whose memory is nil where bytes are bound, or nothing
	shared      [gpu.MaxShared]uint32
	hazards     gpu.Hazards

	dispatches, barriers int // counted over all command buffers
}

// begin opens a command buffer with one encoder, whose dispatches may run at the
// same time. The caller has a pool open.
func (e *encoder) begin(queue objc.ID) error {
	sys := e.sys
	command := objc.ID(sys.Send(queue, sys.sel.commandBuffer))
	if command == 0 {
		return fmt.Errorf("the GPU gives no command buffer")
	}
	id := objc.ID(e.send1(command, sys.sel.encoder, dispatchConcurrent))
	if id == 0 {
		return fmt.Errorf("the GPU gives no command encoder")
	}
	sys.Send(command, sys.sel.retain) // until its end is known
	e.command, e.id = command, id
	return nil
}

// end closes the encoder and gives the command buffer, which is the caller's now.
func (e *encoder) end() objc.ID {
	e.sys.Send(e.id, e.sys.sel.endEncoding)
	command := e.command
	e.command, e.id, e.pipeline = 0, 0, nil
	clear(e.bound[:])
	clear(e.shared[:])
	e.hazards.Reset()
	return command
}

// dispatch encodes one launch, behind a barrier where it needs one.
func (e *encoder) dispatch(d *gpu.Dispatch, p *pipeline, inline []byte) error {
	if d.Threads == 0 || d.Threads%gpu.SIMDWidth != 0 || d.Threads > p.threads {
		return fmt.Errorf("kernel %s in threadgroups of %d: this GPU takes a multiple of %d up to %d", d.Kernel.Name, d.Threads, gpu.SIMDWidth, p.threads)
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

// bind sets a buffer, or bytes where the region has no memory.
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

// The words of a message lie in the encoder, so that sending takes no memory.

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
