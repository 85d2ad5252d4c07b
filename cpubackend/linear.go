package cpubackend

// #include "kernels/cpu.h"
import "C"

import (
	"fmt"
	"math"
	"unsafe"

	"inglenook/cpubackend/blas"
	"inglenook/cpubackend/sgemm"
	"inglenook/engine"
)

// bindLinear: x, weight in panels, bias in whole panels (zeros if there is none),
// activation; inner is the length of the sum. With a weight of a block type a
// record of its own quantizes x to levels first, unless whatever made x has done so.
func bindLinear(r *run, o *C.struct_op, t *engine.Tensor) (err error) {
	x, w := t.Src[0], t.Src[1]
	switch {
	case r.b.byHalves(t, r.from):
		return bindHalves(r, o, t)
	case t.Rows >= r.from && r.b.product != 0 && !w.DType.Quantized():
		return bindProduct(r, o, t)
	}
	tile, scratch := r.b.tile, panelFloats
	levels, form := r.levels(x, w)
	if levels != nil {
		if r.passed == x {
			levels = r.b.levels[passed].start
		} else {
			o = r.quantize(o, t, form)
			if r.b.passes(t, r.next, r.from) {
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

// bindProduct leaves the product to the library. weight is a factor of sgemm.h.
func bindProduct(r *run, o *C.struct_op, t *engine.Tensor) error {
	x, w := t.Src[0], t.Src[1]
	panels, err := r.b.prepared(r.ctx, t, 1)
	if err != nil {
		return err
	}
	factor, err := table[sgemm.Factor](r, 1)
	if err != nil {
		return err
	}
	factor[0] = sgemm.Factor{Panels: panels, Kernels: unsafe.Pointer(r.b.kernels), Product: r.b.product}
	o.kernel = C.kernel(sgemm.Kernel())
	o.dtype, o.activation = C.int32_t(w.DType), C.int32_t(t.Params.(engine.LinearParams).Activation)
	o.inner, o.x, o.weight = C.int64_t(x.Cols), r.floats(x), unsafe.Pointer(&factor[0])
	if o.bias, err = r.bias(t); err != nil {
		return err
	}
	rowBlock, across := sgemm.Cut(t.Rows, t.Cols, x.Cols, r.b.panel, r.b.device.Threads)
	o.row_block, o.col_block = C.int64_t(rowBlock), C.int64_t(across)
	o.pieces = C.int64_t(ceilDiv(t.Rows, rowBlock) * ceilDiv(ceilDiv(t.Cols, r.b.panel), across))
	r.scratch = max(r.scratch, sgemm.Scratch(x.Cols, across*r.b.panel))
	return nil
}

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
	return t.Rows >= from && b.inTiles() && (d.Quantized() || b.product == 0)
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
	// openFloats are the tiles that panels are opened to, as floats: OPEN_FLOATS, twice, times TILE_SIZE.
	openFloats = 2 * 24 * 1024 / 4
	// deepCols are DEEP_STEPS of x.
	deepCols = 24 * tileCols
	// rowsAtOnce rows use what is opened, half as many where x is three halves: half of the
	// second-level cache holds them.
	rowsAtOnce = 512
	// tileSums floats are 256 KiB: the sums of a piece.
	tileSums = 1 << 16
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
	rowBlock, panels, sums := r.b.cutHalves(t.Rows, t.Cols, x.Cols, form)
	o.row_block, o.col_block = C.int64_t(rowBlock), C.int64_t(panels)
	o.pieces = C.int64_t(ceilDiv(t.Rows, rowBlock) * ceilDiv(ceilDiv(t.Cols, r.b.panel), panels))
	r.scratch = max(r.scratch, openFloats+sums)
	return nil
}

// cutHalves returns how many rows and how many panels of columns one piece of linear_halves
// has, and its sums. Pieces are high, as each opens its panels, and narrow, so that all threads are
// busy to the end.
func (b *Backend) cutHalves(rows, cols, inner, form int) (rowBlock, panels, sums int) {
	const (
		least = 2_000_000 // multiply-adds that are worth a piece
		most  = 1 << 28   // and that keep the wait after a cancellation short
	)
	all, atOnce := ceilDiv(cols, b.panel), rowsAtOnce
	if form == threeHalves {
		atOnce /= 2
	}
	rowBlock = ceilDiv(ceilDiv(rows, ceilDiv(rows, atOnce)), tileRows) * tileRows
	work := min(rows, rowBlock) * b.panel * inner
	panels = all
	if threads := b.device.Threads; threads > 1 {
		const each = 8 // pieces a thread
		panels = max(all*ceilDiv(rows, rowBlock)/(each*threads), least/work)
	}
	panels = min(all, panels, most/work)
	sums = ceilDiv(rowBlock, 2*tileRows) * 2 * tileRows * b.panel
	deep := form == threeHalves && inner > deepCols // the sums of all panels are kept
	if deep {
		panels = min(panels, tileSums/sums)
	}
	panels = max(1, panels)
	panels = ceilDiv(all, ceilDiv(all, panels))
	if deep {
		sums *= panels
	}
	return rowBlock, panels, sums
}

// findProduct looks for a library that multiplies matrices, and checks it.
func (b *Backend) findProduct() {
	l, err := blas.Open()
	if l == nil && err == nil {
		return
	}
	even := false
	if err == nil {
		if even, err = sgemm.Check(l.Product, unsafe.Pointer(b.kernels)); err != nil {
			err = fmt.Errorf("%s is not used: %w", l.Name, err)
		}
	}
	if err != nil {
		b.device.OwnProducts, b.device.Products = true, fmt.Sprintf("by this program, because %v", err)
		return
	}
	b.product, b.device.Products = l.Product, "by "+l.Name
	if !even {
		b.device.Products += ", whose last digits depend on which texts are read together"
	}
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
// microseconds of work. A single row takes its panels four at a time, in pieces that keep all
// threads busy to the end: memory sets its pace.
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
		panels = across * evenly(ceilDiv(all, across), ceilDiv(panels, across), b.device.Threads)
	}
	return rowBlock, panels
}

// evenly returns how many of so many equal parts a piece has, from `each` to twice as many, with
// which all threads are done the soonest.
func evenly(parts, each, threads int) int {
	rounds := func(each int) int { return ceilDiv(ceilDiv(parts, each), threads) * each }
	best := each
	for more := each + 1; more <= 2*each; more++ {
		if rounds(more) < rounds(best) {
			best = more
		}
	}
	return best
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
