package quant

import "encoding/binary"

// codes are the values of the 16 levels of the nonlinear types: denser near 0,
// where most weights are.
var codes = [16]int8{-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113}

// IQ4_NL, a block of 32 values: d f16 | 16 bytes of levels as in Q4_0.
// Value: d·codes[level].
func decodeIQ4_NL(b []byte, y []float32) {
	decodeCodes(b[2:18], half(b), y)
}

func encodeIQ4_NL(x []float32, b []byte) {
	encodeCodes(b[2:18], putHalf(b, fitCodes(x)), x)
}

// IQ4_XS, a block of 256 values: d f16 | 16 bits: the upper 2 of each scale |
// 4 bytes: the lower 4 bits of the scales, one a group of 32 values, stored
// with 32 added | 128 bytes of levels, each group's 16 bytes as in IQ4_NL.
// Value: (d·scale)·codes[level].
func decodeIQ4_XS(b []byte, y []float32) {
	d, upper := half(b), binary.LittleEndian.Uint16(b[2:])
	for g := range 8 {
		scale := int(b[4+g/2]>>(g%2*4)&15|byte(upper>>(2*g)&3)<<4) - 32
		decodeCodes(b[8+16*g:24+16*g], d*float32(scale), y[32*g:32*g+32])
	}
}

func encodeIQ4_XS(x []float32, b []byte) {
	var scales [8]float32
	for g := range scales {
		scales[g] = fitCodes(x[32*g : 32*g+32])
	}
	d := putHalf(b, extreme(scales[:])/-32)
	inv, upper := inverse(d), uint16(0)
	clear(b[4:8])
	for g, s := range scales {
		scale := nearest(s*inv, 32)
		b[4+g/2] |= byte(scale+32) & 15 << (g % 2 * 4)
		upper |= uint16(scale+32) >> 4 << (2 * g)
		encodeCodes(b[8+16*g:24+16*g], d*float32(scale), x[32*g:32*g+32])
	}
	binary.LittleEndian.PutUint16(b[2:], upper)
}

func decodeCodes(b []byte, d float32, y []float32) {
	for i, q := range b {
		y[i] = d * float32(codes[q&15])
		y[i+16] = d * float32(codes[q>>4])
	}
}

func encodeCodes(b []byte, d float32, x []float32) {
	inv := inverse(d)
	for i := range b {
		b[i] = nearestCode(x[i]*inv) | nearestCode(x[i+16]*inv)<<4
	}
}

// nearestCode returns the level whose code is nearest to v.
func nearestCode(v float32) byte { return nearestCodes[max(0, min(int32(2*v+256), 511))] }

// nearestCodes are the levels for −128, −127.5 … 127.5, which include all
// midpoints between two codes.
var nearestCodes = func() (levels [512]byte) {
	for i := range levels {
		l := 0
		for l < 15 && i-256 >= int(codes[l])+int(codes[l+1]) {
			l++
		}
		levels[i] = byte(l)
	}
	return levels
}()

// fitCodes finds a scale of either sign such that scale·code is close to x. It
// tries the scales that put the largest value at or near either end.
func fitCodes(x []float32) (scale float32) {
	most := extreme(x)
	if inverse(most) == 0 {
		return 0
	}
	best := float64(0)
	for _, end := range []int8{codes[0], codes[15]} {
		for try := range 15 {
			inv := float32(int(end)+try-7) / most
			var sumCX, sumCC float64
			for _, v := range x {
				c := float64(codes[nearestCode(v*inv)])
				sumCX += float64(v) * c
				sumCC += c * c
			}
			if sumCX*sumCX > best*sumCC {
				best, scale = sumCX*sumCX/sumCC, float32(sumCX/sumCC)
			}
		}
	}
	return scale
}
