package cpubackend

// #include "kernels/cpu.h"
import "C"

import (
	"fmt"
	"io"
	"os"
	"unsafe"

	"inglenook/engine"
)

// bindRoute: x is the logits, bias and gain one value an expert, activation the
// sigmoid or none, shift whether weights are normalized, scale their factor.
func bindRoute(r *run, o *C.struct_op, t *engine.Tensor) error {
	p, experts := t.Params.(engine.RouteParams), t.Src[0].Cols
	o.kernel = r.b.kernel("route")
	o.x, o.inner, o.epsilon, o.scale = r.floats(t.Src[0]), C.int64_t(experts), C.float(p.Epsilon), C.float(p.Factor)
	if p.Factor == 0 {
		o.scale = 1
	}
	if p.Sigmoid {
		o.activation = C.int32_t(engine.Sigmoid)
	}
	if p.Normalize {
		o.shift = 1
	}
	bias, err := r.b.prepared(r.ctx, t, 1)
	if err != nil {
		return err
	}
	scale, err := r.b.prepared(r.ctx, t, 2)
	if err != nil {
		return err
	}
	o.bias, o.gain = (*C.float)(bias), (*C.float)(scale)
	r.scratch = max(r.scratch, 2*experts)
	o.row_block = C.int64_t(max(1, min(t.Rows, pieceWork/(experts*p.TopK))))
	o.pieces = C.int64_t(ceilDiv(t.Rows, int(o.row_block)))
	return nil
}

// bindMix: x is the slots, y the routes, heads how many slots a row has.
func bindMix(r *run, o *C.struct_op, t *engine.Tensor) error {
	o.kernel = r.b.kernel("mix")
	o.x, o.y, o.heads = r.floats(t.Src[0]), r.floats(t.Src[1]), C.int32_t(t.Src[0].Cols/t.Cols)
	r.byRows(o, t.Src[0])
	o.rows, o.cols = C.int64_t(t.Rows), C.int64_t(t.Cols)
	return nil
}

// sortedSlots are the slots of routes, sorted by experts, in a table of the run.
type sortedSlots struct {
	routes      *engine.Tensor
	start, slot []C.int32_t
}

// bindExperts makes up to four records: one sorts the slots of the routes, one
// gathers or quantizes the rows of x in that order, one reads the weight of the experts
// that have rows if it is left in its file, and one multiplies. It is the
// product of linear for the rows of each expert: levels are the rows, in floats or
// quantized; weight is in panels, those of each expert side by side.
func bindExperts(r *run, o *C.struct_op, t *engine.Tensor) (err error) {
	x, w := t.Src[0], t.Src[2]
	o, err = r.sortSlots(o, t)
	if err != nil {
		return err
	}
	form, _ := r.b.gatheredBytes(t)
	one, err := table[C.struct_experts](r, 1)
	if err != nil {
		return err
	}
	slots, out := t.Src[1].Cols/2, w.Rows/w.Parts
	e := &one[0]
	*e = C.struct_experts{
		count: C.int64_t(w.Parts), slots: C.int64_t(slots), share: C.int64_t(slots), blocks: C.int64_t(ceilDiv(t.Rows, gatherRows)),
		stride: C.int64_t(ceilDiv(out, r.b.panel) * r.b.panel * r.b.packedBytes(w)), start: &r.sorted.start[0], slot: &r.sorted.slot[0],
	}
	if x.Cols != w.Cols {
		e.share = 1
	}
	o = r.gather(o, t, e, form)
	var weight unsafe.Pointer
	if r.b.layoutOf(t, 2) == inFile {
		weight = r.b.fetched.start
		o, err = r.fetch(o, t, e)
	} else {
		weight, err = r.b.prepared(r.ctx, t, 2)
	}
	if err != nil {
		return err
	}

	o.kernel = r.b.kernel("experts")
	tile, scratch := r.b.tile, panelFloats
	if w.DType.Quantized() {
		o.kernel = r.b.kernel("experts_blocks")
	}
	if form != floatForm {
		tile, scratch = int(r.b.kernels.blocks.x_tile[form]), int(r.b.kernels.blocks.open_bytes)/4
		o.form = C.int32_t(form)
	}
	o.experts, o.levels = e, r.b.levels[form].start
	o.dtype = C.int32_t(w.DType)
	o.inner, o.cols = C.int64_t(w.Cols), C.int64_t(out)
	o.weight = weight
	if o.bias, err = r.expertBias(t, out); err != nil {
		return err
	}
	if t.Src[3] != nil {
		e.bias_stride = C.int64_t(out)
	}
	_, panels := r.b.cutLinear(max(1, t.Rows*slots/w.Parts), out, w.Cols, tile)
	fewest := ceilDiv(min(t.Rows, fewRows), tile) // a few rows are never split
	rowBlock := max(fewest, min(ceilDiv(t.Rows, tile), rowsInCache/tile, sumsInCache/(panels*r.b.panel*tile))) * tile
	o.row_block, o.col_block = C.int64_t(rowBlock), C.int64_t(panels)
	o.pieces = C.int64_t(w.Parts * ceilDiv(ceilDiv(out, r.b.panel), panels))
	r.scratch = max(r.scratch, rowBlock*panels*r.b.panel+scratch)
	return nil
}

// gatherRows is how many rows of an expert a piece gathers.
const gatherRows = 32

// sortSlots makes o the record that sorts the slots of t's routes, and returns the
// next record. If the last experts had the same routes, it returns o.
func (r *run) sortSlots(o *C.struct_op, t *engine.Tensor) (*C.struct_op, error) {
	routes, experts := t.Src[1], t.Src[2].Parts
	if r.sorted.routes == routes {
		return o, nil
	}
	slots := routes.Cols / 2
	start, err := table[C.int32_t](r, experts+1)
	if err != nil {
		return nil, err
	}
	slot, err := table[C.int32_t](r, routes.Rows*slots)
	if err != nil {
		return nil, err
	}
	one, err := table[C.struct_experts](r, 1)
	if err != nil {
		return nil, err
	}
	r.sorted = sortedSlots{routes, start, slot}
	one[0] = C.struct_experts{count: C.int64_t(experts), slots: C.int64_t(slots), start: &start[0], slot: &slot[0]}
	o.kernel = r.b.kernel("sort_slots")
	o.x, o.experts, o.pieces = r.floats(routes), &one[0], 1
	return r.record(t), nil
}

// gather makes o the record that brings the rows of x into the order of the experts,
// and returns the next record. If the memory holds them already, it returns o.
func (r *run) gather(o *C.struct_op, t *engine.Tensor, e *C.struct_experts, form int) *C.struct_op {
	x, holds := t.Src[0], quantized{t.Src[0], t.Src[1]}
	if r.quantized[form] == holds {
		return o
	}
	r.quantized[form] = holds
	o.kernel = r.b.kernel("gather_rows")
	if form != floatForm {
		o.kernel = r.b.kernel("quantize_rows")
		o.form = C.int32_t(form)
	}
	o.rows, o.inner, o.x, o.out = C.int64_t(t.Rows), C.int64_t(t.Src[2].Cols), r.floats(x), nil
	o.levels, o.experts = r.b.levels[form].start, e
	o.row_block, o.pieces = gatherRows, e.count*e.blocks
	return r.record(t)
}

// gatheredBytes returns the form in which the rows of x are gathered for experts, and
// the memory for them.
func (b *Backend) gatheredBytes(t *engine.Tensor) (form, bytes int) {
	w, rows := t.Src[2], t.Rows*t.Src[1].Cols/2
	if !w.DType.Quantized() || b.kernels.blocks.x_tile[0] == 0 {
		return floatForm, 4 * rows * w.Cols
	}
	form = int(C.kernels_x_form(b.kernels, C.int(w.DType)))
	return form, rows * w.Cols / runLength * int(b.kernels.blocks.x_bytes[form])
}

// expertBias returns the biases of all experts, or zeros for one of them.
func (r *run) expertBias(t *engine.Tensor, out int) (*C.float, error) {
	if t.Src[3] != nil {
		p, err := r.b.prepared(r.ctx, t, 3)
		return (*C.float)(p), err
	}
	return r.zeros(ceilDiv(out, r.b.panel) * r.b.panel)
}

// zeros returns so many zeros.
func (r *run) zeros(n int) (*C.float, error) {
	row, err := shared(r, tableKey{what: zeros, sizes: [3]int{n}}, func() ([]C.float, error) {
		row, err := table[C.float](r, n)
		clear(row)
		return row, err
	})
	return unsafe.SliceData(row), err
}

// weightFile is the file of a weight that is left there.
type weightFile struct {
	engine.FileMapping
	file          *os.File
	first, stride int64
}

// Close implements io.Closer.
func (f *weightFile) Close() error { return f.Release() }

// opened returns the file of a weight that is left there.
func (b *Backend) opened(w *engine.Tensor) (*weightFile, error) {
	f, err := w.Prepared(b.keys[inFile], func() (io.Closer, error) {
		m, first, stride := w.File()
		if m == nil {
			return nil, fmt.Errorf("it lies in no file that can be read at its offsets")
		}
		return &weightFile{m, m.File(), first, stride}, nil
	})
	if err != nil {
		return nil, err
	}
	return f.(*weightFile), nil
}

// fetch makes o the record that reads the weights of the experts that have rows, and
// returns the next record.
func (r *run) fetch(o *C.struct_op, t *engine.Tensor, e *C.struct_experts) (*C.struct_op, error) {
	w := t.Src[2]
	f, err := r.b.opened(w)
	if err != nil {
		return nil, err
	}
	if err := f.Changed(); err != nil {
		return nil, &engine.WeightError{Weight: w.Name, Err: err}
	}
	if r.failed == nil {
		flag, err := table[C.int32_t](r, 1)
		if err != nil {
			return nil, err
		}
		r.failed = &flag[0]
	}
	at, err := table[C.struct_in_file](r, 1)
	if err != nil {
		return nil, err
	}
	out, line := w.Rows/w.Parts, w.DType.RowBytes(w.Cols)
	at[0] = C.struct_in_file{
		kernels: r.b.kernels, first: C.int64_t(f.first), apart: C.int64_t(f.stride), row: C.int64_t(line),
		file: C.int32_t(f.file.Fd()), failed: r.failed,
	}
	e.in_file = &at[0]
	block := min(ceilDiv(max(1, readSize/2/line), r.b.panel), ceilDiv(out, r.b.panel)) * r.b.panel
	o.kernel = C.kernel(C.fetch_experts)
	o.experts, o.weight, o.out = e, r.b.fetched.start, nil
	o.dtype, o.inner, o.cols = C.int32_t(w.DType), C.int64_t(w.Cols), C.int64_t(out)
	o.row_block, o.pieces = C.int64_t(block), C.int64_t(w.Parts*ceilDiv(out, block))
	r.scratch = max(r.scratch, ceilDiv(block*line, 4))
	return r.record(t), nil
}

// unread returns an error if a weight could not be read from its file in this run.
func (r *run) unread() error {
	if r.failed == nil || *r.failed == 0 {
		return nil
	}
	for _, t := range r.records {
		if t.Op != engine.OpExperts || r.b.layoutOf(t, 2) != inFile {
			continue
		}
		if f, err := r.b.opened(t.Src[2]); err != nil {
			return err
		} else if err := f.Changed(); err != nil {
			return &engine.WeightError{Weight: t.Src[2].Name, Err: err}
		}
	}
	return &engine.WeightError{Weight: "the experts", Err: io.ErrUnexpectedEOF}
}

// fetchBytes is the size of the memory for the experts that are read from files.
func (b *Backend) fetchBytes(ops []*engine.Tensor) (n int) {
	for _, t := range ops {
		if t.Op == engine.OpExperts && isLeft(t, 2) {
			n = max(n, b.layBytes(t.Src[2], asPanels))
		}
	}
	return n
}

// fitFetched allocates it.
func (b *Backend) fitFetched(ops []*engine.Tensor) (err error) {
	n := b.fetchBytes(ops)
	if n == 0 || b.fetched != nil && n <= len(b.fetched.HostMemory) {
		return nil
	}
	b.freeFetched()
	b.fetched, err = newMemory("experts", n)
	return err
}

func (b *Backend) freeFetched() {
	if b.fetched != nil {
		b.fetched.Close()
	}
	b.fetched = nil
}
