package cpubackend

// #include "kernels/cpu.h"
import "C"

import "inglenook/engine"

// bindLinear: x, weight in panels, bias in whole panels (zeros if there is none),
// activation; inner is the length of the sum. With a weight of a block type a
// record of its own quantizes x to levels first, unless whatever made x has done so.
func bindLinear(r *run, o *C.struct_op, t *engine.Tensor) (err error) {
	x, w := t.Src[0], t.Src[1]
	tile, scratch := r.b.tile, panelFloats
	levels, form := r.levels(x, w)
	if levels != nil {
		if r.passed == x {
			levels = r.b.levels[passed].start
		} else {
			o = r.quantize(o, t, levels, form)
			if r.b.passes(t, r.next) {
				r.passed, o.passed = t, r.b.levels[passed].start
			}
		}
		tile, scratch = int(r.b.kernels.blocks.x_tile[form]), int(r.b.kernels.blocks.open_bytes)/4
		o.levels, o.form = levels, C.int32_t(form)
	}
	o.kernel = r.b.kernel("linear")
	if w.DType.Quantized() {
		o.kernel = r.b.kernel("linear_blocks")
	}
	o.dtype = C.int32_t(w.DType)
	o.activation = C.int32_t(t.Params.(engine.LinearParams).Activation)
	o.inner = C.int64_t(x.Cols)
	o.x = r.floats(x)
	if o.weight, err = r.b.prepared(r.ctx, t, 1); err != nil {
		return err
	}
	if o.bias, err = r.bias(t); err != nil {
		return err
	}
	rowBlock, panels := r.b.cutLinear(t.Rows, t.Cols, x.Cols, tile)
	o.row_block, o.col_block = C.int64_t(rowBlock), C.int64_t(panels)
	o.pieces = C.int64_t(ceilDiv(t.Rows, rowBlock) * ceilDiv(ceilDiv(t.Cols, r.b.panel), panels))
	r.scratch = max(r.scratch, rowBlock*panels*r.b.panel+scratch)
	return nil
}

// bias returns the bias row, up to a whole panel.
func (r *run) bias(t *engine.Tensor) (*C.float, error) {
	if t.Src[2] != nil {
		p, err := r.b.prepared(r.ctx, t, 2)
		return (*C.float)(p), err
	}
	return r.zeros(ceilDiv(t.Cols, r.b.panel) * r.b.panel)
}

// cutLinear returns how many rows and how many panels of columns one piece has. A
// block of rows is large enough to reuse each panel often and small enough to
// stay in the second-level cache, as are the sums. Panels are split further until
// there are several pieces a thread, but no piece gets less than a few
// microseconds of work. A single row takes its panels four at a time.
func (b *Backend) cutLinear(rows, cols, inner, tile int) (rowBlock, panels int) {
	const (
		least = 300_000 // multiply-adds that are worth a piece
		most  = 1 << 25 // and that keep the wait after a cancellation short
	)
	all := ceilDiv(cols, b.panel)
	blocks := ceilDiv(rows, rowsInCache)
	rowBlock = ceilDiv(ceilDiv(rows, blocks), tile) * tile
	work := func(panels int) int { return min(rows, rowBlock) * b.panel * inner * panels }

	panels = all
	if threads := b.device.Threads; threads > 1 {
		wanted := 8 * threads // pieces
		panels = max(all*ceilDiv(rows, rowBlock)/wanted, least/work(1))
	}
	panels = max(1, min(all, panels, most/work(1), sumsInCache/(rowBlock*b.panel)))
	panels = ceilDiv(all, ceilDiv(all, panels)) // as evenly as possible
	if rows == 1 {
		panels = ceilDiv(panels, across) * across
	}
	return rowBlock, panels
}

const (
	// panelFloats is the largest depth times width of a panel in F32: DEPTH·PANEL
	// in linear.h, SPANS_DEPTH·PANEL in qlinear.h.
	panelFloats = 8192
	// rowsInCache rows of the part of x in use are less than 200 KiB.
	rowsInCache = 132
	// sumsInCache floats are 128 KiB.
	sumsInCache = 1 << 15
	// across is ACROSS in tile.h.
	across = 4
	// fewRows is FEW_ROWS in qfew.h.
	fewRows = 8
)
