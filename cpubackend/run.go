package cpubackend

// #include "kernels/cpu.h"
import "C"

import (
	"context"
	"fmt"
	"slices"
	"unsafe"

	"inglenook/engine"
)

// run is what binding the operations of one Submit needs and leaves behind. A
// backend has one, whose memory serves run after run.
type run struct {
	b       *Backend
	ctx     context.Context
	arena   *memory
	records []*engine.Tensor // the operation of each record so far
	scratch int              // floats that each thread needs
	tables  tables

	quantized [2]*engine.Tensor // whose levels the backend holds, in each form
}

// start begins a run of at most n records.
func (r *run) start(b *Backend, ctx context.Context, arena *memory, n int) {
	r.b, r.ctx, r.arena, r.records = b, ctx, arena, slices.Grow(r.records[:0], n)
}

// end forgets everything but memory.
func (r *run) end() {
	clear(r.records)
	r.tables.reset()
	*r = run{records: r.records[:0], tables: r.tables}
}

// binders turn each operation into a record: operands to addresses, and the
// pieces in which the threads take it. Each lives in the file of its kernel.
var binders = map[engine.Op]func(*run, *C.struct_op, *engine.Tensor) error{
	engine.OpEmbed:       bindEmbed,
	engine.OpLinear:      bindLinear,
	engine.OpAdd:         bindAdd,
	engine.OpLayerNorm:   bindLayerNorm,
	engine.OpAttention:   bindAttention,
	engine.OpRows:        bindRows,
	engine.OpPool:        bindPool,
	engine.OpL2Normalize: bindL2Normalize,
	engine.OpRMSNorm:     bindRMSNorm,
	engine.OpRoPE:        bindRoPE,
	engine.OpGate:        bindGate,
	engine.OpScale:       bindScale,
	engine.OpSoftCap:     bindSoftCap,

	engine.OpCausalAttention: bindCausalAttention,
}

func (r *run) bind(t *engine.Tensor) error {
	bind, ok := binders[t.Op]
	if !ok {
		return fmt.Errorf("%w for %s on the processor", engine.ErrNoKernel, t.Op)
	}
	if err := bind(r, r.record(t), t); err != nil {
		return fmt.Errorf("%s %s: %w", t.Op, t.Name, err)
	}
	return nil
}

// record starts the next record of an operation. The binder gets the first one;
// an operation in several steps, each of which needs the one before to be done
// by all threads, asks for up to maxRecords-1 more.
func (r *run) record(t *engine.Tensor) *C.struct_op {
	o := &r.b.ops[len(r.records)]
	r.records = append(r.records, t)
	*o = C.struct_op{rows: C.int64_t(t.Rows), cols: C.int64_t(t.Cols), out: r.floats(t)}
	return o
}

const maxRecords = 4

// floats and ints are the addresses of values in the arena, nil for nil.
func (r *run) floats(t *engine.Tensor) *C.float {
	return (*C.float)(r.address(t))
}

func (r *run) ints(t *engine.Tensor) *C.int32_t {
	return (*C.int32_t)(r.address(t))
}

func (r *run) address(t *engine.Tensor) unsafe.Pointer {
	if t == nil {
		return nil
	}
	return unsafe.Add(r.arena.start, t.Offset)
}

// byRows cuts an operation into pieces of whole rows, each of about pieceWork
// floats that are read or written.
func (r *run) byRows(o *C.struct_op, t *engine.Tensor) {
	r.byRowsOf(o, t.Rows, t.Cols)
}

// byValues cuts an operation that works value by value, whatever its rows.
func (r *run) byValues(o *C.struct_op, t *engine.Tensor) {
	r.byRowsOf(o, t.Len(), 1)
}

// byRowsOf cuts an operation whose kernel sees the values as rows of its own.
func (r *run) byRowsOf(o *C.struct_op, rows, cols int) {
	o.rows, o.cols = C.int64_t(rows), C.int64_t(cols)
	o.row_block = C.int64_t(max(1, min(rows, pieceWork/cols)))
	o.pieces = C.int64_t(ceilDiv(rows, int(o.row_block)))
}

// pieceWork is a few microseconds of work for one thread on operations that
// pass over memory once: less is not worth waking a thread for.
const pieceWork = 1 << 13

func ceilDiv(a, b int) int { return (a + b - 1) / b }
