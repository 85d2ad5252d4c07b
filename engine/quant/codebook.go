package quant

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"sync"

	"inglenook/engine"
)

// codebook describes a type whose values are looked up: a block of 256 values is a
// sequence of vectors, each of them an index into a grid of magnitudes, with a sign for
// each value and a scale for each group.
// Value: d·unit·(2·scale+1)·magnitude, with the value's sign.
type codebook struct {
	grid       []uint16
	magnitudes []float32
	vector     int               // values in a vector: 8 magnitudes of 2 bits, or 4 of 4 bits
	group      int               // values that share a scale of 4 bits
	unit       float32           // a power of two
	tries      []float32         // magnitudes, in fractions too, that encoding tries for the largest value
	even       bool              // the sign of each eighth value makes the number of minus signs even
	points     []float32         // the grid's magnitudes
	near       func() [][]uint16 // for encoding: the vectors near each word
}

var (
	iq2xxs = book(codebook{grid: gridIQ2_XXS[:], magnitudes: magnitudes2, tries: tries2, vector: 8, group: 32, unit: 1.0 / 8, even: true})
	iq2xs  = book(codebook{grid: gridIQ2_XS[:], magnitudes: magnitudes2, tries: tries2, vector: 8, group: 16, unit: 1.0 / 8, even: true})
	iq2s   = book(codebook{grid: gridIQ2_S[:], magnitudes: magnitudes2, tries: tries2, vector: 8, group: 16, unit: 1.0 / 8})
	iq3xxs = book(codebook{grid: gridIQ3_XXS[:], magnitudes: []float32{4, 12, 20, 28, 36, 44, 52, 62}, tries: []float32{4, 48, 56, 62, 67}, vector: 4, group: 32, unit: 1.0 / 4, even: true})
	iq3s   = book(codebook{grid: gridIQ3_S[:], magnitudes: []float32{1, 3, 5, 7, 9, 11, 13, 15}, tries: []float32{1, 12, 13.5, 15, 16}, vector: 4, group: 32, unit: 1})

	magnitudes2 = []float32{8, 25, 43}
	tries2      = []float32{8, 40, 45, 51, 57}
)

func book(c codebook) *codebook {
	for _, word := range c.grid {
		for i := range c.vector {
			c.points = append(c.points, c.magnitudes[word>>(i*16/c.vector)&(1<<(16/c.vector)-1)])
		}
	}
	c.near = nearOf(&c)
	return &c
}

// Grid returns the grid of a type in a codebook: a word for each vector, 8 magnitudes of 2
// bits or 4 of 4 bits, from the lowest bits up. It is nil for other types.
func Grid(d engine.DType) []uint16 {
	switch d {
	case engine.IQ2_XXS:
		return gridIQ2_XXS[:]
	case engine.IQ2_XS:
		return gridIQ2_XS[:]
	case engine.IQ2_S:
		return gridIQ2_S[:]
	case engine.IQ3_XXS:
		return gridIQ3_XXS[:]
	case engine.IQ3_S:
		return gridIQ3_S[:]
	}
	return nil
}

// coded is a block of a codebook, taken apart.
type coded struct {
	d      float32
	index  [64]uint16 // of the vectors
	signs  [32]byte   // bit i of byte j belongs to value 8j+i
	scales [16]byte   // of the groups
}

func (c *codebook) decode(b *coded, y []float32) {
	width := 16 / c.vector
	for i := range y {
		scale := b.d * c.unit * float32(2*b.scales[i/c.group]+1)
		word := c.grid[b.index[i/c.vector]]
		v := scale * c.magnitudes[word>>(i%c.vector*width)&(1<<width-1)]
		if b.signs[i/8]>>(i%8)&1 != 0 {
			v = -v
		}
		y[i] = v
	}
}

// IQ2_XXS, a block of 256 values: d f16 | for each group of 32 values 4 bytes: the
// indexes of its vectors | 32 bits: 7 signs of each 8 values, then the scale.
func decodeIQ2_XXS(b []byte, y []float32) {
	c := coded{d: half(b)}
	for g := range 8 {
		for i, index := range b[2+8*g : 6+8*g] {
			c.index[4*g+i] = uint16(index)
		}
		c.readSigns(g, binary.LittleEndian.Uint32(b[6+8*g:]))
	}
	iq2xxs.decode(&c, y)
}

func encodeIQ2_XXS(x []float32, b []byte) {
	c := iq2xxs.encode(x, b)
	for g := range 8 {
		for i := range 4 {
			b[2+8*g+i] = byte(c.index[4*g+i])
		}
		binary.LittleEndian.PutUint32(b[6+8*g:], c.packedSigns(g))
	}
}

// IQ2_XS, a block of 256 values: d f16 | 16 bits a vector: 9 of its index, 7 signs |
// 8 bytes: scales of groups of 16, the lower half of a byte first.
func decodeIQ2_XS(b []byte, y []float32) {
	c := coded{d: half(b)}
	for i := range 32 {
		word := binary.LittleEndian.Uint16(b[2+2*i:])
		c.index[i], c.signs[i] = word&511, evenSigns(byte(word>>9))
	}
	c.readScales(b[66:74])
	iq2xs.decode(&c, y)
}

func encodeIQ2_XS(x []float32, b []byte) {
	c := iq2xs.encode(x, b)
	for i := range 32 {
		binary.LittleEndian.PutUint16(b[2+2*i:], c.index[i]|uint16(c.signs[i]&127)<<9)
	}
	c.putScales(b[66:74])
}

// IQ2_S, a block of 256 values: d f16 | 32 bytes: the lower 8 bits of the indexes |
// 32 bytes of signs | 8 bytes: 2 upper bits of each index | 8 bytes of scales as in IQ2_XS.
func decodeIQ2_S(b []byte, y []float32) {
	c := coded{d: half(b)}
	for i := range 32 {
		c.index[i] = uint16(b[2+i]) | uint16(b[66+i/4]>>(i%4*2)&3)<<8
	}
	copy(c.signs[:], b[34:66])
	c.readScales(b[74:82])
	iq2s.decode(&c, y)
}

func encodeIQ2_S(x []float32, b []byte) {
	c := iq2s.encode(x, b)
	clear(b[66:74])
	for i := range 32 {
		b[2+i] = byte(c.index[i])
		b[66+i/4] |= byte(c.index[i]>>8) << (i % 4 * 2)
	}
	copy(b[34:66], c.signs[:])
	c.putScales(b[74:82])
}

// IQ3_XXS, a block of 256 values: d f16 | 64 bytes: the indexes | 32 bits for each group
// of 32 values: 7 signs of each 8 values, then the scale.
func decodeIQ3_XXS(b []byte, y []float32) {
	c := coded{d: half(b)}
	for i := range c.index {
		c.index[i] = uint16(b[2+i])
	}
	for g := range 8 {
		c.readSigns(g, binary.LittleEndian.Uint32(b[66+4*g:]))
	}
	iq3xxs.decode(&c, y)
}

func encodeIQ3_XXS(x []float32, b []byte) {
	c := iq3xxs.encode(x, b)
	for i, index := range c.index {
		b[2+i] = byte(index)
	}
	for g := range 8 {
		binary.LittleEndian.PutUint32(b[66+4*g:], c.packedSigns(g))
	}
}

// IQ3_S, a block of 256 values: d f16 | 64 bytes: the lower 8 bits of the indexes |
// 8 bytes: their ninth bits | 32 bytes of signs | 4 bytes of scales as in IQ2_XS.
func decodeIQ3_S(b []byte, y []float32) {
	c := coded{d: half(b)}
	for i := range c.index {
		c.index[i] = uint16(b[2+i]) | uint16(b[66+i/8]>>(i%8)&1)<<8
	}
	copy(c.signs[:], b[74:106])
	c.readScales(b[106:110])
	iq3s.decode(&c, y)
}

func encodeIQ3_S(x []float32, b []byte) {
	c := iq3s.encode(x, b)
	clear(b[66:74])
	for i, index := range c.index {
		b[2+i] = byte(index)
		b[66+i/8] |= byte(index>>8) << (i % 8)
	}
	copy(b[74:106], c.signs[:])
	c.putScales(b[106:110])
}

// evenSigns returns the signs of eight values from those of the first seven.
func evenSigns(seven byte) byte { return seven | byte(bits.OnesCount8(seven)&1)<<7 }

// readSigns reads the signs and the scale of group g, of 32 values.
func (c *coded) readSigns(g int, word uint32) {
	for i := range 4 {
		c.signs[4*g+i] = evenSigns(byte(word >> (7 * i) & 127))
	}
	c.scales[g] = byte(word >> 28)
}

func (c *coded) packedSigns(g int) uint32 {
	word := uint32(c.scales[g]) << 28
	for i := range 4 {
		word |= uint32(c.signs[4*g+i]&127) << (7 * i)
	}
	return word
}

// readScales reads two scales a byte.
func (c *coded) readScales(b []byte) {
	for i, s := range b {
		c.scales[2*i], c.scales[2*i+1] = s&15, s>>4
	}
}

func (c *coded) putScales(b []byte) {
	for i := range b {
		b[i] = c.scales[2*i] | c.scales[2*i+1]<<4
	}
}

// encode finds scales, signs and vectors. It leaves d in the first two bytes of at.
func (c *codebook) encode(x []float32, at []byte) *coded {
	var b coded
	var scale [16]float32
	groups := superblock / c.group
	for g := range groups {
		scale[g] = c.fit(x[g*c.group : (g+1)*c.group])
	}
	_, most := bounds(scale[:groups])
	b.d = putHalf(at, most/31/c.unit)
	inv := inverse(b.d * c.unit)
	for g := range groups {
		b.scales[g] = level((scale[g]*inv-1)/2, 0.5, 15)
		c.choose(x[g*c.group:(g+1)*c.group], b.d*c.unit*float32(2*b.scales[g]+1), b.index[g*c.group/c.vector:], b.signs[g*c.group/8:])
	}
	return &b
}

// fit returns the scale of a group with the least squared error that it finds. It tries
// scales that put the largest value at each magnitude, and near the largest.
func (c *codebook) fit(x []float32) (best float32) {
	most := float32(math.Abs(float64(extreme(x))))
	if inverse(most) == 0 {
		return 0
	}
	var index [8]uint16
	var signs [4]byte
	var gain float64
	for _, at := range c.tries {
		scale := most / at
		c.choose(x, scale, index[:], signs[:])
		var xq, qq float64
		for i, v := range x {
			q := float64(c.points[int(index[i/c.vector])*c.vector+i%c.vector])
			if signs[i/8]>>(i%8)&1 != 0 {
				v = -v
			}
			xq += float64(v) * q
			qq += q * q
		}
		if xq > 0 && xq*xq > gain*qq {
			gain, best = xq*xq/qq, float32(xq/qq)
		}
	}
	return best
}

// choose finds the signs of a group's values and the nearest vectors at a scale.
func (c *codebook) choose(x []float32, scale float32, index []uint16, signs []byte) {
	inv := inverse(scale)
	for j := 0; j < len(x); j += 8 {
		var a [8]float32 // magnitudes in the grid's units
		least := 0
		signs[j/8] = 0
		for i := range a {
			v := x[j+i] * inv
			if v < 0 {
				signs[j/8] |= 1 << i
				v = -v
			}
			a[i] = v
			if v < a[least] {
				least = i
			}
		}
		if c.even && bits.OnesCount8(signs[j/8])&1 != 0 {
			signs[j/8] ^= 1 << least
			a[least] = -a[least]
		}
		for i := 0; i < 8; i += c.vector {
			index[(j+i)/c.vector] = c.nearest(a[i : i+c.vector])
		}
	}
}

// nearest returns the index of the vector that is nearest to magnitudes, among those near
// the magnitudes rounded.
func (c *codebook) nearest(a []float32) (best uint16) {
	width, word := 16/c.vector, 0
	for i, v := range a {
		m := len(c.magnitudes) - 1
		for m > 0 && 2*v < c.magnitudes[m]+c.magnitudes[m-1] {
			m--
		}
		word |= m << (i * width)
	}
	least := float32(math.Inf(1))
	for _, index := range c.near()[word] {
		var sum float32
		for i, m := range c.points[int(index)*c.vector:][:len(a)] {
			e := a[i] - m
			sum += e * e
		}
		if sum < least {
			least, best = sum, index
		}
	}
	return best
}

// neighbours are how many vectors encoding looks at.
const neighbours = 5

// nearOf returns a function that returns the vectors nearest to every word, the nearest
// first. They are found when they are first asked for.
func nearOf(c *codebook) func() [][]uint16 {
	return sync.OnceValue(func() [][]uint16 {
		width, near := 16/c.vector, make([][]uint16, 1<<16)
		distance := func(word int, index uint16) (sum float32) {
			for i, m := range c.points[int(index)*c.vector:][:c.vector] {
				e := c.magnitudes[word>>(i*width)&(1<<width-1)] - m
				sum += e * e
			}
			return sum
		}
		word := make([]int, c.vector)
		for {
			at := 0
			for i, m := range word {
				at |= m << (i * width)
			}
			list, far := make([]uint16, 0, neighbours+1), make([]float32, 0, neighbours+1)
			for i := range c.grid {
				d := distance(at, uint16(i))
				k, _ := slices.BinarySearch(far, d)
				if k < neighbours {
					list, far = slices.Insert(list, k, uint16(i)), slices.Insert(far, k, d)
					list, far = list[:min(len(list), neighbours)], far[:min(len(far), neighbours)]
				}
			}
			near[at] = list
			i := 0
			for ; i < len(word); i++ {
				if word[i]++; word[i] < len(c.magnitudes) {
					break
				}
				word[i] = 0
			}
			if i == len(word) {
				return near
			}
		}
	})
}
