package engine

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

// EachBlock calls load for blocks of the given number of a weight's rows, on
// several goroutines at a time. load gets the first row, the number of rows, and
// scratch memory of its goroutine for any use. A goroutine ends at its first
// error.
func (t *Tensor) EachBlock(ctx context.Context, goroutines, rows int, load func(first, n int, scratch *[]byte) error) error {
	blocks := (t.Rows + rows - 1) / rows
	errs := make([]error, min(blocks, goroutines))
	var next atomic.Int64
	var wg sync.WaitGroup
	for g := range errs {
		wg.Go(func() {
			var scratch []byte
			for errs[g] == nil {
				i := int(next.Add(1)) - 1
				if i >= blocks {
					return
				}
				if errs[g] = ctx.Err(); errs[g] == nil {
					errs[g] = load(i*rows, min(rows, t.Rows-i*rows), &scratch)
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// ReadRows fills p with the bytes of rows from first on. The weight must have a
// source.
func (t *Tensor) ReadRows(p []byte, first int) error {
	n, err := t.Source().ReadAt(p, int64(first)*int64(t.DType.RowBytes(t.Cols)))
	if n == len(p) { // a source may return io.EOF with its last byte
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
