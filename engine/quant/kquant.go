package quant

// The block types of 256 values whose groups have a scale and a lowest value.
// Levels are stored in strips of 32 values, several to a run of 32 bytes. With
// two bits a value, byte i of a run holds value i of four strips in turn, from
// the lowest bits up; with four bits, of two strips.

// Q2_K: 16 bytes, one a group of 16 values: scale in the low half, min in the
// high one | 64 bytes of levels of 2 bits | d f16 | lowest f16.
// Value: (d·scale)·level − lowest·min.
func decodeQ2_K(b []byte, y []float32) {
	f := floored{d: half(b[80:]), lowest: half(b[82:])}
	for g, s := range b[:16] {
		f.scales[g], f.mins[g] = s&15, s>>4
	}
	unpack(f.levels[:], b[16:80], 2)
	f.decode(y, 16)
}

func encodeQ2_K(x []float32, b []byte) {
	var f floored
	f.encode(x, 16, 3, 15, b[80:84])
	for g := range b[:16] {
		b[g] = f.scales[g] | f.mins[g]<<4
	}
	pack(b[16:80], f.levels[:], 2)
}

// Q4_K: d f16 | lowest f16 | 12 bytes: scales and mins of 6 bits, one each a
// group of 32 values | 128 bytes of levels of 4 bits.
// Value: (d·scale)·level − lowest·min.
func decodeQ4_K(b []byte, y []float32) {
	f := floored{d: half(b), lowest: half(b[2:])}
	f.unpackScales(b[4:16])
	unpack(f.levels[:], b[16:144], 4)
	f.decode(y, 32)
}

func encodeQ4_K(x []float32, b []byte) {
	var f floored
	f.encode(x, 32, 15, 63, b)
	f.packScales(b[4:16])
	pack(b[16:144], f.levels[:], 4)
}

// Q5_K: d f16 | lowest f16 | 12 bytes of scales and mins as in Q4_K | 32 bytes
// of fifth bits: bit s of byte i belongs to value i of strip s | 128 bytes of
// levels, their lower 4 bits. Value: (d·scale)·level − lowest·min.
func decodeQ5_K(b []byte, y []float32) {
	f := floored{d: half(b), lowest: half(b[2:])}
	f.unpackScales(b[4:16])
	unpack(f.levels[:], b[48:176], 4)
	var fifth [superblock]byte
	unpack(fifth[:], b[16:48], 1)
	for i := range f.levels {
		f.levels[i] |= fifth[i] << 4
	}
	f.decode(y, 32)
}

func encodeQ5_K(x []float32, b []byte) {
	var f floored
	f.encode(x, 32, 31, 63, b)
	f.packScales(b[4:16])
	var fifth [superblock]byte
	for i, q := range f.levels {
		f.levels[i], fifth[i] = q&15, q>>4
	}
	pack(b[48:176], f.levels[:], 4)
	pack(b[16:48], fifth[:], 1)
}

// unpackScales reads 8 scales and 8 mins of 6 bits from 12 bytes. Bytes 0 to 3
// hold scales 0 to 3, bytes 4 to 7 mins 0 to 3; bytes 8 to 11 hold the lower 4
// bits of scales and mins 4 to 7, whose upper 2 bits are those left over in
// bytes 0 to 3 and 4 to 7.
func (f *floored) unpackScales(b []byte) {
	for g := range 4 {
		f.scales[g], f.mins[g] = b[g]&63, b[g+4]&63
		f.scales[g+4] = b[g+8]&15 | b[g]>>6<<4
		f.mins[g+4] = b[g+8]>>4 | b[g+4]>>6<<4
	}
}

func (f *floored) packScales(b []byte) {
	for g := range 4 {
		b[g] = f.scales[g] | f.scales[g+4]>>4<<6
		b[g+4] = f.mins[g] | f.mins[g+4]>>4<<6
		b[g+8] = f.scales[g+4]&15 | f.mins[g+4]<<4
	}
}

// Q3_K: 32 bytes of third bits: bit s of byte i belongs to value i of strip s |
// 64 bytes of levels, their lower 2 bits | 12 bytes: scales of 6 bits, one a
// group of 16 values, stored with 32 added | d f16. Levels are stored with 4
// added. Value: (d·scale)·level.
func decodeQ3_K(b []byte, y []float32) {
	s := signed{d: half(b[108:])}
	for g := range 16 {
		low := b[96+g%8] >> (g / 8 * 4) & 15
		high := b[104+g%4] >> (g / 4 * 2) & 3
		s.scales[g] = int8(low|high<<4) - 32
	}
	var low, third [superblock]byte
	unpack(low[:], b[32:96], 2)
	unpack(third[:], b[:32], 1)
	for i := range s.levels {
		s.levels[i] = int8(low[i]|third[i]<<2) - 4
	}
	s.decode(y, 16)
}

func encodeQ3_K(x []float32, b []byte) {
	var s signed
	s.encode(x, 16, 4, 32, b[108:])
	clear(b[96:108])
	for g, scale := range s.scales {
		q := byte(scale + 32)
		b[96+g%8] |= q & 15 << (g / 8 * 4)
		b[104+g%4] |= q >> 4 << (g / 4 * 2)
	}
	var low, third [superblock]byte
	for i, l := range s.levels {
		low[i], third[i] = byte(l+4)&3, byte(l+4)>>2
	}
	pack(b[32:96], low[:], 2)
	pack(b[:32], third[:], 1)
}

// Q6_K: 128 bytes of levels, their lower 4 bits | 64 bytes, their upper 2 bits |
// 16 signed bytes: scales, one a group of 16 values | d f16. Levels are stored
// with 32 added. Runs of lower bits are 64 bytes long and hold two strips of 64.
// Value: (d·scale)·level.
func decodeQ6_K(b []byte, y []float32) {
	s := signed{d: half(b[208:])}
	for g := range s.scales {
		s.scales[g] = int8(b[192+g])
	}
	var high [superblock]byte
	unpack(high[:], b[128:192], 2)
	for i := range s.levels {
		low := b[i/128*64+i%64] >> (i / 64 % 2 * 4) & 15
		s.levels[i] = int8(low|high[i]<<4) - 32
	}
	s.decode(y, 16)
}

func encodeQ6_K(x []float32, b []byte) {
	var s signed
	s.encode(x, 16, 32, 128, b[208:])
	for g, scale := range s.scales {
		b[192+g] = byte(scale)
	}
	clear(b[:128])
	var high [superblock]byte
	for i, l := range s.levels {
		q := byte(l + 32)
		b[i/128*64+i%64] |= q & 15 << (i / 64 % 2 * 4)
		high[i] = q >> 4
	}
	pack(b[128:192], high[:], 2)
}

// unpack reads levels of the given number of bits, in runs of 32 bytes.
func unpack(levels, b []byte, bits int) {
	strips := 8 / bits
	for i := range levels {
		strip := i / 32
		levels[i] = b[strip/strips*32+i%32] >> (strip % strips * bits) & (1<<bits - 1)
	}
}

func pack(b, levels []byte, bits int) {
	clear(b)
	strips := 8 / bits
	for i, l := range levels {
		strip := i / 32
		b[strip/strips*32+i%32] |= l << (strip % strips * bits)
	}
}
