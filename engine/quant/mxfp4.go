package quant

import "math"

// MXFP4, a block of 32 values: an exponent e of 8 bits | 16 bytes of levels as in
// Q4_0 (OCP Microscaling Formats 1.0, E2M1 with scales in E8M0). Value:
// 2^(e−128)·halves[level], which is 2^(e−127) times the level's value.
func decodeMXFP4(b []byte, y []float32) {
	d := powerScale(b[0])
	for i, q := range b[1:17] {
		y[i] = d * float32(halves[q&15])
		y[i+16] = d * float32(halves[q>>4])
	}
}

// halves are twice the values of the 16 levels: a sign, two bits of exponent, one of
// mantissa.
var halves = [16]int8{0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12}

// powerScale returns 2^(e−128); the two smallest are subnormal.
func powerScale(e byte) float32 {
	if e < 2 {
		return math.Float32frombits(0x00200000 << e)
	}
	return math.Float32frombits(uint32(e-1) << 23)
}

// encodeMXFP4 takes the exponent that the format's paper takes, by which the largest
// value is from 4 to 8 times the scale, or the next one, whichever leaves the
// smaller error.
func encodeMXFP4(x []float32, b []byte) {
	most := float64(extreme(x))
	_, exponent := math.Frexp(most) // |most| is in [2^(exponent-1), 2^exponent)
	top := max(0, min(exponent-3+127, 254))
	if most == 0 {
		top = 0
	}
	best := math.Inf(1)
	b[0] = byte(top)
	for e := top; e <= min(top+1, 254); e++ {
		d, sum := powerScale(byte(e)), 0.0
		for _, v := range x {
			off := float64(v) - float64(d)*float64(halves[nearestHalf(v, d)])
			sum += off * off
		}
		if sum < best {
			best = sum
			b[0] = byte(e)
		}
	}
	d := powerScale(b[0])
	for i := range 16 {
		b[1+i] = nearestHalf(x[i], d) | nearestHalf(x[i+16], d)<<4
	}
}

// nearestHalf returns the level whose value is nearest to v.
func nearestHalf(v, d float32) byte {
	sign, size := byte(0), float64(v)/float64(d)
	if size < 0 {
		sign, size = 8, -size
	}
	level := byte(0)
	for level < 7 && size > (float64(halves[level])+float64(halves[level+1]))/2 {
		level++
	}
	return level | sign
}
