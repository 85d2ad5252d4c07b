package metalbackend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
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
		if in, err := b.views.find(b, t); in != nil || err != nil {
			return in, err
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

// fill reads a weight in blocks of rows.
func fill(ctx context.Context, t *engine.Tensor, m *memory, kind lower.Layout) error {
	block := max(1, loadPiece/t.DType.RowBytes(t.Cols))
	blocks := (t.Rows + block - 1) / block
	errs := make([]error, min(blocks, loaders))
	var next atomic.Int64
	var wg sync.WaitGroup
	for g := range errs {
		wg.Go(func() {
			for errs[g] == nil {
				i := int(next.Add(1)) - 1
				if i >= blocks {
					return
				}
				if errs[g] = ctx.Err(); errs[g] == nil {
					errs[g] = fillRows(t, m, kind, i*block, min((i+1)*block, t.Rows))
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// fillRows reads the rows [from, to).
func fillRows(t *engine.Tensor, m *memory, kind lower.Layout, from, to int) error {
	line := t.DType.RowBytes(t.Cols)
	var stored []byte
	if kind == lower.Stored {
		stored = m.Bytes()[from*line : to*line]
	} else {
		stored = make([]byte, (to-from)*line)
	}
	if err := readFull(t.Source(), stored, int64(from)*int64(line)); err != nil {
		return fmt.Errorf("read %s: %w", t.Name, err)
	}
	if kind == lower.Floats {
		floats := unsafe.Slice((*float32)(m.start), t.Len())
		quant.Dequantize(t.DType, stored, floats[from*t.Cols:to*t.Cols])
	}
	return nil
}

// readFull fills p from off on. A source may return io.EOF with its last byte.
func readFull(src io.ReaderAt, p []byte, off int64) error {
	n, err := src.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
