package quant

import (
	"encoding/binary"
	"math"

	"inglenook/engine"
)

// widen reads F32, F16 and BF16.
func widen(d engine.DType, src []byte, dst []float32) {
	switch d {
	case engine.F32:
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:]))
		}
	case engine.F16:
		for i := range dst {
			dst[i] = half(src[2*i:])
		}
	case engine.BF16:
		for i := range dst {
			dst[i] = engine.BF16ToF32(binary.LittleEndian.Uint16(src[2*i:]))
		}
	}
}

// narrow writes F32, F16 and BF16, rounding to nearest, ties to even.
func narrow(d engine.DType, src []float32, dst []byte) {
	switch d {
	case engine.F32:
		for i, v := range src {
			binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(v))
		}
	case engine.F16:
		for i, v := range src {
			putHalf(dst[2*i:], v)
		}
	case engine.BF16:
		for i, v := range src {
			binary.LittleEndian.PutUint16(dst[2*i:], engine.F32ToBF16(v))
		}
	}
}

// half reads a binary16.
func half(b []byte) float32 { return engine.F16ToF32(binary.LittleEndian.Uint16(b)) }

// putHalf writes a binary16 and returns the value as rounded.
func putHalf(b []byte, v float32) float32 {
	h := engine.F32ToF16(v)
	binary.LittleEndian.PutUint16(b, h)
	return engine.F16ToF32(h)
}
