package cudabackend

import (
	"context"
	"errors"
	"io"
	"unsafe"

	"inglenook/engine"
	"inglenook/engine/quant"
	"inglenook/gpu/lower"
)

// layout is the key under which a weight's tensor keeps its memory on this backend.
type layout struct {
	b    *Backend
	kind lower.Layout
}

const (
	loadPiece = 4 << 20 // bytes of a weight that are copied between two checks of the context
	loaders   = 4       // goroutines: a source may have to compute what it returns
)

// load copies a weight to the card.
func (b *Backend) load(ctx context.Context, t *engine.Tensor, kind lower.Layout) (io.Closer, error) {
	if t.Source() == nil {
		return nil, errors.New("there is no data, only a shape")
	}
	m, err := b.newMemory("the weight "+t.Name, kind.Size(t))
	if err != nil {
		return nil, err
	}
	if err := fill(ctx, t, m, kind); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	m.ReadOnly = true
	return m, nil
}

// fill copies a weight in blocks of rows.
func fill(ctx context.Context, t *engine.Tensor, m *memory, kind lower.Layout) error {
	line := t.DType.RowBytes(t.Cols)
	return t.EachBlock(ctx, loaders, max(1, loadPiece/line), func(first, n int, scratch *[]byte) error {
		if len(*scratch) < n*line {
			*scratch = make([]byte, n*line)
		}
		stored := (*scratch)[:n*line]
		if err := t.ReadRows(stored, first); err != nil {
			return err
		}
		if kind == lower.Stored {
			_, err := m.WriteAt(stored, int64(first)*int64(line))
			return err
		}
		floats := make([]float32, n*t.Cols)
		quant.Dequantize(t.DType, stored, floats)
		_, err := m.WriteAt(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(floats))), 4*len(floats)), 4*int64(first)*int64(t.Cols))
		return err
	})
}
