package cpubackend

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"inglenook/engine"
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

// randomBlocks makes a weight of a block type out of random bytes with scales
// of ordinary size: every level and every nested scale occurs. It gives the
// values, too.
func randomBlocks(name string, d engine.DType, rows, cols int) (*engine.Tensor, []float32) {
	r := rand.New(rand.NewPCG(uint64(d), uint64(len(name))))
	data := make([]byte, rows*d.RowBytes(cols))
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	for b := data; len(b) > 0; b = b[d.BlockBytes():] {
		for _, at := range scalesAt[d] { // f16 between 2^-8 and 2^-7, of either sign
			b[at+1] = b[at+1]&0x83 | 7<<2
		}
	}
	values := make([]float32, rows*cols)
	quant.Dequantize(d, data, values)
	return engine.NewWeight(name, d, rows, cols, bytes.NewReader(data)), values
}

// scalesAt says where in a block the f16 are.
var scalesAt = map[engine.DType][]int{
	engine.Q4_0: {0}, engine.Q4_1: {0, 2}, engine.Q5_0: {0}, engine.Q5_1: {0, 2}, engine.Q8_0: {0},
	engine.Q2_K: {80, 82}, engine.Q3_K: {108}, engine.Q4_K: {0, 2}, engine.Q5_K: {0, 2}, engine.Q6_K: {208},
	engine.IQ4_NL: {0}, engine.IQ4_XS: {0},
}

// Linear with every block type, many shapes and numbers of rows, against the
// dequantized weights in float64.
func TestLinearBlocks(t *testing.T) {
	for _, isa := range ISAs() {
		b := open(t, Options{ISA: isa, Threads: 2})
		for _, d := range blockTypes() {
			for _, s := range []struct{ in, out int }{{256, 9}, {256, 16}, {512, 37}, {1024, 70}, {2816, 33}} {
				w, values := randomBlocks("w", d, s.out, s.in)
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

// linear runs x·wᵀ.
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

// product is x·wᵀ in float64.
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

// squaredError is |got-want|²/|want|².
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

// A table that Linear uses, too, is in memory once, whatever its type.
func TestTiedTableIsInMemoryOnce(t *testing.T) {
	const rows, cols = 70, 512
	ids := []int32{69, 0, 17, 17}
	for _, isa := range ISAs() {
		b := open(t, Options{ISA: isa, Threads: 2})
		for _, d := range engine.WeightTypes() {
			w, values := anyWeight("w", d, rows, cols)
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

// anyWeight makes a weight of any type with its values.
func anyWeight(name string, d engine.DType, rows, cols int) (*engine.Tensor, []float32) {
	if d.Quantized() {
		return randomBlocks(name, d, rows, cols)
	}
	w := randomWeight(name, d, rows, cols)
	data, values := make([]byte, w.Bytes()), make([]float32, w.Len())
	w.Source().ReadAt(data, 0)
	quant.Dequantize(d, data, values)
	return w, values
}
