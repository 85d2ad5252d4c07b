package quant

import (
	"encoding/binary"
	"math"
)

// The block types of 32 values with one scale d; those with suffix 1 also have a
// lowest value m. Four bits of the levels are stored in 16 bytes: value i in the
// low half of byte i, value i+16 in the high half. A fifth bit of value i is bit
// i of a 32-bit number.

// Q4_0: d f16 | 16 bytes of levels. Value: (level − 8)·d.
func decodeQ4_0(b []byte, y []float32) {
	d := half(b)
	for i, q := range b[2:18] {
		y[i] = float32(int(q&15)-8) * d
		y[i+16] = float32(int(q>>4)-8) * d
	}
}

func encodeQ4_0(x []float32, b []byte) {
	d := extreme(x) / -8
	inv := inverse(d)
	putHalf(b, d)
	for i := range 16 {
		b[2+i] = level(x[i]*inv, 8.5, 15) | level(x[i+16]*inv, 8.5, 15)<<4
	}
}

// Q4_1: d f16 | m f16 | 16 bytes of levels. Value: level·d + m.
func decodeQ4_1(b []byte, y []float32) {
	d, m := half(b), half(b[2:])
	for i, q := range b[4:20] {
		y[i] = float32(float32(q&15)*d) + m
		y[i+16] = float32(float32(q>>4)*d) + m
	}
}

func encodeQ4_1(x []float32, b []byte) {
	low, high := bounds(x)
	d := (high - low) / 15
	inv := inverse(d)
	putHalf(b, d)
	putHalf(b[2:], low)
	for i := range 16 {
		b[4+i] = level((x[i]-low)*inv, 0.5, 15) | level((x[i+16]-low)*inv, 0.5, 15)<<4
	}
}

// Q5_0: d f16 | fifth bits u32 | 16 bytes of levels. Value: (level − 16)·d.
func decodeQ5_0(b []byte, y []float32) {
	d, fifth := half(b), binary.LittleEndian.Uint32(b[2:])
	for i, q := range b[6:22] {
		y[i] = float32(int(q&15|byte(fifth>>i&1)<<4)-16) * d
		y[i+16] = float32(int(q>>4|byte(fifth>>(i+16)&1)<<4)-16) * d
	}
}

func encodeQ5_0(x []float32, b []byte) {
	d := extreme(x) / -16
	inv := inverse(d)
	putHalf(b, d)
	fifth := uint32(0)
	for i := range 16 {
		low, high := level(x[i]*inv, 16.5, 31), level(x[i+16]*inv, 16.5, 31)
		b[6+i] = low&15 | high<<4
		fifth |= uint32(low>>4)<<i | uint32(high>>4)<<(i+16)
	}
	binary.LittleEndian.PutUint32(b[2:], fifth)
}

// Q5_1: d f16 | m f16 | fifth bits u32 | 16 bytes of levels. Value: level·d + m.
func decodeQ5_1(b []byte, y []float32) {
	d, m, fifth := half(b), half(b[2:]), binary.LittleEndian.Uint32(b[4:])
	for i, q := range b[8:24] {
		y[i] = float32(float32(q&15|byte(fifth>>i&1)<<4)*d) + m
		y[i+16] = float32(float32(q>>4|byte(fifth>>(i+16)&1)<<4)*d) + m
	}
}

func encodeQ5_1(x []float32, b []byte) {
	low, high := bounds(x)
	d := (high - low) / 31
	inv := inverse(d)
	putHalf(b, d)
	putHalf(b[2:], low)
	fifth := uint32(0)
	for i := range 16 {
		q0, q1 := level((x[i]-low)*inv, 0.5, 31), level((x[i+16]-low)*inv, 0.5, 31)
		b[8+i] = q0&15 | q1<<4
		fifth |= uint32(q0>>4)<<i | uint32(q1>>4)<<(i+16)
	}
	binary.LittleEndian.PutUint32(b[4:], fifth)
}

// Q8_0: d f16 | 32 signed bytes of levels. Value: level·d.
func decodeQ8_0(b []byte, y []float32) {
	d := half(b)
	for i, q := range b[2:34] {
		y[i] = float32(int8(q)) * d
	}
}

// encodeQ8_0 rounds halves away from zero.
func encodeQ8_0(x []float32, b []byte) {
	largest := uint32(0) // magnitudes of floats order like their bits
	for _, v := range x {
		largest = max(largest, math.Float32bits(v)&0x7fffffff)
	}
	d := math.Float32frombits(largest) / 127
	inv := inverse(d)
	putHalf(b, d)
	b = b[2:34]
	for i, v := range x[:len(b)] {
		v = float32(v * inv)
		whole := int32(v)
		b[i] = byte(whole + int32(2*(v-float32(whole))))
	}
}

// inverse returns 1/d, or 0 if that is not finite.
func inverse(d float32) float32 {
	if inv := 1 / d; inv-inv == 0 {
		return inv
	}
	return 0
}

// level rounds v plus an offset to a level: an integer from 0 to top. The
// conversion prevents the product v from being fused with the sum.
func level(v, offset float32, top int32) byte {
	return byte(max(0, min(int32(float32(v)+offset), top)))
}

// extreme returns the value of the largest magnitude, the first of several.
func extreme(x []float32) (most float32) {
	largest := float32(0)
	for _, v := range x {
		if a := max(v, -v); a > largest {
			largest, most = a, v
		}
	}
	return most
}

func bounds(x []float32) (low, high float32) {
	low, high = x[0], x[0]
	for _, v := range x {
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
	}
	return low, high
}
