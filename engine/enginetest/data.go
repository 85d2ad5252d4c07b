package enginetest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"inglenook/engine"
	"inglenook/engine/quant"
)

// Random returns n values of a standard normal distribution; equal seeds give
// equal values.
func Random(seed uint64, n int) []float32 {
	r := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

// Weight makes a weight [rows, cols] whose data are the values rounded to the
// type, quantized where it is a block type.
func Weight(name string, d engine.DType, rows, cols int, values []float32) *engine.Tensor {
	if len(values) != rows*cols {
		panic(fmt.Sprintf("enginetest: %d values for weight %s [%d %d]", len(values), name, rows, cols))
	}
	return engine.NewWeight(name, d, rows, cols, bytes.NewReader(encode(d, values)))
}

// RandomWeight makes a weight with entries of the given standard deviation.
func RandomWeight(name string, d engine.DType, rows, cols int, deviation float32, seed uint64) *engine.Tensor {
	values := Random(seed, rows*cols)
	for i := range values {
		values[i] *= deviation
	}
	if some := 31 * d.Block(); quant.Grid(d) != nil && some < len(values) {
		// Blocks repeat: finding the vectors of each takes long.
		data, pool := make([]byte, rows*d.RowBytes(cols)), encode(d, values[:some])
		for n := 0; n < len(data); {
			n += copy(data[n:], pool)
		}
		return engine.NewWeight(name, d, rows, cols, bytes.NewReader(data))
	}
	return Weight(name, d, rows, cols, values)
}

// RandomBits makes a quantized weight of random blocks, in which levels and
// inner scales take every value that their bits allow. Entries are of the order
// of 1/√cols.
func RandomBits(name string, d engine.DType, rows, cols int, seed uint64) *engine.Tensor {
	r := rand.New(rand.NewPCG(seed, 2))
	data := make([]byte, rows*d.RowBytes(cols))
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	at := scalesAt[d]
	if d == engine.MXFP4 { // scales are exponents
		for b := 0; b < len(data); b += d.BlockBytes() {
			data[b] = 118 + data[b]%8
		}
	}
	for b := 0; b < len(data); b += d.BlockBytes() {
		for i, offset := range at.offsets {
			v := at.size * (0.5 + r.Float64()) / math.Sqrt(float64(cols))
			if i == 0 && r.Uint32()&1 == 0 {
				v = -v
			}
			binary.LittleEndian.PutUint16(data[b+offset:], engine.F32ToF16(float32(v)))
		}
	}
	return engine.NewWeight(name, d, rows, cols, bytes.NewReader(data))
}

// scalesAt lists where the blocks of a type hold binary16 numbers, and their
// magnitude for block values of the order of 1.
var scalesAt = map[engine.DType]struct {
	offsets []int
	size    float64
}{
	engine.Q4_0: {[]int{0}, 0.2}, engine.Q4_1: {[]int{0, 2}, 0.1}, engine.Q5_0: {[]int{0}, 0.1}, engine.Q5_1: {[]int{0, 2}, 0.05},
	engine.Q8_0: {[]int{0}, 0.015}, engine.Q2_K: {[]int{80, 82}, 0.06}, engine.Q3_K: {[]int{108}, 0.025},
	engine.Q4_K: {[]int{0, 2}, 0.004}, engine.Q5_K: {[]int{0, 2}, 0.002}, engine.Q6_K: {[]int{208}, 0.0008},
	engine.IQ4_NL: {[]int{0}, 0.015}, engine.IQ4_XS: {[]int{0}, 0.0008},
	engine.IQ2_XXS: {[]int{0}, 0.02}, engine.IQ2_XS: {[]int{0}, 0.02}, engine.IQ2_S: {[]int{0}, 0.02}, engine.IQ3_XXS: {[]int{0}, 0.008}, engine.IQ3_S: {[]int{0}, 0.008},
}

// encode writes values as a checkpoint does: little-endian, or in blocks.
func encode(d engine.DType, values []float32) []byte {
	data := make([]byte, d.RowBytes(len(values)))
	quant.Quantize(d, values, data)
	return data
}

// weightValues reads a weight in float64.
func weightValues(w *engine.Tensor) (Matrix, error) {
	if w.Source() == nil {
		return Matrix{}, fmt.Errorf("weight %s has no data", w.Name)
	}
	data := make([]byte, w.Bytes())
	if n, err := w.Source().ReadAt(data, 0); n < len(data) {
		return Matrix{}, fmt.Errorf("weight %s: %w", w.Name, err)
	}
	return storedValues(w, data), nil
}

// storedValues reads the bytes of a weight or a cache in float64.
func storedValues(t *engine.Tensor, data []byte) Matrix {
	values := make([]float32, t.Len())
	quant.Dequantize(t.DType, data, values)
	m := NewMatrix(t.Rows, t.Cols)
	for i, v := range values {
		m.Values[i] = float64(v)
	}
	return m
}

// activationValues reads an input's or an arena's bytes (native order) in float64.
func activationValues(t *engine.Tensor, data []byte) Matrix {
	m := NewMatrix(t.Rows, t.Cols)
	for i := range m.Values {
		bits := binary.NativeEndian.Uint32(data[4*i:])
		if t.DType == engine.I32 {
			m.Values[i] = float64(int32(bits))
		} else {
			m.Values[i] = float64(math.Float32frombits(bits))
		}
	}
	return m
}

// Evaluate computes a recorded graph in float64 throughout, from the same
// rounded weights and inputs that a backend gets. Caches start empty and round
// what they store.
func Evaluate(g *engine.Graph) (map[*engine.Tensor]Matrix, error) {
	if err := g.Err(); err != nil {
		return nil, err
	}
	values := map[*engine.Tensor]Matrix{}
	for _, op := range g.Ops() {
		in := make([]Matrix, len(op.Src))
		for i, s := range op.Src {
			if s == nil {
				continue
			}
			if _, known := values[s]; !known {
				m, err := leaf(s)
				if err != nil {
					return nil, err
				}
				values[s] = m
			}
			in[i] = values[s]
		}
		values[op] = Reference(op, in)
	}
	return values, nil
}

// leaf reads a weight or an input, or makes an empty cache.
func leaf(t *engine.Tensor) (Matrix, error) {
	switch t.Op {
	case engine.OpWeight:
		return weightValues(t)
	case engine.OpCache:
		return NewMatrix(t.Rows, t.Cols), nil
	}
	return activationValues(t, t.InputBytes()), nil
}

// Difference returns max|a − b| / RMS(b): the distance of a result from its
// reference. It is infinite if a holds a NaN, or if the reference is all zero
// and a is not.
func Difference(a []float32, b []float64) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	largest, squares := 0.0, 0.0
	for i, v := range a {
		d := math.Abs(float64(v) - b[i])
		if math.IsNaN(d) {
			return math.Inf(1)
		}
		largest = max(largest, d)
		squares += b[i] * b[i]
	}
	if largest == 0 {
		return 0
	}
	return largest / math.Sqrt(squares/float64(len(b)))
}

// NMSE returns the normalized mean squared error Σ(a − b)² / Σb². If rows are
// long enough for that to be meaningful, it is the error of the worst row.
// Otherwise it is that of all values together, where a Σb² below least counts
// as least. NMSE is infinite where Difference is.
func NMSE(a []float32, b []float64, cols int, least float64) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	stretch := cols
	if cols < 32 {
		stretch = len(b)
	} else {
		least = 0
	}
	worst := 0.0
	for at := 0; at < len(b); at += stretch {
		errors, squares := 0.0, 0.0
		for i := at; i < at+stretch; i++ {
			e := float64(a[i]) - b[i]
			errors += e * e
			squares += b[i] * b[i]
		}
		squares = max(squares, least)
		switch {
		case errors == 0:
		case squares == 0 || math.IsNaN(errors):
			return math.Inf(1)
		default:
			worst = max(worst, errors/squares)
		}
	}
	return worst
}

// productEnergy returns the expected Σy² of a product of unrelated matrices, 0
// for other operations. The few values of a result can by chance cancel out to
// less, while the errors of its operands do not.
func productEnergy(op *engine.Tensor, values map[*engine.Tensor]Matrix) float64 {
	switch op.Op {
	case engine.OpLinear:
		x, w := values[op.Src[0]], values[op.Src[1]]
		return dot(x.Values, x.Values) * dot(w.Values, w.Values) / float64(x.Cols)
	case engine.OpExperts:
		x, w := values[op.Src[0]], values[op.Src[2]]
		slots := 1 // that read each value of x
		if x.Cols == w.Cols {
			slots = op.Src[1].Cols / 2
		}
		return float64(slots) * dot(x.Values, x.Values) * dot(w.Values, w.Values) / float64(op.Src[2].Parts*w.Cols)
	}
	return 0
}
