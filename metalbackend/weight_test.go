package metalbackend

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"sync/atomic"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/gpu/lower"
	"inglenook/metalbackend/fake"
)

// loaded returns the bytes of a weight in the GPU's memory.
func loaded(t *testing.T, b *Backend, w *engine.Tensor, layout lower.Layout) []byte {
	t.Helper()
	r, err := host{b}.Weight(t.Context(), w, layout)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := w.Prepared(b.keys[layout], nil) // it is loaded already
	if err != nil {
		t.Fatal(err)
	}
	return kept.(*memory).Bytes()[r.Offset:][:r.Size]
}

// counter is a source that counts up and remembers how it was read.
type counter struct {
	reads, most atomic.Int64
}

func (c *counter) ReadAt(p []byte, off int64) (int, error) {
	c.reads.Add(1)
	if m := int64(len(p)); m > c.most.Load() {
		c.most.Store(m)
	}
	for i := range p {
		p[i] = byte((off + int64(i)) % 251)
	}
	return len(p), nil
}

// A weight is copied unchanged, in pieces of whole rows.
func TestWeightAsStored(t *testing.T) {
	b, _ := open(t, fake.Options{}, Options{})
	const rows, cols = 3000, 1024 // 12 MB
	c := &counter{}
	w := engine.NewWeight("w", engine.F32, rows, cols, c)
	defer w.Release()
	got := loaded(t, b, w, lower.Stored)
	if len(got) != w.Bytes() {
		t.Fatalf("%d bytes of %d", len(got), w.Bytes())
	}
	for i, v := range got {
		if v != byte(i%251) {
			t.Fatalf("byte %d is %d", i, v)
		}
	}
	if c.reads.Load() < 3 || c.most.Load() > loadPiece {
		t.Errorf("%d reads of up to %d bytes", c.reads.Load(), c.most.Load())
	}
	loaded(t, b, w, lower.Stored)
	if n := c.reads.Load(); n > 4 {
		t.Errorf("it is read again: %d times", n)
	}
}

// A small weight is widened exactly.
func TestWeightAsFloats(t *testing.T) {
	b, _ := open(t, fake.Options{}, Options{})
	for _, d := range []engine.DType{engine.F32, engine.F16, engine.BF16, engine.Q8_0} {
		w := enginetest.RandomWeight("w", d, 2, 64, 1, 7)
		got := loaded(t, b, w, lower.Floats)
		m := engine.NewGraph()
		x := m.Want(m.Embed(w, m.Ints("rows", []int32{0, 1})))
		if _, err := m.Run(t.Context(), &enginetest.ReferenceBackend{}); err != nil {
			t.Fatal(err)
		}
		want, err := m.Result(x)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range want {
			if g := math.Float32frombits(binary.NativeEndian.Uint32(got[4*i:])); g != v {
				t.Errorf("%s: value %d is %v, want %v", d, i, g, v)
			}
		}
		if err := errors.Join(m.Close(), w.Release()); err != nil {
			t.Error(err)
		}
	}
}

// The end of a context ends the reading of a weight and releases what was read.
func TestLoadingHonoursContext(t *testing.T) {
	b, _ := open(t, fake.Options{}, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	var reads, before atomic.Int64                                                                      // in all, when the context ended
	w := engine.NewWeight("w", engine.F32, 16000, 1024, readerAt(func(p []byte, _ int64) (int, error) { // 16 pieces
		switch n := reads.Add(1); {
		case n == 2:
			cancel()
			before.Store(reads.Load())
		case n > 2:
			<-ctx.Done() // the others do not read all before it ends
		}
		return len(p), nil
	}))
	g := engine.NewGraph()
	defer g.Close()
	op := g.Embed(w, g.Ints("ids", []int32{1}))
	if err := b.Prepare(ctx, op); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if n := reads.Load() - before.Load(); n > loaders {
		t.Errorf("%d pieces were read after the context had ended", n)
	}
}

type readerAt func(p []byte, off int64) (int, error)

func (r readerAt) ReadAt(p []byte, off int64) (int, error) { return r(p, off) }

// Arenas can be read and written within their bounds.
func TestArena(t *testing.T) {
	b, _ := open(t, fake.Options{}, Options{})
	m, err := b.Alloc(16)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.WriteAt([]byte("abcd"), 12); err != nil {
		t.Error(err)
	}
	for _, off := range []int64{-1, 13, 17} {
		if _, err := m.WriteAt([]byte("abcd"), off); err == nil {
			t.Errorf("4 bytes are written at %d of 16", off)
		}
	}
	p := make([]byte, 4)
	if n, err := m.ReadAt(p, 12); n != 4 || err != nil || !bytes.Equal(p, []byte("abcd")) {
		t.Errorf("read are %d bytes %q, %v", n, p, err)
	}
	if n, err := m.ReadAt(p, 14); n != 2 || !errors.Is(err, io.EOF) {
		t.Errorf("behind the end %d bytes are read, %v", n, err)
	}
	if _, err := m.ReadAt(p, 17); err == nil {
		t.Error("read outside")
	}
}
