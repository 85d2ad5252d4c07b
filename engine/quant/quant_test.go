package quant

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"inglenook/engine"
)

// blockTypes lists the types that this package's formats define.
func blockTypes() (ds []engine.DType) {
	for _, d := range engine.WeightTypes() {
		if d.Quantized() {
			ds = append(ds, d)
		}
	}
	return ds
}

// read gives a file of testdata.
func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func floats(data []byte) []float32 {
	v := make([]float32, len(data)/4)
	Dequantize(engine.F32, data, v)
	return v
}

// What a block means is said by another implementation; see testdata.
func TestDequantizeAsReference(t *testing.T) {
	for _, d := range blockTypes() {
		want := floats(read(t, d.String()+".values"))
		got := make([]float32, len(want))
		Dequantize(d, read(t, d.String()+".blocks"), got)
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: value %d is %v, want %v", d, i, got[i], want[i])
				break
			}
		}
	}
}

func TestQuantizeAsReference(t *testing.T) {
	values := floats(read(t, "values.f32"))
	for _, d := range []engine.DType{engine.F16, engine.BF16, engine.Q4_0, engine.Q4_1, engine.Q5_0, engine.Q5_1, engine.Q8_0} {
		want := read(t, d.String()+".encoded")
		got := make([]byte, d.RowBytes(len(values)))
		Quantize(d, values, got)
		if !bytes.Equal(got, want) {
			t.Errorf("%s: the bytes differ", d)
		}
	}
}

// Blocks that the package writes come back as they were where a value is
// exactly what a block can hold: packing loses nothing.
func TestZeroAndConstantBlocks(t *testing.T) {
	for _, d := range engine.WeightTypes() {
		if d == engine.I32 {
			continue
		}
		for _, v := range []float32{0, 1, -0.5} {
			x := make([]float32, 512)
			for i := range x {
				x[i] = v
			}
			y := roundTrip(d, x)
			for i := range y {
				if math.Abs(float64(y[i]-v)) > 0.01*math.Abs(float64(v)) {
					t.Errorf("%s: %v comes back as %v", d, v, y[i])
					break
				}
			}
		}
	}
}

func roundTrip(d engine.DType, x []float32) []float32 {
	b := make([]byte, d.RowBytes(len(x)))
	Quantize(d, x, b)
	y := make([]float32, len(x))
	Dequantize(d, b, y)
	return y
}
