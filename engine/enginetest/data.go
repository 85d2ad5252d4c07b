package enginetest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"inglenook/engine"
)

// Random gives n values of a standard normal distribution; equal seeds give
// equal values.
func Random(seed uint64, n int) []float32 {
	r := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

// Weight makes a weight [rows, cols] whose data are the values rounded to the type.
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
	return Weight(name, d, rows, cols, values)
}

// encode writes values as a checkpoint does: little-endian.
func encode(d engine.DType, values []float32) []byte {
	data := make([]byte, 0, d.RowBytes(len(values)))
	for _, v := range values {
		switch d {
		case engine.F32:
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		case engine.F16:
			data = binary.LittleEndian.AppendUint16(data, engine.F32ToF16(v))
		case engine.BF16:
			data = binary.LittleEndian.AppendUint16(data, engine.F32ToBF16(v))
		}
	}
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
	m := NewMatrix(w.Rows, w.Cols)
	for i := range m.Values {
		switch w.DType {
		case engine.F32:
			m.Values[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
		case engine.F16:
			m.Values[i] = float64(engine.F16ToF32(binary.LittleEndian.Uint16(data[2*i:])))
		case engine.BF16:
			m.Values[i] = float64(engine.BF16ToF32(binary.LittleEndian.Uint16(data[2*i:])))
		}
	}
	return m, nil
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
// rounded weights and inputs that a backend gets.
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

// leaf reads a weight or an input.
func leaf(t *engine.Tensor) (Matrix, error) {
	if t.Op == engine.OpWeight {
		return weightValues(t)
	}
	return activationValues(t, t.InputBytes()), nil
}

// Difference is max|a − b| / RMS(b): how far a result is from its reference.
// It is infinite where a holds a NaN or the reference is all zero and a is not.
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
