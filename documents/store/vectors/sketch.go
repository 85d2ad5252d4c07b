package vectors

import (
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
)

// A sketch is one bit for each value of a vector, behind a rotation that spreads
// what the vector says over all of its bits: the sign of the value (RaBitQ, Gao and
// Long 2024). Of the rotated query only four bits a value are looked at, so that a
// dot product is some counting of bits. It is wrong by about 0.04, and how wrong
// it can be is known: see spread.
//
// A row of sketches holds the bits, and the cosine of the vector with its own
// signs, which says how far dot products with the signs fall short.
type sketcher struct {
	dimension int
	size      int // values after rotation, a power of two of at least 64
	signs     [2][]float32
}

func newSketcher(dimension int) *sketcher {
	size := max(64, 1<<bits.Len(uint(dimension-1)))
	s := &sketcher{dimension: dimension, size: size}
	r := rand.New(rand.NewPCG(uint64(dimension), 11))
	for round := range s.signs {
		for range size {
			s.signs[round] = append(s.signs[round], float32(1-2*r.IntN(2)))
		}
	}
	return s
}

// stride is the bytes of a row.
func (s *sketcher) stride() int { return s.size/8 + 8 }

// rotate returns a vector behind two rounds of signs and the Hadamard transform,
// which keeps lengths and dot products.
func (s *sketcher) rotate(v []float32) []float32 {
	out := make([]float32, s.size)
	copy(out, v)
	for _, signs := range s.signs {
		for i := range out {
			out[i] *= signs[i]
		}
		hadamard(out)
	}
	return out
}

// hadamard is the transform in place, with lengths kept.
func hadamard(v []float32) {
	for half := 1; half < len(v); half *= 2 {
		for first := 0; first < len(v); first += 2 * half {
			for i := first; i < first+half; i++ {
				a, b := v[i], v[i+half]
				v[i], v[i+half] = a+b, a-b
			}
		}
	}
	scale := float32(1 / math.Sqrt(float64(len(v))))
	for i := range v {
		v[i] *= scale
	}
}

// rows returns rows of sketches for vectors [n, dimension].
func (s *sketcher) rows(flat []float32) []byte {
	out := make([]byte, 0, len(flat)/s.dimension*s.stride())
	for ; len(flat) > 0; flat = flat[s.dimension:] {
		out = s.append(out, flat[:s.dimension])
	}
	return out
}

func (s *sketcher) append(to []byte, v []float32) []byte {
	rotated := s.rotate(v)
	var sum float64
	for first := 0; first < s.size; first += 64 {
		var word uint64
		for i, x := range rotated[first : first+64] {
			if x >= 0 {
				word |= 1 << i
			}
			sum += math.Abs(float64(x))
		}
		to = binary.LittleEndian.AppendUint64(to, word)
	}
	// What counted bits are multiplied with, and the deviation of what comes out.
	var factor, deviation float64
	if long := float64(length(v)); sum > 0 {
		root := math.Sqrt(float64(s.size))
		along := sum / root / long
		factor = long / root / along
		deviation = factor * math.Sqrt(max(0, 1-along*along))
	}
	to = binary.LittleEndian.AppendUint32(to, math.Float32bits(float32(factor)))
	return binary.LittleEndian.AppendUint32(to, math.Float32bits(float32(deviation)))
}

// planes are a rotated query in four bits a value: plane b has bit b of each.
type planes struct {
	words []uint64 // the planes end to end
	low   float32  // the value of 0
	step  float32
	sum   float32 // of all values
	size  int
	reach float32 // what a deviation is multiplied with
}

func (s *sketcher) query(v []float32) *planes {
	rotated := s.rotate(v)
	p := &planes{words: make([]uint64, s.size/16), size: s.size, reach: spread * length(v)}
	low, high := rotated[0], rotated[0]
	for _, x := range rotated {
		low, high = min(low, x), max(high, x)
	}
	p.low, p.step = low, max((high-low)/15, 1e-12)
	for i, x := range rotated {
		level := uint64(math.Round(float64((x - low) / p.step)))
		p.sum += low + float32(level)*p.step
		for b := range 4 {
			p.words[b*s.size/64+i/64] |= level >> b & 1 << (i % 64)
		}
	}
	return p
}

// estimate returns the dot product of the query with a row, and how far it may be
// off: in one of some hundred rows by more. levels and ones are what Scanner.Bits
// counts.
func (p *planes) estimate(row []byte, levels, ones int32) (product, off float32) {
	end := row[p.size/8:]
	factor := math.Float32frombits(binary.LittleEndian.Uint32(end))
	deviation := math.Float32frombits(binary.LittleEndian.Uint32(end[4:]))
	inside := float32(ones)*p.low + float32(levels)*p.step // of the values whose bit is set
	return factor * (2*inside - p.sum), deviation * p.reach
}

// spread is how many standard deviations of the error an estimate is trusted to
// keep within.
const spread = 3
