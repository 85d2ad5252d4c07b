package engine

import "math"

// F16ToF32 widens an IEEE 754 binary16; every value, subnormals, infinities
// and NaN payloads included, is kept exactly.
func F16ToF32(h uint16) float32 {
	sign := uint32(h>>15) << 31
	exponent, fraction := uint32(h>>10)&0x1f, uint32(h)&0x3ff
	switch exponent {
	case 0: // zero and subnormals: fraction·2⁻²⁴
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)*0x1p-24))
	case 0x1f: // infinity and NaN
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}

// F32ToF16 narrows to binary16, rounding to nearest, ties to even. Values
// beyond its range become infinite; a NaN stays a (quiet) NaN.
func F32ToF16(f float32) uint16 {
	bits := math.Float32bits(f)
	sign, magnitude := uint16(bits>>16)&0x8000, bits&0x7fffffff
	switch {
	case magnitude > 0xff<<23: // NaN
		return sign | 0x7e00 | uint16(magnitude>>13)&0x3ff
	case magnitude >= (16+127)<<23: // 2¹⁶ and above
		return sign | 0x7c00
	case magnitude < (127-14)<<23: // below the smallest normal number, 2⁻¹⁴
		// Adding ½ puts the unit of the subnormals, 2⁻²⁴, on the last bit of
		// the sum's fraction: the addition does the rounding.
		return sign | uint16(math.Float32bits(math.Float32frombits(magnitude)+0.5)-math.Float32bits(0.5))
	}
	magnitude -= (127 - 15) << 23
	return sign | uint16((magnitude+0xfff+magnitude>>13&1)>>13) // a carry correctly reaches infinity
}

// BF16ToF32 widens a bfloat16, exactly.
func BF16ToF32(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }

// F32ToBF16 narrows to bfloat16, rounding to nearest, ties to even. A NaN
// stays a (quiet) NaN.
func F32ToBF16(f float32) uint16 {
	bits := math.Float32bits(f)
	if bits&0x7fffffff > 0xff<<23 {
		return uint16(bits>>16) | 0x40
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}
