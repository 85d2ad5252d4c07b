package cpubackend

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"inglenook/engine"
)

// A cache takes memory for the rows that were written, not for its capacity.
func TestCacheTakesMemoryAsItFills(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("what is in memory is read from /proc")
	}
	b := open(t, Options{Threads: 2})
	const capacity, cols = 1 << 17, 512
	keys := engine.NewCache("keys", engine.F16, capacity, cols)
	values := engine.NewCache("values", engine.F16, capacity, cols)
	defer keys.Release()
	defer values.Release()
	s := newPassage(heads(8, 8), cols/8, engine.F16, 3, 1)
	before := resident(t)
	past := 0
	for _, n := range s.chunks {
		g := engine.NewGraph()
		g.Want(s.record(g, keys, values, past, n))
		if _, err := g.Run(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		g.Close()
		past += n
	}
	if grown := resident(t) - before; grown > 16<<20 {
		t.Errorf("4 rows in caches of %d take %d bytes of memory", capacity, grown)
	}
}

// resident returns how many bytes of this process are in memory.
func resident(t *testing.T) int {
	t.Helper()
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	pages := 0
	for _, digit := range strings.Fields(string(statm))[1] {
		pages = 10*pages + int(digit-'0')
	}
	return pages * os.Getpagesize()
}

// After a cache was cut back and written again, its earlier values change no result.
func TestCacheCutBack(t *testing.T) {
	for _, d := range []engine.DType{engine.F32, engine.F16, engine.Q8_0} {
		for _, isa := range ISAs() {
			b := open(t, Options{ISA: isa, Threads: 2})
			s := newPassage(heads(4, 2), 32, d, 40, 1, 30)
			keys := engine.NewCache("keys", d, 80, 64)
			values := engine.NewCache("values", d, 80, 64)
			run := func(s *passage, past, n int) []float32 {
				g := engine.NewGraph()
				defer g.Close()
				out := g.Want(s.record(g, keys, values, past, n))
				if _, err := g.Run(t.Context(), b); err != nil {
					t.Fatal(err)
				}
				v, _ := g.Result(out)
				return v
			}
			run(s, 0, 40)
			want := run(s, 40, 1)
			spoilt := newPassage(heads(4, 2), 32, d, 71)
			for i := range spoilt.k {
				spoilt.k[i] *= float32(i%3) / float32(i%2) // infinite, NaN, or 0
				spoilt.v[i] = spoilt.k[i]
			}
			run(spoilt, 40, 31)
			if got := run(s, 40, 1); !slices.Equal(got, want) {
				t.Errorf("%s %s: rows that were cut off still count", isa, d)
			}
			keys.Release()
			values.Release()
		}
	}
}
