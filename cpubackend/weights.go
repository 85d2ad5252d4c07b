package cpubackend

// #include "kernels/cpu.h"
import "C"

import (
	"context"
	"errors"
	"io"
	"unsafe"

	"inglenook/engine"
)

// layout is the form of a prepared weight in memory; with its backend it is the
// key under which the weight's tensor stores it. Backend.keys holds all of them.
type layout struct {
	b    *Backend
	kind layoutKind
}

type layoutKind int

const (
	asNothing layoutKind = iota // not read
	asPanels                    // packed for linear, in the weight's own type
	asRows                      // row-major as in the file, in the weight's own type
	asFloats                    // row-major in F32, padded with zeros to a whole panel
	inFile                      // not in memory: experts are read when they are wanted
)

// layouts maps each way to read a weight to its layout.
var layouts = [...]layoutKind{
	engine.ReadValue: asNothing, engine.ReadRows: asRows, engine.ReadMatrix: asPanels, engine.ReadFloats: asFloats,
}

// layoutOf returns the layout of operand i of op. A table that Linear uses as
// well is stored once: Graph.Prepare prepares it for Linear first, and Embed
// reads its rows from the panels. Tables in block types are always in panels.
func (b *Backend) layoutOf(op *engine.Tensor, i int) layoutKind {
	kind := layouts[op.Op.Reads(i)]
	switch {
	case kind == asRows && rowsInPanels(op.Src[i], op.Src[i].Holds(b.keys[asPanels])):
		return asPanels
	case kind == asPanels && isLeft(op, i):
		return inFile
	}
	return kind
}

// isLeft reports whether operand i is the weight of experts, and left in its file.
func isLeft(op *engine.Tensor, i int) bool { return op.Op == engine.OpExperts && op.Src[i].InFile() }

// rowsInPanels reports whether Embed reads a table in panels. already reports
// whether Linear has stored it in panels.
func rowsInPanels(w *engine.Tensor, already bool) bool { return already || w.DType.Quantized() }

// Prepare packs the weights of one operation.
func (b *Backend) Prepare(ctx context.Context, op *engine.Tensor) error {
	for i := range op.Src {
		if _, err := b.prepared(ctx, op, i); err != nil {
			return err
		}
	}
	return nil
}

// prepared returns operand i of op in the layout of its kernel, prepared now if
// necessary; nil for an operand that is missing or not a weight.
func (b *Backend) prepared(ctx context.Context, op *engine.Tensor, i int) (unsafe.Pointer, error) {
	w := op.Src[i]
	if w == nil {
		return nil, nil
	}
	kind := b.layoutOf(op, i)
	if kind == asNothing {
		return nil, nil
	}
	if kind == inFile {
		_, err := b.opened(w)
		return nil, err
	}
	m, err := w.Prepared(b.keys[kind], func() (io.Closer, error) { return b.lay(ctx, w, kind) })
	if err != nil {
		return nil, err
	}
	return m.(*memory).start, nil
}

// lay reads a weight into new memory, on as many goroutines as there are threads.
func (b *Backend) lay(ctx context.Context, w *engine.Tensor, kind layoutKind) (*memory, error) {
	if w.Source() == nil {
		return nil, errors.New("there is no data, only a shape")
	}
	m, err := newMemory("the weight", b.layBytes(w, kind))
	if err != nil {
		return nil, err
	}
	if err := b.fill(ctx, m, w, kind); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// layBytes returns the bytes of a weight in a layout.
func (b *Backend) layBytes(w *engine.Tensor, kind layoutKind) int {
	switch kind {
	case asPanels:
		return w.Parts * ceilDiv(w.Rows/w.Parts, b.panel) * b.panel * b.packedBytes(w)
	case asFloats:
		return 4 * (w.Len() + b.panel)
	}
	return w.Bytes()
}

// readSize is how many bytes of a weight a thread reads at once, and so the
// memory that loading needs per thread besides the prepared copy.
const readSize = 1 << 19

// fill reads the weight in blocks of rows and converts each into its place.
func (b *Backend) fill(ctx context.Context, m *memory, w *engine.Tensor, kind layoutKind) error {
	line := w.DType.RowBytes(w.Cols)
	block := max(1, readSize/line)
	if kind == asPanels {
		block = ceilDiv(block, b.panel) * b.panel
	}
	if w.Parts > 1 && kind == asPanels { // panels of each matrix of its own
		return w.EachBlock(ctx, b.device.Threads, w.Rows/w.Parts, func(first, n int, scratch *[]byte) error {
			for at := 0; at < n; at += block {
				if err := b.fillRows(m, w, kind, first+at, min(block, n-at), scratch); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return w.EachBlock(ctx, b.device.Threads, block, func(first, n int, scratch *[]byte) error {
		return b.fillRows(m, w, kind, first, n, scratch)
	})
}

// fillRows reads n rows from row first on, through scratch if they are converted.
func (b *Backend) fillRows(m *memory, w *engine.Tensor, kind layoutKind, first, n int, scratch *[]byte) error {
	line := w.DType.RowBytes(w.Cols)
	if kind == asRows {
		return w.ReadRows(m.Bytes()[first*line:][:n*line], first)
	}
	if len(*scratch) < n*line {
		*scratch = make([]byte, n*line)
	}
	if err := w.ReadRows((*scratch)[:n*line], first); err != nil {
		return err
	}
	from, dtype := unsafe.Pointer(&(*scratch)[0]), C.int(w.DType)
	if kind == asFloats {
		to := unsafe.Add(m.start, 4*first*w.Cols)
		C.kernels_widen(b.kernels, dtype, from, C.int64_t(n*w.Cols), (*C.float)(to))
		return nil
	}
	C.kernels_pack(b.kernels, dtype, from, C.int64_t(n), C.int64_t(w.Cols), unsafe.Add(m.start, b.panelRow(w, first)*b.packedBytes(w)))
	return nil
}

// panelRow returns where a row lies in panels, of which each matrix of the weight fills
// a whole number.
func (b *Backend) panelRow(w *engine.Tensor, row int) int {
	each := w.Rows / w.Parts
	return row/each*ceilDiv(each, b.panel)*b.panel + row%each
}

// packedBytes returns the bytes of a row of the weight in a panel.
func (b *Backend) packedBytes(w *engine.Tensor) int {
	return int(C.kernels_packed_bytes(b.kernels, C.int(w.DType), C.int64_t(w.Cols)))
}
