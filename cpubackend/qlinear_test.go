package cpubackend

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/engine/quant"
)

// blockTypes are the types whose elements share scales.
func blockTypes() (ds []engine.DType) {
	for _, d := range engine.WeightTypes() {
		if d.Quantized() {
			ds = append(ds, d)
		}
	}
	return ds
}

// randomBlocks makes a weight of a block type out of random bits, in which every
// level and every nested scale occurs, and returns its values as well.
func randomBlocks(t *testing.T, name string, d engine.DType, rows, cols int) (*engine.Tensor, []float32) {
	t.Helper()
	w := enginetest.RandomBits(name, d, rows, cols, uint64(d)+uint64(len(name)))
	data := make([]byte, w.Bytes())
	if err := w.ReadRows(data, 0); err != nil {
		t.Fatal(err)
	}
	values := make([]float32, rows*cols)
	quant.Dequantize(d, data, values)
	return w, values
}

// Linear with every block type, many shapes and numbers of rows, against the
// dequantized weights in float64.
func TestLinearBlocks(t *testing.T) {
	for _, isa := range ISAs() {
		b := open(t, Options{ISA: isa, Threads: 2})
		for _, d := range blockTypes() {
			for _, s := range []struct{ in, out int }{{256, 9}, {256, 16}, {512, 37}, {1024, 70}, {2816, 33}} {
				w, values := randomBlocks(t, "w", d, s.out, s.in)
				for _, rows := range []int{1, 2, 5, 6, 7, 13, 40} {
					x := randomFloats(rows * s.in)
					got := linear(t, b, w, rows, x)
					if e := squaredError(got, product(x, values, rows, s.in, s.out)); e > 5e-4 {
						t.Errorf("%s %s %dx%d to %d: normalized squared error %.2g", isa, d, rows, s.in, s.out, e)
					}
				}
				w.Release()
			}
		}
	}
}

// Each row of a product is the same to the bit alone and among any number of others, with
// every block type: one row, a few and many are multiplied by different loops.
func TestRowAloneEqualsRowAmongOthers(t *testing.T) {
	const in, out, most = 768, 70, 14
	for _, isa := range ISAs() {
		b := open(t, Options{ISA: isa, Threads: 2})
		for _, d := range blockTypes() {
			w, _ := randomBlocks(t, "w", d, out, in)
			x := randomFloats(most * in)
			alone := make([]float32, 0, most*out)
			for r := range most {
				alone = append(alone, linear(t, b, w, 1, x[r*in:][:in])...)
			}
			for rows := 2; rows <= most; rows++ {
				if got := linear(t, b, w, rows, x[:rows*in]); !slices.Equal(got, alone[:rows*out]) {
					t.Errorf("%s %s: of %d rows one differs from what it is alone", isa, d, rows)
				}
			}
			w.Release()
		}
	}
}

// Products of matrices of bytes have the same bits as dot products of bytes, with every block
// type, an odd and an even number of rows, and values of x that stand out.
func TestMatricesOfBytesEqualDotProducts(t *testing.T) {
	if !slices.Contains(ISAs(), "i8mm") {
		t.Skip("this machine has no products of matrices of bytes")
	}
	const in, out, most = 768, 70, 13
	dots, matrices := open(t, Options{ISA: "dotprod", Threads: 2}), open(t, Options{ISA: "i8mm", Threads: 2})
	x := randomFloats(most * in)
	for i := range x {
		if i%67 == 5 {
			x[i] *= 40
		}
	}
	for _, d := range blockTypes() {
		w, _ := randomBlocks(t, "w", d, out, in)
		for _, rows := range []int{1, 2, 3, 6, most} {
			if !slices.Equal(linear(t, matrices, w, rows, x[:rows*in]), linear(t, dots, w, rows, x[:rows*in])) {
				t.Errorf("%s: results for %d rows differ", d, rows)
			}
		}
		w.Release()
	}
}

// A few rows of one expert are multiplied together, also where its matrix is so wide, and
// the rows of an expert so few on average, that they would be split.
func TestFewRowsOfAWideExpert(t *testing.T) {
	const experts, chosen, in, out, rows = 8, 3, 256, 6000, fewRows
	logits := make([]float32, rows*experts)
	for r := range rows {
		logits[r*experts+chosen] = 1
	}
	x := randomFloats(rows * in)
	for _, isa := range ISAs() {
		b := open(t, Options{ISA: isa, Threads: 1})
		alone := b
		if b.inTiles() { // experts do not use them
			alone = open(t, Options{ISA: "avx512vnni", Threads: 1})
		}
		for _, d := range []engine.DType{engine.Q4_K, engine.Q8_0} {
			data := make([]byte, experts*out*d.RowBytes(in))
			if err := enginetest.RandomBits("w", d, experts*out, in, 5).ReadRows(data, 0); err != nil {
				t.Fatal(err)
			}
			stack := engine.NewStack("stack", d, experts, out, in, bytes.NewReader(data))
			one := engine.NewWeight("one", d, out, in, bytes.NewReader(data[chosen*out*d.RowBytes(in):]))
			g := engine.NewGraph()
			routes := g.Route(g.Floats("logits", rows, logits), nil, nil, engine.RouteParams{TopK: 1})
			got := g.Want(g.Experts(g.Floats("x", rows, x), routes, stack, nil))
			if _, err := g.Run(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			if v, err := g.Result(got); err != nil || !slices.Equal(v, linear(t, alone, one, rows, x)) {
				t.Errorf("%s %s: the rows of an expert differ from those of a Linear (%v)", isa, d, err)
			}
			g.Close()
			stack.Release()
			one.Release()
		}
	}
}

// A value fifty times larger than its neighbours costs them no precision with weights of
// 8 bits. LayerNorm leaves such values in the same few columns of every row.
func TestOutlierLeavesItsNeighbours(t *testing.T) {
	const in, out, outlier = 384, 40, 50
	values := randomFloats(in * out)
	for i := range values {
		if i%in%32 == i%in/32 { // another place in each run: the outlier's own products are 0
			values[i] = 0
		}
	}
	data := make([]byte, engine.Q8_0.RowBytes(len(values)))
	quant.Quantize(engine.Q8_0, values, data)
	quant.Dequantize(engine.Q8_0, data, values)
	for _, isa := range ISAs() {
		b := open(t, Options{ISA: isa, Threads: 2})
		for _, rows := range []int{1, 5, 13} {
			w := engine.NewWeight("w", engine.Q8_0, out, in, bytes.NewReader(data))
			x := randomFloats(rows * in)
			for i := range x {
				if i%in%32 == i%in/32 {
					x[i] = outlier
				}
			}
			got := linear(t, b, w, rows, x)
			if e := squaredError(got, product(x, values, rows, in, out)); e > 1e-4 {
				t.Errorf("%s, %d rows: normalized squared error %.2g", isa, rows, e)
			}
			w.Release()
		}
	}
}

// linear computes x·wᵀ on a backend.
func linear(t testing.TB, b *Backend, w *engine.Tensor, rows int, x []float32) []float32 {
	t.Helper()
	g := engine.NewGraph()
	defer g.Close()
	out := g.Want(g.Linear(g.Floats("x", rows, x), w, nil, engine.None))
	if _, err := g.Run(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	v, err := g.Result(out)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// product computes x·wᵀ in float64.
func product(x, w []float32, rows, in, out int) []float64 {
	y := make([]float64, rows*out)
	for r := range rows {
		for o := range out {
			for k, v := range x[r*in:][:in] {
				y[r*out+o] += float64(v) * float64(w[o*in+k])
			}
		}
	}
	return y
}

// squaredError returns |got-want|²/|want|².
func squaredError(got []float32, want []float64) float64 {
	var off, all float64
	for i, v := range want {
		off += (float64(got[i]) - v) * (float64(got[i]) - v)
		all += v * v
	}
	if math.IsNaN(off) {
		return math.Inf(1)
	}
	return off / all
}

// A table that both Embed and Linear use is in memory once, whatever its type.
func TestTiedTableIsInMemoryOnce(t *testing.T) {
	const rows, cols = 70, 512
	ids := []int32{69, 0, 17, 17}
	for _, isa := range ISAs() {
		b := open(t, Options{ISA: isa, Threads: 2})
		for _, d := range engine.WeightTypes() {
			w, values := anyWeight(t, "w", d, rows, cols)
			g := engine.NewGraph()
			x := g.Want(g.Embed(w, g.Ints("ids", ids)))
			g.Want(g.Linear(x, w, nil, engine.None))
			if err := g.Prepare(t.Context(), nil, b); err != nil {
				t.Fatal(err)
			}
			if w.Holds(layout{b, asRows}) {
				t.Errorf("%s %s: the table is in memory twice", isa, d)
			}
			if _, err := g.Run(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			got, _ := g.Result(x)
			for i, id := range ids {
				if !slices.Equal(got[i*cols:][:cols], values[int(id)*cols:][:cols]) {
					t.Errorf("%s %s: row %d of the table is wrong", isa, d, id)
				}
			}
			g.Close()
			w.Release()
		}
	}
}

// anyWeight makes a weight of any type and returns it with its values.
func anyWeight(t *testing.T, name string, d engine.DType, rows, cols int) (*engine.Tensor, []float32) {
	if d.Quantized() {
		return randomBlocks(t, name, d, rows, cols)
	}
	w := randomWeight(name, d, rows, cols)
	data, values := make([]byte, w.Bytes()), make([]float32, w.Len())
	w.Source().ReadAt(data, 0)
	quant.Dequantize(d, data, values)
	return w, values
}
