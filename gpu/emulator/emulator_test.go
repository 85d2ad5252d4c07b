package emulator

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/gpu"
)

func opened(t *testing.T) *Emulator {
	t.Helper()
	e, err := Open("")
	if errors.Is(err, ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// memory holds values of 32 bits where kernels can reach them.
func memory[T int32 | uint32 | float32](t *testing.T, e *Emulator, values ...T) []byte {
	t.Helper()
	mem, err := e.Alloc(4 * len(values))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Free(mem); err != nil {
			t.Error(err)
		}
	})
	if _, err := binary.Encode(mem, binary.NativeEndian, values); err != nil {
		t.Fatal(err)
	}
	return mem
}

func floats(b []byte) []float32 {
	values := make([]float32, len(b)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.NativeEndian.Uint32(b[4*i:]))
	}
	return values
}

// norm launches l2_normalize over rows of 100 with several simdgroups, which uses sums
// over lanes, threadgroup memory and a barrier. Buffer 2 is the result.
func norm(t *testing.T, e *Emulator) (l *gpu.Launch, x, y []float32) {
	const rows, columns = 5, 100
	x = make([]float32, rows*columns)
	for i := range x {
		x[i] = float32(i%17) - 7.25
	}
	y = make([]float32, len(x))
	for r := range rows {
		squares := 0.0
		for _, v := range x[r*columns:][:columns] {
			squares += float64(v) * float64(v)
		}
		for i, v := range x[r*columns:][:columns] {
			y[r*columns+i] = float32(float64(v) / math.Sqrt(squares))
		}
	}
	return &gpu.Launch{
		Kernel: "l2_normalize_1", Groups: [3]uint32{rows, 1, 1}, Threads: [3]uint32{96, 1, 1},
		Buffers: [][]byte{binary.NativeEndian.AppendUint32(nil, columns), memory(t, e, x...), memory(t, e, y...)},
		Shared:  []uint32{128},
	}, x, y
}

func TestRun(t *testing.T) {
	e := opened(t)
	l, _, want := norm(t, e)
	var first []float32
	for _, order := range []Order{Forward, Reverse, Shuffled} {
		for _, processors := range []int{1, 2, 8} {
			e.Order, e.Processors = order, processors
			clear(l.Buffers[2])
			if err := e.Run(l); err != nil {
				t.Fatal(err)
			}
			got := floats(l.Buffers[2])
			for i := range want {
				if math.Abs(float64(got[i]-want[i])) > 1e-5 {
					t.Fatalf("order %d, %d processors: element %d is %v, want %v", order, processors, i, got[i], want[i])
				}
				if first != nil && got[i] != first[i] {
					t.Fatalf("order %d, %d processors: element %d differs from the first run", order, processors, i)
				}
			}
			first = got
		}
	}
}

func TestRunRefuses(t *testing.T) {
	e := opened(t)
	for _, c := range []struct {
		name   string
		change func(l *gpu.Launch)
		want   string
	}{
		{"unknown kernel", func(l *gpu.Launch) { l.Kernel = "nothing" }, "nothing: there is no such kernel"},
		{"buffer missing", func(l *gpu.Launch) { l.Buffers = l.Buffers[:2] }, "buffer 2 is not set"},
		{"buffer nil", func(l *gpu.Launch) { l.Buffers[1] = nil }, "buffer 1 is not set"},
		{"no threadgroup memory", func(l *gpu.Launch) { l.Shared = nil }, "threadgroup memory 0 has no length"},
		{"odd threadgroup memory", func(l *gpu.Launch) { l.Shared[0] = 20 }, "no multiple of 16"},
		{"much threadgroup memory", func(l *gpu.Launch) { l.Shared[0] = 32784 }, "32784 bytes of threadgroup memory"},
		{"no threads", func(l *gpu.Launch) { l.Threads[1] = 0 }, "1 to 1024 threads, not 0"},
		{"many threads", func(l *gpu.Launch) { l.Threads[0] = 2000 }, "1 to 1024 threads, not 2000"},
		{"no threadgroups", func(l *gpu.Launch) { l.Groups[2] = 0 }, "empty grid"},
		{"unknown constant", func(l *gpu.Launch) { l.Constants = []gpu.Constant{{Index: 999, Value: 1}} }, "no function constant 999"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, _, _ := norm(t, e)
			c.change(l)
			if err := e.Run(l); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("says %v, want %q in it", err, c.want)
			}
		})
	}
	l, _, want := norm(t, e)
	if err := e.Run(l); err != nil || math.Abs(float64(floats(l.Buffers[2])[1]-want[1])) > 1e-5 {
		t.Errorf("after what was refused: %v", err)
	}
}

func TestMemory(t *testing.T) {
	e := &Emulator{}
	if _, err := e.Alloc(0); err == nil {
		t.Error("0 bytes were given")
	}
	mem, err := e.Alloc(5000)
	if err != nil || len(mem) != 5000 {
		t.Fatal(len(mem), err)
	}
	for _, b := range mem {
		if b != 0 {
			t.Fatal("memory is not zeroed")
		}
	}
	if err := e.Free(mem); err != nil {
		t.Error(err)
	}
	if err := e.Free(make([]byte, 5)); err == nil {
		t.Error("memory was taken back that was not given")
	}
}

func TestFind(t *testing.T) {
	file := filepath.Join(t.TempDir(), "library.so")
	t.Setenv("INGLENOOK_METAL_EMULATOR", file)
	if _, _, err := find(); err == nil || !strings.Contains(err.Error(), "names no file") {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := os.WriteFile(file, []byte("not a library"), 0o600); err != nil {
		t.Fatal(err)
	}
	if path, beside, err := find(); err != nil || path != file || beside {
		t.Errorf("found %q, %v", path, err)
	}
	e, err := Open("")
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Run(&gpu.Launch{}); err == nil || !strings.Contains(err.Error(), "cannot be opened") {
		t.Errorf("no library: %v", err)
	}
	t.Setenv("INGLENOOK_METAL_ORDER", "sideways")
	if _, err := Open(""); err == nil || !strings.Contains(err.Error(), "sideways") {
		t.Errorf("an unknown order: %v", err)
	}
	t.Setenv("INGLENOOK_METAL_EMULATOR", "")
	t.Chdir(t.TempDir())
	if _, err := Open(file + "x"); err == nil {
		t.Error("a missing library was opened")
	}
	if _, _, err := find(); !errors.Is(err, ErrMissing) {
		t.Errorf("outside of the repository: %v", err)
	}
}

// The emulator knows which kernels it has once it is loaded.
func TestHas(t *testing.T) {
	e := opened(t)
	if err := e.Has("no_such_kernel"); err != nil || e.run != 0 {
		t.Errorf("asking loads it: %v", err)
	}
	if _, err := e.Checks(); err != nil {
		t.Fatal(err)
	}
	if err := e.Has("l2_normalize_4"); err != nil {
		t.Error(err)
	}
	if err := e.Has("no_such_kernel"); err == nil || !strings.Contains(err.Error(), "no_such_kernel") {
		t.Errorf("the error is %v", err)
	}
}

// A lax emulator flushes denormals of float, and its reductions pass over NaN.
func TestLax(t *testing.T) {
	e := opened(t)
	values := []float32{1e-39, 1e-37, float32(math.NaN()), 3}
	for _, c := range []struct {
		lax   bool
		first float32
		norms bool // of a row with a NaN, that a NaN reaches the others
	}{{false, 1e-39, true}, {true, 0, false}} {
		e.Lax = c.lax
		x, y := memory(t, e, values...), memory(t, e, make([]float32, 4)...)
		args := make([]byte, 8)
		binary.NativeEndian.PutUint32(args, 4)
		binary.NativeEndian.PutUint32(args[4:], math.Float32bits(1))
		if err := e.Run(&gpu.Launch{Kernel: "scale", Groups: [3]uint32{1, 1, 1}, Threads: [3]uint32{32, 1, 1}, Buffers: [][]byte{args, x, y}}); err != nil {
			t.Fatal(err)
		}
		if got := floats(y); got[0] != c.first || got[1] != values[1] || got[2] == got[2] || got[3] != 3 {
			t.Errorf("lax %v: %v became %v", c.lax, values, got)
		}
		l, in, _ := norm(t, e)
		in[0] = float32(math.NaN())
		l.Buffers[1] = memory(t, e, in...)
		if err := e.Run(l); err != nil {
			t.Fatal(err)
		}
		if got := floats(l.Buffers[2]); got[0] == got[0] || (got[1] != got[1]) != c.norms {
			t.Errorf("lax %v: the norm of a row with a NaN begins with %v", c.lax, got[:2])
		}
	}
}
