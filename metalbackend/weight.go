package metalbackend

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

// load makes a weight visible to the GPU: in place if its file is mapped and the
// weight is aligned, else in a copy.
func (b *Backend) load(ctx context.Context, t *engine.Tensor, kind lower.Layout, bytes int) (io.Closer, error) {
	if err := b.usable(); err != nil {
		return nil, err
	}
	if t.Source() == nil {
		return nil, errors.New("there is no data, only a shape")
	}
	if kind == lower.Stored {
		in, err := b.views.find(b, t)
		if err != nil {
			return nil, err
		}
		if in != nil {
			if err := fetch(ctx, t); err != nil {
				return nil, errors.Join(err, in.Close())
			}
			return in, nil
		}
	}
	m, err := b.newMemory("the weight "+t.Name, bytes)
	if err != nil {
		return nil, err
	}
	if err := fill(ctx, t, m, kind); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	m.ReadOnly = true
	b.resident.add(m)
	return m, nil
}

const (
	loadPiece = 4 << 20 // bytes of a weight that are read between two checks of the context
	loaders   = 4       // goroutines: a source may have to compute what it returns
)

// fetch brings a weight that is used in its mapped file into memory. Otherwise the
// first command buffer would wait for the disk, which nobody could cancel, and a slow
// disk would look like a GPU that does not answer.
func fetch(ctx context.Context, t *engine.Tensor) error {
	line := t.DType.RowBytes(t.Cols)
	return t.EachBlock(ctx, loaders, max(1, loadPiece/line), func(first, n int, scratch *[]byte) error {
		if len(*scratch) < n*line {
			*scratch = make([]byte, n*line)
		}
		return t.ReadRows((*scratch)[:n*line], first)
	})
}

// fill reads a weight in blocks of rows.
func fill(ctx context.Context, t *engine.Tensor, m *memory, kind lower.Layout) error {
	line := t.DType.RowBytes(t.Cols)
	return t.EachBlock(ctx, loaders, max(1, loadPiece/line), func(first, n int, scratch *[]byte) error {
		if kind == lower.Stored {
			return t.ReadRows(m.Bytes()[first*line:][:n*line], first)
		}
		if len(*scratch) < n*line {
			*scratch = make([]byte, n*line)
		}
		stored := (*scratch)[:n*line]
		if err := t.ReadRows(stored, first); err != nil {
			return err
		}
		floats := unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(m.Bytes()))), t.Len())
		quant.Dequantize(t.DType, stored, floats[first*t.Cols:][:n*t.Cols])
		return nil
	})
}
