package cpubackend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"inglenook/engine"
)

// flaky fails at the read number failAt.
type flaky struct {
	io.ReaderAt
	failAt int
	reads  int
}

var errDisk = errors.New("the disk is gone")

func (f *flaky) ReadAt(p []byte, off int64) (int, error) {
	f.reads++
	if f.reads == f.failAt {
		return 0, errDisk
	}
	return f.ReaderAt.ReadAt(p, off)
}

// A weight that cannot be read is an error that names it, whatever the layout
// and wherever the reading stops. A later try can succeed.
func TestSourceThatFails(t *testing.T) {
	const rows, cols = 3000, 300 // several blocks
	data := make([]byte, 4*rows*cols)
	ops := map[string]func(g *engine.Graph, w *engine.Tensor) *engine.Tensor{
		"embed": func(g *engine.Graph, w *engine.Tensor) *engine.Tensor { return g.Embed(w, g.Ints("ids", []int32{7})) },
		"linear": func(g *engine.Graph, w *engine.Tensor) *engine.Tensor {
			return g.Linear(g.Floats("x", 1, make([]float32, cols)), w, nil, engine.None)
		},
		"attention": func(g *engine.Graph, w *engine.Tensor) *engine.Tensor {
			x := g.Floats("x", 2, make([]float32, 2*cols))
			return g.Attention(x, x, x, g.Ints("starts", []int32{0, 2}), w, engine.AttentionParams{Heads: cols, Scale: 1, MaxDistance: rows})
		},
	}
	b := open(t, Options{Threads: 1})
	for name, record := range ops {
		for failAt := 1; failAt < 20; failAt++ {
			src := &flaky{ReaderAt: bytes.NewReader(data), failAt: failAt}
			w := engine.NewWeight("the.weight", engine.F32, rows, cols, src)
			g := engine.NewGraph()
			g.Want(record(g, w))
			_, err := g.Run(t.Context(), b)
			if err == nil {
				if failAt < 3 {
					t.Errorf("%s read the weight in %d pieces", name, src.reads)
				}
				w.Release()
				g.Close()
				break
			}
			if !errors.Is(err, errDisk) || !strings.Contains(err.Error(), "the.weight") {
				t.Errorf("%s, read %d: %v", name, failAt, err)
			}
			if _, err := g.Run(t.Context(), b); err != nil {
				t.Errorf("%s, read %d: the next run fails with %v", name, failAt, err)
			}
			w.Release()
			g.Close()
		}
	}
}

func TestWeightsThatCannotBe(t *testing.T) {
	b := open(t, Options{Threads: 2})
	weights := map[string]*engine.Tensor{
		"unexpected EOF":    engine.NewWeight("w", engine.F32, 10, 10, bytes.NewReader(make([]byte, 399))),
		"no data":           engine.NewWeight("w", engine.F32, 10, 10, nil),
		"prepare the.short": engine.NewWeight("the.short", engine.F16, 10, 10, bytes.NewReader(nil)),
	}
	for want, w := range weights {
		g := engine.NewGraph()
		g.Want(g.Linear(g.Floats("x", 1, make([]float32, 10)), w, nil, engine.None))
		if _, err := g.Run(t.Context(), b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
		g.Close()
	}
}

func TestPrepareHonoursContext(t *testing.T) {
	b := open(t, Options{Threads: 1})
	ctx, cancel := context.WithCancel(t.Context())
	w := engine.NewWeight("w", engine.F32, 30000, 300, &cancelling{bytes.NewReader(make([]byte, 4*30000*300)), cancel})
	g := engine.NewGraph()
	defer g.Close()
	g.Want(g.Embed(w, g.Ints("ids", []int32{7})))
	if err := g.Prepare(ctx, nil, b); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled preparation gives %v", err)
	}
}

// cancelling is a reader that cancels the run when it is read.
type cancelling struct {
	io.ReaderAt
	cancel func()
}

func (c *cancelling) ReadAt(p []byte, off int64) (int, error) {
	c.cancel()
	return c.ReaderAt.ReadAt(p, off)
}

// Packing never holds a second copy of a weight.
func TestPrepareTakesLittleMemory(t *testing.T) {
	b := open(t, Options{Threads: 2})
	w := randomWeight("w", engine.F32, 4096, 1024) // 16 MiB
	defer w.Release()
	g := engine.NewGraph()
	defer g.Close()
	g.Want(g.Linear(g.Floats("x", 1, make([]float32, 1024)), w, nil, engine.None))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := g.Prepare(t.Context(), nil, b); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 2<<20 {
		t.Errorf("packing 16 MiB took %d bytes of the heap", n)
	}
}

// BenchmarkPrepare packs the weights of a model of MiniLM's size.
func BenchmarkPrepare(b *testing.B) {
	for _, d := range []engine.DType{engine.F32, engine.F16} {
		b.Run(fmt.Sprint(d), func(b *testing.B) {
			backend, e := open(b, Options{Threads: *benchThreads}), miniLM(d)
			e.words = randomWeight("words", d, 30522, e.hidden)
			g := engine.NewGraph()
			defer g.Close()
			e.record(g, 3)
			for b.Loop() {
				if err := g.Prepare(context.Background(), nil, backend); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				for _, op := range g.Ops() {
					for _, s := range op.Src {
						if s != nil {
							s.Release()
						}
					}
				}
				b.StartTimer()
			}
		})
	}
}
