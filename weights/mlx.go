package weights

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"inglenook/engine"
)

// Groups describes a matrix that MLX quantized: the levels of a row have so many bits
// each, and every Size of them share a scale. In the mode "affine" they also share a
// bias, the value of level 0; in "mxfp4" the levels are 4-bit floating-point numbers and
// the scales powers of two.
type Groups struct {
	Mode       string
	Bits, Size int
}

// Known reports whether such matrices can be read.
func (g Groups) Known() bool {
	switch g.Mode {
	case "affine":
		return slices.Contains([]int{2, 3, 4, 5, 6, 8}, g.Bits) && slices.Contains([]int{32, 64, 128}, g.Size)
	case "mxfp4":
		return g.Bits == 4 && g.Size == packedValues
	}
	return false
}

func (g Groups) String() string {
	return fmt.Sprintf("MLX %s, %d bits in groups of %d", g.Mode, g.Bits, g.Size)
}

// Stored returns the type that such a matrix is read as where its scales have the type
// scales, such as "BF16". Up to 5 bits there is a block type that means the same. 6 and
// 8 bits become plain numbers of the scales' type, as mlx.core.dequantize rounds them.
// Scales in F32 fit no block, so all of their levels become F32.
func (g Groups) Stored(scales string) (engine.DType, bool) {
	d, known := weightTypes[scales]
	switch {
	case g.Mode == "mxfp4":
		return engine.MXFP4, scales == "U8"
	case !known || !slices.Contains([]engine.DType{engine.F32, engine.F16, engine.BF16}, d) || scales == "F64":
		return d, false
	case d == engine.F32 || g.Bits > 5:
		return d, true
	case g.Bits == 5:
		return engine.Q5_1, true
	}
	return engine.Q4_1, true
}

// Packing is the quantization that the config.json of an MLX checkpoint states: what is
// usual, and what differs, by the names of matrices without ".weight".
type Packing struct {
	Usual Groups
	Of    map[string]Groups
}

// of returns how a matrix is quantized.
func (p *Packing) of(name string) Groups {
	if g, differs := p.Of[name]; differs {
		return g
	}
	return p.Usual
}

// unpack joins name.weight, name.scales and name.biases of every quantized matrix to one
// tensor, name.weight, whose shape is that of the matrix.
func (s *Set) unpack(p *Packing) error {
	for _, scales := range s.Names() {
		name, is := strings.CutSuffix(scales, ".scales")
		if !is {
			continue
		}
		t, err := s.join(name, p.of(name))
		if err != nil {
			return fmt.Errorf("%s: the tensor %s does not fit its config.json: %w: download the model again", quote(s.name), quote(name+".weight"), err)
		}
		s.stored[name+".weight"] = t
		delete(s.stored, name+".scales")
		delete(s.stored, name+".biases")
	}
	return nil
}

// maxPacked bounds the numbers of 32 bits in a row.
const maxPacked = 1 << 24

// join returns the matrix of three tensors, or of two in MXFP4.
func (s *Set) join(name string, g Groups) (*stored, error) {
	levels, scales, biases := s.stored[name+".weight"], s.stored[name+".scales"], s.stored[name+".biases"]
	if levels == nil || levels.dtype != "U32" || len(levels.shape) < 2 {
		return nil, fmt.Errorf("it has scales, but is no matrix of packed levels")
	}
	last := len(levels.shape) - 1
	if levels.shape[last] < 1 || levels.shape[last] > maxPacked {
		return nil, fmt.Errorf("its shape is %s", shapeText(levels.shape))
	}
	bits := 32 * levels.shape[last] // of a row
	shape := append(slices.Clone(levels.shape[:last]), bits/g.Bits)
	groups := append(slices.Clone(levels.shape[:last]), bits/g.Bits/g.Size)
	if bits%g.Bits != 0 || shape[last]%g.Size != 0 {
		return nil, fmt.Errorf("its rows of %d bits are not whole groups (%v)", bits, g)
	}
	if !slices.Equal(scales.shape, groups) {
		return nil, fmt.Errorf("its scales are %s instead of %s (%v)", shapeText(scales.shape), shapeText(groups), g)
	}
	d, known := g.Stored(scales.dtype)
	if !known {
		return nil, fmt.Errorf("its scales are %s (%v)", scales.dtype, g)
	}
	if g.Mode == "affine" && (biases == nil || biases.dtype != scales.dtype || !slices.Equal(biases.shape, groups)) {
		return nil, fmt.Errorf("its biases are missing or unlike its scales (%v)", g)
	}
	if g.Mode != "affine" && biases != nil {
		return nil, fmt.Errorf("it has biases, which this mode has not (%v)", g)
	}
	t := *levels
	t.dtype, t.shape = d.FileName(), shape
	t.grouped = &grouped{groups: g, to: d, cols: shape[last], levels: levels, scales: scales, biases: biases}
	return &t, nil
}

// grouped reads a matrix of MLX in a type of the engine.
type grouped struct {
	groups                 Groups
	to                     engine.DType
	cols                   int
	levels, scales, biases *stored // biases: nil in MXFP4
}

// matrix returns the values as [rows, cols]. A row of the tensor that is a whole matrix,
// as those of experts are, has cols as a multiple of g.cols.
func (g *grouped) matrix(rows, cols int) matrix {
	lines := rows * (cols / max(g.cols, 1))
	return matrix{g.to, rows, cols, &rowReader{rows: lines, rowBytes: g.to.RowBytes(g.cols), read: g.read}}
}

// read fills p with rows, starting at row first. It works on a few rows at a time.
func (g *grouped) read(p []byte, first int) error {
	line := g.to.RowBytes(g.cols)
	most := max(1, quantizeAtOnce/g.cols)
	for n := 0; len(p) > 0; p, first = p[n*line:], first+n {
		n = min(most, len(p)/line)
		if err := g.convert(p[:n*line], first, n); err != nil {
			return err
		}
	}
	return nil
}

// convert fills p with n rows.
func (g *grouped) convert(p []byte, first, n int) error {
	count := n * g.cols
	levels, err := g.part(g.levels, first, count*g.groups.Bits/8)
	if err != nil {
		return err
	}
	if g.to == engine.MXFP4 {
		scales, err := g.part(g.scales, first, count/packedValues)
		if err != nil {
			return err
		}
		for i, scale := range scales {
			block := p[i*(1+packedBytes):][:1+packedBytes]
			block[0] = scale
			spread(block[1:], levels[i*packedBytes:][:packedBytes])
		}
		return nil
	}
	width := weightTypes[g.scales.dtype].BlockBytes()
	groups := count / g.groups.Size
	scales, err := g.part(g.scales, first, groups*width)
	if err != nil {
		return err
	}
	biases, err := g.part(g.biases, first, groups*width)
	if err != nil {
		return err
	}
	each := levelBits{levels, g.groups.Bits}
	for i := range groups {
		scale, bias := number(scales[i*width:], g.scales.dtype), number(biases[i*width:], g.scales.dtype)
		at, to := i*g.groups.Size, p[g.to.RowBytes(i*g.groups.Size):]
		if g.to.Quantized() {
			err = putBlocks(to, g.to, each, at, g.groups.Size, scale, bias)
		} else {
			putNumbers(to, g.to, each, at, g.groups.Size, scale, bias)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// part reads the bytes of rows of a tensor, size in all, from row first on.
func (g *grouped) part(t *stored, first, size int) ([]byte, error) {
	rows, _ := t.sides()
	for _, side := range t.shape[1 : len(t.shape)-1] {
		rows *= side
	}
	p := make([]byte, size)
	return p, readFull(bytesOf(t), p, int64(first)*((t.end-t.begin)/int64(rows)))
}

// levelBits are levels of so many bits, one after the other, the lowest bit first.
type levelBits struct {
	data []byte
	bits int
}

// at returns a level.
func (l levelBits) at(i int) byte {
	bit := i * l.bits
	two := uint16(l.data[bit/8])
	if bit/8+1 < len(l.data) {
		two |= uint16(l.data[bit/8+1]) << 8
	}
	return byte(two >> (bit % 8) & (1<<l.bits - 1))
}

// number reads a scale or a bias.
func number(p []byte, dtype string) float32 {
	switch dtype {
	case "F16":
		return engine.F16ToF32(binary.LittleEndian.Uint16(p))
	case "BF16":
		return engine.BF16ToF32(binary.LittleEndian.Uint16(p))
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(p))
}

var errScale = errors.New("a scale or bias of its groups is not a number up to 65504: download the model again")

// putBlocks writes n levels as blocks of Q4_1 or Q5_1. Their scales are F16, which holds
// every BF16 number from 1/131072 to 65504; smaller ones are off by at most 1/33554432.
func putBlocks(p []byte, to engine.DType, l levelBits, at, n int, scale, bias float32) error {
	if !(math.Abs(float64(scale)) <= 65504 && math.Abs(float64(bias)) <= 65504) {
		return errScale
	}
	for ; n > 0; at, n, p = at+32, n-32, p[to.BlockBytes():] {
		binary.LittleEndian.PutUint16(p, engine.F32ToF16(scale))
		binary.LittleEndian.PutUint16(p[2:], engine.F32ToF16(bias))
		fifth := uint32(0)
		halves := p[to.BlockBytes()-16:]
		for i := range 16 {
			low, high := l.at(at+i), l.at(at+i+16)
			halves[i] = low&15 | high<<4
			fifth |= uint32(low>>4)<<i | uint32(high>>4)<<(i+16)
		}
		if to == engine.Q5_1 {
			binary.LittleEndian.PutUint32(p[4:], fifth)
		}
	}
	return nil
}

// putNumbers writes n values. It rounds the product and the sum, as MLX does.
func putNumbers(p []byte, to engine.DType, l levelBits, at, n int, scale, bias float32) {
	for i := range n {
		x := float32(l.at(at+i)) * scale
		switch to {
		case engine.F16:
			x = engine.F16ToF32(engine.F32ToF16(x)) + bias
			binary.LittleEndian.PutUint16(p[2*i:], engine.F32ToF16(x))
		case engine.BF16:
			x = engine.BF16ToF32(engine.F32ToBF16(x)) + bias
			binary.LittleEndian.PutUint16(p[2*i:], engine.F32ToBF16(x))
		default:
			binary.LittleEndian.PutUint32(p[4*i:], math.Float32bits(float32(x)+bias))
		}
	}
}
