package cpubackend

/*
#include <stdlib.h>
#include "kernels/cpu.h"
*/
import "C"

import (
	"context"
	"fmt"
	"slices"
	"time"
	"unsafe"

	"inglenook/engine"
)

// Submit executes operations in order; they are done when it returns.
func (b *Backend) Submit(ctx context.Context, arena engine.Buffer, ops []*engine.Tensor) error {
	m, ok := arena.(*memory)
	if !ok {
		return fmt.Errorf("the arena is a %T of another backend", arena)
	}
	if err := b.begin(ctx); err != nil {
		return err
	}
	defer b.end()
	r := &b.run
	r.start(b, ctx, m, maxRecords*len(ops))
	defer r.end()
	r.from = b.fromRows(ops)
	if err := b.fit(maxRecords * len(ops)); err != nil {
		return err
	}
	if err := b.fitLevels(ops, r.from); err != nil {
		return err
	}
	if err := b.fitFetched(ops); err != nil {
		return err
	}
	for i, t := range ops {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.next = following(ops, i)
		if err := r.bind(t); err != nil {
			return err
		}
	}
	if C.team_scratch(b.team, C.size_t(4*r.scratch)) == 0 {
		return noMemory("working memory", 4*r.scratch*b.device.Threads)
	}
	if err := b.execute(ctx, len(r.records)); err != nil {
		return err
	}
	if err := r.unread(); err != nil {
		return err
	}
	for _, t := range ops {
		t.Elapsed = 0
	}
	for i, t := range r.records {
		t.Elapsed += time.Duration(b.ops[i].nanoseconds)
	}
	return nil
}

// begin takes the lock, or returns ctx's error. The caller calls end.
func (b *Backend) begin(ctx context.Context) error {
	if err := b.lock.LockContext(ctx); err != nil {
		return err
	}
	if b.team == nil {
		b.end()
		return errClosed
	}
	return nil
}

func (b *Backend) end() { b.lock.Unlock() }

// execute runs the first n records. When ctx ends, a flag is set that the threads
// check between pieces.
func (b *Backend) execute(ctx context.Context, n int) error {
	if n == 0 {
		return ctx.Err()
	}
	if err := b.stop.follow(ctx); err != nil {
		return err
	}
	first := &b.ops[0] // cgo copies the slice if it sees one
	C.team_run(b.team, first, C.int64_t(n), (*C.int32_t)(b.stop.flag))
	return ctx.Err()
}

// fit allocates space for n records.
func (b *Backend) fit(n int) error {
	if n <= len(b.ops) {
		return nil
	}
	b.freeOps()
	p := C.calloc(C.size_t(n), C.sizeof_struct_op)
	if p == nil {
		return noMemory("operation records", n*C.sizeof_struct_op)
	}
	b.ops = unsafe.Slice((*C.struct_op)(p), n)
	return nil
}

func (b *Backend) freeOps() {
	if len(b.ops) > 0 {
		C.free(unsafe.Pointer(&b.ops[0]))
	}
	b.ops = nil
}

// run is the state of one Submit. A backend has one, and reuses its memory for
// each run.
type run struct {
	b       *Backend
	ctx     context.Context
	arena   *memory
	records []*engine.Tensor // the operation of each record so far
	scratch int              // floats that each thread needs
	from    int              // from how many rows on tiles or a library multiply
	tables  tables

	next      *engine.Tensor   // the operation after the one that is bound, or nil
	quantized [forms]quantized // what the backend's levels hold, in each form
	passed    *engine.Tensor   // the last result that exists only as levels
	sorted    sortedSlots      // the lists of the last routes
	failed    *C.int32_t       // whether a weight could not be read from its file; nil: none is read
}

// start starts a run of at most n records.
func (r *run) start(b *Backend, ctx context.Context, arena *memory, n int) {
	r.b, r.ctx, r.arena, r.records = b, ctx, arena, slices.Grow(r.records[:0], n)
}

// end clears everything but keeps the memory.
func (r *run) end() {
	clear(r.records)
	r.tables.reset()
	*r = run{records: r.records[:0], tables: r.tables}
}

// binders convert each operation to a record: the addresses of its operands, and
// the pieces that the threads take. Each is in the file of its kernel.
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
	engine.OpCrossAttention:  bindCrossAttention,

	engine.OpRoute:      bindRoute,
	engine.OpExperts:    bindExperts,
	engine.OpMix:        bindMix,
	engine.OpCausalConv: bindCausalConv,
	engine.OpDeltaRule:  bindDeltaRule,

	engine.OpDisentangled: bindDisentangled,
	engine.OpJoin:         bindJoin,
}

func (r *run) bind(t *engine.Tensor) error {
	bind, ok := binders[t.Op]
	if !ok {
		return fmt.Errorf("%w for %s on the processor", engine.ErrNoKernel, t.Op)
	}
	first := len(r.records)
	if err := bind(r, r.record(t), t); err != nil {
		return fmt.Errorf("%s %s: %w", t.Op, t.Name, err)
	}
	for i := first; i < len(r.records); i++ {
		if r.b.ops[i].kernel == nil {
			return fmt.Errorf("%s %s: a record has no kernel", t.Op, t.Name)
		}
	}
	return nil
}

// kernel returns the function of that name in package kernels, nil if there is
// none. By convention its file has the same name.
func (b *Backend) kernel(name string) C.kernel { return b.named[name] }

// record starts the next record of an operation. The binder gets the first one.
// An operation in several steps takes up to maxRecords-1 more: all threads finish
// a record before the next one starts.
func (r *run) record(t *engine.Tensor) *C.struct_op {
	o := &r.b.ops[len(r.records)]
	r.records = append(r.records, t)
	*o = C.struct_op{rows: C.int64_t(t.Rows), cols: C.int64_t(t.Cols), out: r.floats(t)}
	return o
}

const maxRecords = 4

// floats and ints return the addresses of values in the arena, nil for nil.
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

// byRows splits an operation into pieces of whole rows, each reading or writing
// about pieceWork floats.
func (r *run) byRows(o *C.struct_op, t *engine.Tensor) {
	r.byRowsOf(o, t.Rows, t.Cols)
}

// byValues splits an operation that treats each value alone.
func (r *run) byValues(o *C.struct_op, t *engine.Tensor) {
	r.byRowsOf(o, t.Len(), 1)
}

// byRowsOf splits an operation whose kernel sees the values as rows of other
// sizes.
func (r *run) byRowsOf(o *C.struct_op, rows, cols int) {
	o.rows, o.cols = C.int64_t(rows), C.int64_t(cols)
	o.row_block = C.int64_t(max(1, min(rows, pieceWork/cols)))
	o.pieces = C.int64_t(ceilDiv(rows, int(o.row_block)))
}

// pieceWork is a few microseconds of work for one thread on operations that
// pass over memory once: less is not worth waking a thread for.
const pieceWork = 1 << 13

func ceilDiv(a, b int) int { return (a + b - 1) / b }
