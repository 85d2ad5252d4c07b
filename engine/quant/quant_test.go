package quant

import (
	"bytes"
	"math"
	"math/rand/v2"
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

// read returns a file of testdata.
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

// Blocks have the values that another implementation reads; see testdata.
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

// The bounds are the errors of llama.cpp's own quantizer on a normal distribution,
// relative to its deviation, plus one percent.
func TestErrorOnNormalDistribution(t *testing.T) {
	bounds := map[engine.DType]float64{
		engine.F32: 0, engine.F16: 3e-4, engine.BF16: 2e-3,
		engine.Q4_0: 0.0860, engine.Q4_1: 0.0783, engine.Q5_0: 0.0427, engine.Q5_1: 0.0378, engine.Q8_0: 0.00536,
		engine.Q2_K: 0.2967, engine.Q3_K: 0.1510, engine.Q4_K: 0.0714, engine.Q5_K: 0.0361, engine.Q6_K: 0.0178,
		engine.IQ4_NL: 0.0762, engine.IQ4_XS: 0.0768, engine.MXFP4: 0.1255,
		engine.IQ2_XXS: 0.3439, engine.IQ2_XS: 0.2997, engine.IQ2_S: 0.2494, engine.IQ3_XXS: 0.1823, engine.IQ3_S: 0.1371,
	}
	for _, d := range engine.WeightTypes() {
		x := gaussian(1 << 16)
		if d >= engine.IQ2_XXS { // whose encoding tries many vectors
			x = x[:1<<13]
		}
		for _, deviation := range []float32{1, 0.02, 300} {
			scaled := make([]float32, len(x))
			for i := range x {
				scaled[i] = deviation * x[i]
			}
			if e := relativeError(roundTrip(d, scaled), scaled); e > 1.01*bounds[d] {
				t.Errorf("%s: the error is %.5f at deviation %v, allowed is %.5f", d, e, deviation, bounds[d])
			}
		}
	}
}

// relativeError returns RMS(y − x) / RMS(x).
func relativeError(y, x []float32) float64 {
	var errors, squares float64
	for i := range x {
		e := float64(y[i]) - float64(x[i])
		errors += e * e
		squares += float64(x[i]) * float64(x[i])
	}
	return math.Sqrt(errors / squares)
}

func TestConstantBlocks(t *testing.T) {
	for _, d := range engine.WeightTypes() {
		for _, v := range []float32{0, 1, -0.5} {
			x := make([]float32, 512)
			for i := range x {
				x[i] = v
			}
			for _, y := range roundTrip(d, x) {
				if math.Abs(float64(y-v)) > 0.01*math.Abs(float64(v)) {
					t.Errorf("%s: %v comes back as %v", d, v, y)
					break
				}
			}
		}
	}
}

// A block whose values can all be represented exactly is unchanged.
func TestExactBlocks(t *testing.T) {
	for _, d := range blockTypes() {
		x := make([]float32, 512)
		Dequantize(d, exactBlock(d), x)
		if y := roundTrip(d, x); relativeError(y, x) > 1e-3 {
			t.Errorf("%s: %v comes back as %v", d, x[:32], y[:32])
		}
	}
}

// exactBlock encodes values that use the full range of levels in each group.
func exactBlock(d engine.DType) []byte {
	x := make([]float32, 512)
	for i := range x {
		x[i] = float32((i*7+3)%16-8) * 0.125
	}
	b := make([]byte, d.RowBytes(len(x)))
	Quantize(d, x, b)
	return b
}

// Values too large for a scale, tiny values and no values at all must not panic.
func FuzzQuantize(f *testing.F) {
	nan, inf := math.Float32bits(float32(math.NaN())), math.Float32bits(float32(math.Inf(1)))
	for _, bits := range []uint32{0, 1, 0x00800000, 0x80000000, 0x7f7fffff, 0xff7fffff, nan, inf, inf | 1<<31, 0x33800000} {
		f.Add(bits, bits, uint16(0))
		f.Add(bits, uint32(0), uint16(300))
		f.Add(bits, bits^1<<31, uint16(77))
		f.Add(bits, math.Float32bits(1), uint16(255))
	}
	f.Fuzz(func(t *testing.T, all, one uint32, at uint16) {
		x := make([]float32, 512)
		for i := range x {
			x[i] = math.Float32frombits(all)
		}
		x[at%512] = math.Float32frombits(one)
		for _, d := range engine.WeightTypes() {
			first, again := make([]byte, d.RowBytes(len(x))), bytes.Repeat([]byte{0xff}, d.RowBytes(len(x)))
			Quantize(d, x, first)
			Quantize(d, x, again)
			if !bytes.Equal(first, again) {
				t.Errorf("%s: the bytes depend on what was there before", d)
			}
			Dequantize(d, first, make([]float32, len(x)))
		}
	})
}

// FuzzDequantize reads any bytes as blocks of every type: each value is that of its block
// alone, whatever the memory held before, and no index leaves a grid.
//
//	go test -fuzz FuzzDequantize ./engine/quant
func FuzzDequantize(f *testing.F) {
	for _, b := range []byte{0, 1, 0x55, 0x7f, 0x80, 0xff} {
		f.Add(bytes.Repeat([]byte{b}, 300))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, d := range blockTypes() {
			n := min(len(data)/d.BlockBytes(), 8)
			all, one := make([]float32, n*d.Block()), make([]float32, d.Block())
			Dequantize(d, data[:n*d.BlockBytes()], all)
			for i := range n {
				for k := range one {
					one[k] = float32(math.NaN())
				}
				Dequantize(d, data[i*d.BlockBytes():(i+1)*d.BlockBytes()], one)
				for k, x := range one {
					if math.Float32bits(x) != math.Float32bits(all[i*d.Block()+k]) {
						t.Fatalf("%v: value %d of block %d is %g among others and %g alone", d, k, i, all[i*d.Block()+k], x)
					}
				}
			}
		}
	})
}

func roundTrip(d engine.DType, x []float32) []float32 {
	b := make([]byte, d.RowBytes(len(x)))
	Quantize(d, x, b)
	y := make([]float32, len(x))
	Dequantize(d, b, y)
	return y
}

func BenchmarkQuantize(b *testing.B) {
	x := gaussian(1 << 16)
	for _, d := range engine.WeightTypes() {
		data := make([]byte, d.RowBytes(len(x)))
		b.Run(d.String(), func(b *testing.B) {
			b.SetBytes(int64(4 * len(x)))
			for b.Loop() {
				Quantize(d, x, data)
			}
		})
	}
}

func BenchmarkDequantize(b *testing.B) {
	x := gaussian(1 << 16)
	for _, d := range engine.WeightTypes() {
		data := make([]byte, d.RowBytes(len(x)))
		Quantize(d, x, data)
		b.Run(d.String(), func(b *testing.B) {
			b.SetBytes(int64(4 * len(x)))
			for b.Loop() {
				Dequantize(d, data, x)
			}
		})
	}
}

func gaussian(n int) []float32 {
	r := rand.New(rand.NewPCG(1, 2))
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

func TestNearestCode(t *testing.T) {
	for v := float32(-140); v <= 140; v += 0.03125 {
		got := math.Abs(float64(v) - float64(codes[nearestCode(v)]))
		for _, c := range codes {
			if d := math.Abs(float64(v) - float64(c)); d < got {
				t.Fatalf("%v becomes %d, %d is closer", v, codes[nearestCode(v)], c)
			}
		}
	}
}
