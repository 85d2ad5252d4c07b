package cpubackend

// #include "kernels/cpu.h"
import "C"

import (
	"math"

	"inglenook/engine"
)

// inTiles reports whether products of many rows are those of linear_halves.
func (b *Backend) inTiles() bool { return b.kernel("linear_halves") != nil }

// manyRows is from how many rows on products are made in another way while a text is
// written: by tiles or by a library. It is more than a token with guesses has.
const manyRows = 32

// fromRows returns from how many rows on tiles or a library multiply in a run. The answer to
// a text must not depend on what runs beside it. So without caches, where a pass has any
// number of texts, they multiply always, and never where several texts are written in one
// pass, which then have attentions of their own in each layer.
func (b *Backend) fromRows(ops []*engine.Tensor) int {
	if b.product == 0 && !b.inTiles() {
		return math.MaxInt
	}
	from := 1
	var last *engine.Tensor // causal attention
	for _, t := range ops {
		for _, s := range t.Src {
			if s != nil && s.Op == engine.OpCache {
				from = manyRows
			}
		}
		if t.Op != engine.OpCausalAttention {
			continue
		}
		if last != nil && last.Layer == t.Layer {
			return math.MaxInt
		}
		last = t
	}
	return from
}

// byHalves reports whether the Linear t is a product of tiles in a run where they multiply
// `from` rows and more. A library goes first.
func (b *Backend) byHalves(t *engine.Tensor, from int) bool {
	d := t.Src[1].DType
	return t.Rows >= from && b.inTiles() && (d.Quantized() || b.product == 0 && d != engine.F32)
}

// halvedBytes returns the form of x that a product of tiles takes, and the memory for it:
// whole tiles of rows and of columns.
func halvedBytes(t *engine.Tensor) (form, bytes int) {
	x, halves := t.Src[0], 3
	form = threeHalves
	if t.Src[1].DType.Quantized() {
		form, halves = oneHalf, 1
	}
	return form, ceilDiv(x.Rows, tileRows) * tileRows * ceilDiv(x.Cols, tileCols) * tileCols * 2 * halves
}

// A tile of x, see halves.h.
const (
	tileRows = 16
	tileCols = 32
	// openFloats are the tiles that a panel is opened to, as floats: OPEN_TILES times TILE_SIZE.
	openFloats = 32 * 1024 / 4
	// rowsAtOnce rows use what is opened. Their sums are 64 KiB.
	rowsAtOnce = 512
)

// bindHalves: levels are x as sums of halves, form of how many; the rest as in linear.
func bindHalves(r *run, o *C.struct_op, t *engine.Tensor) (err error) {
	x, w := t.Src[0], t.Src[1]
	form, _ := halvedBytes(t)
	o = r.quantize(o, t, form)
	o.kernel = r.b.kernel("linear_halves")
	o.levels, o.form = r.b.levels[form].start, formOf(form)
	o.dtype, o.activation = C.int32_t(w.DType), C.int32_t(t.Params.(engine.LinearParams).Activation)
	o.inner = C.int64_t(x.Cols)
	if o.weight, err = r.b.prepared(r.ctx, t, 1); err != nil {
		return err
	}
	if o.bias, err = r.bias(t); err != nil {
		return err
	}
	rowBlock, panels := r.b.cutHalves(t.Rows, t.Cols, x.Cols)
	o.row_block, o.col_block = C.int64_t(rowBlock), C.int64_t(panels)
	o.pieces = C.int64_t(ceilDiv(t.Rows, rowBlock) * ceilDiv(ceilDiv(t.Cols, r.b.panel), panels))
	r.scratch = max(r.scratch, openFloats+ceilDiv(rowBlock, 2*tileRows)*2*tileRows*r.b.panel)
	return nil
}

// cutHalves returns how many rows and how many panels of columns one piece of linear_halves
// has. Pieces are high, as each opens its panels, and narrow, so that all threads are busy to
// the end.
func (b *Backend) cutHalves(rows, cols, inner int) (rowBlock, panels int) {
	const (
		least = 2_000_000 // multiply-adds that are worth a piece
		most  = 1 << 28   // and that keep the wait after a cancellation short
	)
	all := ceilDiv(cols, b.panel)
	rowBlock = ceilDiv(ceilDiv(rows, ceilDiv(rows, rowsAtOnce)), tileRows) * tileRows
	work := min(rows, rowBlock) * b.panel * inner
	panels = all
	if threads := b.device.Threads; threads > 1 {
		const each = 8 // pieces a thread
		panels = max(all*ceilDiv(rows, rowBlock)/(each*threads), least/work)
	}
	panels = max(1, min(all, panels, most/work))
	return rowBlock, ceilDiv(all, ceilDiv(all, panels))
}
