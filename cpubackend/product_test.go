package cpubackend

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ebitengine/purego"

	"inglenook/cpubackend/blas"
	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// library compiles testdata/product.c as a library.
func library(t *testing.T, flags ...string) string {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("there is no C compiler to make a library with")
	}
	path := filepath.Join(t.TempDir(), "libproduct.so")
	out, err := exec.Command(cc, append([]string{"-shared", "-fPIC", "-O3", "-o", path, "testdata/product.c"}, flags...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// libraries are the one of the tests and, where there is one, a real one: that of a Mac, the
// one that INGLENOOK_BLAS names, or OpenBLAS.
func libraries(t *testing.T) []string {
	t.Helper()
	list := []string{library(t), library(t, "-DPLACE")}
	real, err := blas.Open()
	switch {
	case err != nil:
		t.Error(err)
	case real != nil && os.Getenv(blas.Variable) != "":
		list = append(list, os.Getenv(blas.Variable))
	case real != nil:
		list = append(list, "")
	default:
		const usual = "libopenblas.so.0"
		lib, err := purego.Dlopen(usual, purego.RTLD_NOW|purego.RTLD_LOCAL)
		if err != nil {
			t.Logf("no real library is tested: %s names none, and there is no %s", blas.Variable, usual)
			break
		}
		if err := purego.Dlclose(lib); err != nil {
			t.Error(err)
		}
		list = append(list, usual)
	}
	return list
}

// multiplying opens a backend whose products come from a library.
func multiplying(t *testing.T, path string, o Options) *Backend {
	t.Helper()
	t.Setenv(blas.Variable, path)
	b := open(t, o)
	if b.product == 0 {
		t.Fatalf("%s: products %s", path, b.Device().Products)
	}
	return b
}

// TestLibrary: with the products of a library, operations pass the tests that all of them
// pass. A text has the same bits alone and among others, or nearly the same where the library
// is said not to do so, and the same with any number of threads. And they are used at all.
func TestLibrary(t *testing.T) {
	lengths := []int{1, 5, 33, 64, 65, 130}
	for i, path := range libraries(t) {
		one := multiplying(t, path, Options{Threads: 1})
		if uneven := strings.Contains(one.Device().Products, "last digits"); i < 2 && uneven != (i == 1) {
			t.Errorf("%s: products %s", path, one.Device().Products)
		}
		enginetest.RunSome(t, 40, one)
		for _, isa := range ISAs() {
			b, many := multiplying(t, path, Options{Threads: 1, ISA: isa}), multiplying(t, path, Options{Threads: 3, ISA: isa})
			uneven := strings.Contains(b.Device().Products, "last digits")
			t.Setenv(blas.Variable, "off")
			without := open(t, Options{ISA: isa})
			for _, d := range []engine.DType{engine.F32, engine.F16, engine.BF16, engine.Q8_0} {
				e := newEncoder(d, 2, 96, 192, 3)
				for _, batch := range batches(lengths) {
					shared := embed(t, many, e, batch...)
					for i, among := range embed(t, b, e, batch...) {
						if alone := embed(t, b, e, batch[i])[0]; !uneven && !slices.Equal(alone, among) || !alike(alone, among) {
							t.Errorf("%s, %s %s: a text of %d tokens differs in a batch", path, isa, d, batch[i])
						}
						if !slices.Equal(among, shared[i]) {
							t.Errorf("%s, %s %s: a text of %d tokens differs with three threads", path, isa, d, batch[i])
						}
					}
				}
				if same := slices.Equal(embed(t, without, e, 40)[0], embed(t, b, e, 40)[0]); same != d.Quantized() {
					t.Errorf("%s, %s %s: the same bits as the program's own products: %v", path, isa, d, same)
				}
			}
		}
	}
}

// alike reports whether vectors of a model are the same but for rounding.
func alike(a, b []float32) bool {
	want := make([]float64, len(b))
	for i, v := range b {
		want[i] = float64(v)
	}
	return enginetest.Difference(a, want) <= 1e-5
}

// TestLibraryRefused: a library whose products are wrong or missing is not used, nor is a file that is none. The device says why.
func TestLibraryRefused(t *testing.T) {
	text := filepath.Join(t.TempDir(), "libtext.so")
	if err := os.WriteFile(text, []byte("not a library"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		library(t, "-DWRONG"):              "libproduct is not used: its products are wrong",
		library(t, "-DNONE"):               "libproduct has no cblas_sgemm",
		text:                               "libtext cannot be opened",
		filepath.Join(t.TempDir(), "none"): "none cannot be opened",
	} {
		t.Setenv(blas.Variable, path)
		b := open(t, Options{})
		if got := b.Device().Products; b.product != 0 || !strings.HasPrefix(got, "by this program, because "+want) {
			t.Errorf("products %s, want %q", got, want)
		}
		if v := embed(t, b, newEncoder(engine.F32, 1, 96, 192, 3), 40); len(v) != 1 {
			t.Errorf("%d vectors", len(v))
		}
	}
}

// TestFromRows: where a text is written, only many rows of one text go to the library, so
// that what else is written beside it changes nothing.
func TestFromRows(t *testing.T) {
	b := multiplying(t, library(t), Options{})
	record := func(texts int) []*engine.Tensor {
		g := engine.NewGraph()
		for layer := range 2 {
			g.Layer(layer + 1)
			for range texts {
				x := g.Floats("x", 40, make([]float32, 40*64))
				keys, values := engine.NewCache("keys", engine.F32, 64, 64), engine.NewCache("values", engine.F32, 64, 64)
				g.CausalAttention(x, x, x, keys, values, g.Ints("past", []int32{0}), engine.CausalAttentionParams{Heads: 1, KVHeads: 1, Scale: 1})
			}
		}
		if err := g.Err(); err != nil {
			t.Fatal(err)
		}
		return g.Ops()
	}
	if one, two, none := b.fromRows(record(1)), b.fromRows(record(2)), b.fromRows(nil); one != manyRows || two < 1<<30 || none != 1 {
		t.Errorf("from %d rows on with one text, %d with two, %d without caches", one, two, none)
	}
	t.Setenv(blas.Variable, "off")
	for _, isa := range ISAs() {
		b := open(t, Options{ISA: isa})
		if n := b.fromRows(nil); (n < 1<<30) != b.inTiles() {
			t.Errorf("%s without a library: from %d rows on", isa, n)
		}
	}
}
