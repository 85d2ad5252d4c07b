package scan

import (
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"inglenook/cpubackend"
)

// Every instruction set computes the right dot products, for rows of every length.
func TestScanner(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, isa := range cpubackend.ISAs() {
		s, err := New(isa)
		if err != nil {
			t.Fatal(err)
		}
		for dimension := 1; dimension <= 200; dimension++ {
			const n = 5
			stride := dimension + r.IntN(9)
			query, floats, bytes := make([]float32, dimension), make([]float32, n*dimension), make([]int8, n*stride)
			for i := range query {
				query[i] = float32(r.NormFloat64())
			}
			for i := range floats {
				floats[i] = float32(r.NormFloat64())
			}
			for i := range bytes {
				bytes[i] = int8(r.IntN(256) - 128)
			}
			gotFloats, gotBytes := make([]float32, n), make([]float32, n)
			s.Floats(gotFloats, query, floats)
			s.Bytes(gotBytes, query, bytes[:(n-1)*stride+dimension], stride)
			for i := range n {
				var f, b float64
				for k, q := range query {
					f += float64(q) * float64(floats[i*dimension+k])
					b += float64(q) * float64(bytes[i*stride+k])
				}
				if math.Abs(f-float64(gotFloats[i])) > 1e-4 || math.Abs(b-float64(gotBytes[i])) > 1e-2 {
					t.Fatalf("%s, dimension %d, row %d: %v and %v, not %v and %v", isa, dimension, i, gotFloats[i], gotBytes[i], f, b)
				}
			}
		}
	}
	for _, isa := range cpubackend.ISAs() {
		s, err := New(isa)
		if err != nil {
			t.Fatal(err)
		}
		const n, words, stride = 7, 5, 47
		rows, planes := make([]byte, n*stride), make([]uint64, 4*words)
		for i := range rows {
			rows[i] = byte(r.Uint32())
		}
		for i := range planes {
			planes[i] = r.Uint64()
		}
		out, ones := make([]int32, n), make([]int32, n)
		s.Bits(out, ones, planes, rows, stride)
		for i := range n {
			var shared, all int
			for w := range words {
				word := binary.LittleEndian.Uint64(rows[i*stride+8*w:])
				all += bits.OnesCount64(word)
				for p := range 4 {
					shared += bits.OnesCount64(word&planes[p*words+w]) << p
				}
			}
			if int(out[i]) != shared || int(ones[i]) != all {
				t.Errorf("%s, row %d: %d and %d bits, not %d and %d", isa, i, out[i], ones[i], shared, all)
			}
		}
	}
	if _, err := New("none"); err == nil {
		t.Error("an instruction set without kernels was taken")
	}
}

func BenchmarkScanner(b *testing.B) {
	const n, dimension = 1024, 384
	s, err := New("")
	if err != nil {
		b.Fatal(err)
	}
	out, query := make([]float32, n), make([]float32, dimension)
	b.Run("floats", func(b *testing.B) {
		rows := make([]float32, n*dimension)
		b.SetBytes(4 * n * dimension)
		for b.Loop() {
			s.Floats(out, query, rows)
		}
	})
	b.Run("bytes", func(b *testing.B) {
		rows := make([]int8, n*dimension)
		b.SetBytes(n * dimension)
		for b.Loop() {
			s.Bytes(out, query, rows, dimension)
		}
	})
	b.Run("bits", func(b *testing.B) {
		planes, rows, counts, ones := make([]uint64, 32), make([]byte, n*72), make([]int32, n), make([]int32, n)
		b.SetBytes(72 * n)
		for b.Loop() {
			s.Bits(counts, ones, planes, rows, 72)
		}
	})
}
