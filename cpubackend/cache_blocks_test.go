package cpubackend

import (
	"errors"
	"slices"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// Attention over caches that were copied block by block has the same bits as over
// the originals, also on a backend with another number of threads.
func TestCacheBlocks(t *testing.T) {
	for _, d := range []engine.DType{engine.F32, engine.F16, engine.Q8_0} {
		s := newPassage(heads(4, 2), 32, d, 45, 1)
		one, two := open(t, Options{Threads: 1}), open(t, Options{Threads: 2})
		pass := func(keys, values *engine.Tensor, past, n int, b engine.Backend) ([]float32, engine.CacheBlocks) {
			g := engine.NewGraph()
			defer g.Close()
			y := g.Want(s.record(g, keys, values, past, n))
			if _, err := g.Run(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			v, err := g.Result(y)
			if err != nil {
				t.Fatal(err)
			}
			blocks, err := g.CacheBlocks(b)
			if err != nil {
				t.Fatal(err)
			}
			return slices.Clone(v), blocks
		}
		caches := func() (keys, values *engine.Tensor) {
			keys, values = engine.NewCache("keys", d, 70, 64), engine.NewCache("values", d, 70, 64)
			t.Cleanup(func() {
				if err := errors.Join(keys.Release(), values.Release()); err != nil {
					t.Error(err)
				}
			})
			return keys, values
		}
		keys, values := caches()
		_, from := pass(keys, values, 0, 45, one)
		copiedKeys, copiedValues := caches()
		_, to := pass(copiedKeys, copiedValues, 0, 1, engine.NewGuard(two)) // something else is there
		if from.Form != to.Form || from.Count != 2 || from.Bytes != 2*engine.CacheBlock*d.RowBytes(64) {
			t.Errorf("%s: %d blocks of %d bytes, %q and %q", d, from.Count, from.Bytes, from.Form, to.Form)
		}
		data := make([]byte, from.Bytes)
		for i := range from.Count {
			if err := errors.Join(from.Read(i, data), to.Write(i, data)); err != nil {
				t.Fatal(err)
			}
		}
		want, _ := pass(keys, values, 45, 1, one)
		if got, _ := pass(copiedKeys, copiedValues, 45, 1, two); !slices.Equal(got, want) {
			t.Errorf("%s: caches that were copied give other numbers", d)
		}
	}
	g := engine.NewGraph()
	defer g.Close()
	s := newPassage(heads(4, 2), 32, engine.F32, 1)
	g.Want(s.record(g, engine.NewCache("keys", engine.F32, 4, 64), engine.NewCache("values", engine.F32, 4, 64), 0, 1))
	if _, err := g.CacheBlocks(&enginetest.ReferenceBackend{}); !errors.Is(err, engine.ErrCacheStays) {
		t.Errorf("of a backend that keeps its caches to itself: %v", err)
	}
}
