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
)

// layout is the key under which a weight's tensor keeps memory here.
type layout struct {
	b    *Backend
	kind layoutKind
}

type layoutKind int

const (
	asStored layoutKind = iota // row-major, in the weight's own type
	asFloats                   // row-major in F32: norms, biases and other small ones
)

// weight is where the rows of a weight lie, in the layout of its file.
func (l *lowering) weight(t *engine.Tensor) (region, error) {
	return l.laid(t, asStored, t.Bytes())
}

// floats is where a small weight lies as floats.
func (l *lowering) floats(t *engine.Tensor) (region, error) {
	if t.DType == engine.F32 {
		return l.weight(t)
	}
	return l.laid(t, asFloats, 4*t.Len())
}

func (l *lowering) laid(t *engine.Tensor, kind layoutKind, bytes int) (region, error) {
	kept, err := t.Prepared(l.b.keys[kind], func() (io.Closer, error) { return l.b.load(l.ctx, t, kind, bytes) })
	if err != nil {
		return region{}, err
	}
	if m, ok := kept.(*memory); ok {
		return region{m, 0, bytes}, nil
	}
	in := kept.(*inView)
	return region{in.view.memory, in.offset, bytes}, nil
}

// Prepare brings the weights of one operation into the GPU's memory, and makes
// the pipelines that it takes with the sizes at hand.
func (b *Backend) Prepare(ctx context.Context, op *engine.Tensor) error {
	l := lowering{rehearsal: true}
	l.start(ctx, b, nil)
	if err := l.lower([]*engine.Tensor{op}); err != nil {
		return err
	}
	if err := b.begin(ctx); err != nil {
		return err
	}
	defer b.end()
	for i := range l.dispatches {
		if _, err := b.library.pipeline(&l.dispatches[i].kernel); err != nil {
			return err
		}
	}
	return nil
}

// load brings a weight where the GPU sees it: in place where its file is mapped
// and its bytes lie right, else in a copy.
func (b *Backend) load(ctx context.Context, t *engine.Tensor, kind layoutKind, bytes int) (io.Closer, error) {
	if err := b.usable(); err != nil {
		return nil, err
	}
	if t.Source() == nil {
		return nil, errors.New("there is no data, only a shape")
	}
	if kind == asStored {
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
	m.fixed = true
	b.resident.add(m)
	return m, nil
}

const (
	loadPiece = 4 << 20 // bytes of a weight that are read between two looks at the context
	loaders   = 4       // read at a time: what is read may have to be put together first
)

// fill reads a weight in blocks of rows.
func fill(ctx context.Context, t *engine.Tensor, m *memory, kind layoutKind) error {
	block := max(1, loadPiece/t.DType.RowBytes(t.Cols))
	blocks := ceilDiv(t.Rows, block)
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
func fillRows(t *engine.Tensor, m *memory, kind layoutKind, from, to int) error {
	line := t.DType.RowBytes(t.Cols)
	var stored []byte
	if kind == asStored {
		stored = m.Bytes()[from*line : to*line]
	} else {
		stored = make([]byte, (to-from)*line)
	}
	if err := readFull(t.Source(), stored, int64(from)*int64(line)); err != nil {
		return fmt.Errorf("read %s: %w", t.Name, err)
	}
	if kind == asFloats {
		floats := unsafe.Slice((*float32)(m.start), t.Len())
		quant.Dequantize(t.DType, stored, floats[from*t.Cols:to*t.Cols])
	}
	return nil
}

// readFull fills p from off on. A source may give io.EOF with its last byte.
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
