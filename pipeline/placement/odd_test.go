package placement

import (
	"math"
	"strings"
	"testing"

	"inglenook/cpubackend"
	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// TestRoomToProve: a device is not checked against the CPU if the model does not fit in
// the CPU's memory.
func TestRoomToProve(t *testing.T) {
	cpu, err := cpubackend.New(cpubackend.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer cpu.Close()
	bs := []engine.Backend{&enginetest.Faulty{Backend: cpu}, cpu}
	half := int64(bs[1].Device().MemoryBytes / 2)
	for _, c := range []struct {
		free, bytes int64 // 0 free: unknown
		room        bool
	}{{1000, 1000, true}, {1000, 1001, false}, {0, half, true}, {0, half + 1, false}} {
		if s := NewList(bs, func() int64 { return c.free }); s.roomToProve(c.bytes) != c.room {
			t.Errorf("%+v", c)
		}
	}
}

// TestOddity: which numbers count as odd, and which cannot be recognized.
func TestOddity(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		values []float32
		cols   int
		peak   float32
		odd    string
	}{
		{[]float32{1, -2, 3}, 3, 0, ""},
		{[]float32{1, -2, 3}, 3, 4, ""},
		{[]float32{1, nan, 3}, 3, 0, "not finite"},
		{[]float32{1, 2, 3, 4, inf}, 5, 0, "not finite"},
		{[]float32{-inf, 2, 3, 4, 1}, 5, 0, "not finite"},
		{[]float32{0, 0, 0}, 3, 0, "nothing but the number 0"},
		{[]float32{7, 7, 7}, 3, 0, "nothing but the number 7"},
		{[]float32{7, 7, 7}, 1, 0, ""}, // scores of three equal documents
		{[]float32{0, 0}, 1, 0, "nothing but the number 0"},
		{[]float32{1, -2e6}, 2, 0, "as large as 2e+06"},
		{[]float32{1, -500}, 2, 4, "as large as 500"},
		{[]float32{1, -300}, 2, 4, ""}, // a small flip looks like any other value
	} {
		odd := oddity(c.values, c.cols, c.peak)
		if (odd == nil) != (c.odd == "") || odd != nil && !strings.Contains(odd.Error(), c.odd) {
			t.Errorf("%v after %v: %v, want %q", c.values, c.peak, odd, c.odd)
		}
	}
}
