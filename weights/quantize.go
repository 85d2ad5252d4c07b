package weights

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"inglenook/engine"
	"inglenook/engine/quant"
)

// quantization converts stored matrices of plain numbers to a block type on reading.
type quantization struct {
	to engine.DType // F32: no quantization

	// Matrices whose rows do not consist of whole blocks.
	wider int // converted to Q8_0 instead
	plain int // left unchanged
}

// QuantizeTypes lists the types to which matrices can be quantized on reading.
func QuantizeTypes() []engine.DType { return []engine.DType{engine.Q8_0, engine.Q4_K} }

// checkQuantize rejects other types, which a user may have entered.
func checkQuantize(d engine.DType) error {
	if d == engine.F32 || slices.Contains(QuantizeTypes(), d) {
		return nil
	}
	return fmt.Errorf("weights cannot be quantized to %s as they are loaded: choose Q8_0 or Q4_K", d.FileName())
}

// notMultiplied lists parts of the names of matrices that are not used in a matrix
// product with many outputs: they are small and are added, scale something or choose experts.
var notMultiplied = []string{"norm", "position", "wpe", "token_type", "bias", ".gate.weight", "router."}

// quantizes reports whether a stored tensor is one of a model's large matrices.
func (t *stored) quantizes(name string) bool {
	matrices := len(t.shape) == 2 || len(t.shape) == 3 && strings.Contains(name, "experts")
	return matrices && t.shape[0] > 1 && !slices.ContainsFunc(notMultiplied, func(part string) bool { return strings.Contains(name, part) })
}

// apply quantizes m if its rows consist of whole blocks. If they do not fit Q4_K's
// blocks of 256 numbers, it tries Q8_0's blocks of 32.
func (q *quantization) apply(m matrix) matrix {
	to := q.to
	if to == engine.F32 || m.dtype.Quantized() {
		return m
	}
	if m.cols%to.Block() != 0 && m.cols%engine.Q8_0.Block() == 0 {
		to = engine.Q8_0
		q.wider++
	}
	if m.cols%to.Block() != 0 {
		q.plain++
		return m
	}
	src := &rowReader{rows: m.rows, rowBytes: to.RowBytes(m.cols), read: func(p []byte, first int) error {
		return quantizeRows(p, to, m, first)
	}}
	return matrix{to, m.rows, m.cols, src}
}

// quantizeAtOnce is about how many numbers are held as float32 at a time.
const quantizeAtOnce = 64 << 10

// quantizeRows fills p with rows of m, starting at row first.
func quantizeRows(p []byte, to engine.DType, m matrix, first int) error {
	line, stored := to.RowBytes(m.cols), m.dtype.RowBytes(m.cols)
	most := min(len(p)/line, max(1, quantizeAtOnce/m.cols))
	bytes, numbers := make([]byte, most*stored), make([]float32, most*m.cols)
	for n := 0; len(p) > 0; p, first = p[n*line:], first+n {
		n = min(most, len(p)/line)
		bytes, numbers := bytes[:n*stored], numbers[:n*m.cols]
		if err := readFull(m.src, bytes, int64(first)*int64(stored)); err != nil {
			return err
		}
		quant.Dequantize(m.dtype, bytes, numbers)
		if slices.ContainsFunc(numbers, func(x float32) bool { return math.IsNaN(float64(x - x)) }) {
			return errNotFinite
		}
		quant.Quantize(to, numbers, p[:n*line])
	}
	return nil
}

var errNotFinite = errors.New("it holds numbers that are not finite and cannot be quantized: download the model again")

// notes describes what was not quantized as requested.
func (q *quantization) notes() []string {
	var notes []string
	if q.wider > 0 {
		notes = append(notes, fmt.Sprintf("%s in Q8_0 instead of %s, whose blocks of %d numbers do not fill the rows", matrices(q.wider), q.to.FileName(), q.to.Block()))
	}
	if q.plain > 0 {
		notes = append(notes, fmt.Sprintf("%s not quantized, because blocks of %d numbers do not fill the rows", matrices(q.plain), engine.Q8_0.Block()))
	}
	return notes
}

func matrices(n int) string {
	if n == 1 {
		return "1 matrix is"
	}
	return fmt.Sprintf("%d matrices are", n)
}

// rounded reads float64 numbers as float32. Offsets count float32 bytes.
type rounded struct{ src io.ReaderAt }

func (r rounded) ReadAt(p []byte, off int64) (int, error) {
	var wide [8 * 512]byte
	var narrow [4 * 512]byte
	n := 0
	for n < len(p) {
		// The elements that overlap the next part of p, which may begin or end
		// in the middle of one.
		at := off + int64(n)
		skip := int(at % 4)
		count := min((skip+len(p)-n+3)/4, len(narrow)/4)
		got, err := r.src.ReadAt(wide[:8*count], at/4*8)
		count = got / 8
		for i := range count {
			v := math.Float64frombits(binary.LittleEndian.Uint64(wide[8*i:]))
			binary.LittleEndian.PutUint32(narrow[4*i:], math.Float32bits(float32(v)))
		}
		if 4*count > skip {
			n += copy(p[n:], narrow[skip:4*count])
		}
		if err != nil && n < len(p) {
			return n, err
		}
	}
	return n, nil
}
