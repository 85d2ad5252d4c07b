package metalbackend

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"unsafe"

	"inglenook/engine"
	"inglenook/gpu/lower"
	"inglenook/metalbackend/fake"
	"inglenook/metalbackend/objc"
)

// mapped is a file in memory that counts up, and remembers how it was read.
type mapped struct {
	counter
	pages []byte
	ends  int64 // where the file was cut off; 0: nowhere
	read  func()
}

func newMapped(bytes int) *mapped {
	page := objc.PageSize()
	all := make([]byte, bytes+2*page)
	from := page - int(uintptr(unsafe.Pointer(unsafe.SliceData(all)))%uintptr(page))
	m := &mapped{pages: all[from:][: bytes : len(all)-from]}
	_, _ = m.counter.ReadAt(m.pages, 0)
	m.reads.Store(0)
	return m
}

func (m *mapped) ReadAt(p []byte, off int64) (int, error) {
	if m.read != nil {
		m.read()
	}
	if m.ends > 0 && off+int64(len(p)) > m.ends {
		return 0, io.ErrUnexpectedEOF
	}
	return m.counter.ReadAt(p, off)
}

func (m *mapped) Map() (engine.Mapping, int64) { return m, 0 }
func (m *mapped) Address() (uintptr, int64) {
	return uintptr(unsafe.Pointer(unsafe.SliceData(m.pages))), int64(len(m.pages))
}
func (m *mapped) Changed() error { return nil }
func (m *mapped) Release() error { return nil }

// A weight that the GPU reads in its file is in memory before the GPU needs it: all of
// it is read once. That can be cancelled, and a file that ends too early is no fault of
// the GPU.
func TestFetchedBeforeUse(t *testing.T) {
	const rows, cols = 8 << 10, 1024 // 32 MB: 8 pieces
	b, rt := open(t, fake.Options{}, Options{})
	load := func(ctx context.Context, m *mapped) error {
		w := engine.NewWeight("w", engine.F32, rows, cols, m)
		defer w.Release()
		_, err := host{b}.Weight(ctx, w, lower.Stored)
		return err
	}
	buffers := func() (n int) {
		for _, object := range rt.Leaks() {
			if strings.HasPrefix(object, "MTLBuffer") {
				n++
			}
		}
		return n
	}
	whole := newMapped(4 * rows * cols)
	if err := load(t.Context(), whole); err != nil || whole.reads.Load() != 8 {
		t.Errorf("%v after %d reads of up to %d bytes", err, whole.reads.Load(), whole.most.Load())
	}
	ctx, cancel := context.WithCancel(t.Context())
	stopped := newMapped(4 * rows * cols)
	stopped.read = cancel
	if err := load(ctx, stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	cut := newMapped(4 * rows * cols)
	cut.ends = 1 << 20
	var unread *engine.WeightError
	if err := load(t.Context(), cut); !errors.As(err, &unread) {
		t.Errorf("cut off: %v", err)
	}
	if n := buffers(); n > 0 {
		t.Errorf("%d buffers are left", n)
	}
}
