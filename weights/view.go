package weights

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"inglenook/engine"
)

// matrix is a readable stored tensor: [rows, cols] of one type, row-major in
// src.
type matrix struct {
	dtype      engine.DType
	rows, cols int
	src        io.ReaderAt
}

// view describes which part of a stored matrix a model wants, and in which
// layout. Its bytes are computed on reading; a view stores none.
type view interface {
	// shape returns the view's shape for a stored matrix [rows, cols].
	shape(rows, cols int) (int, int)
	// of returns the view's matrix, or an error if there can be none.
	of(m matrix) (matrix, error)
	// label is appended to the tensor's name in messages and distinguishes its
	// views.
	label() string
}

// whole is the matrix as stored.
type whole struct{}

func (whole) shape(rows, cols int) (int, int) { return rows, cols }
func (whole) of(m matrix) (matrix, error)     { return m, nil }
func (whole) label() string                   { return "" }

// rowRanges selects ranges of rows, each [from, to), in the given order.
type rowRanges [][2]int

func (v rowRanges) shape(_, cols int) (int, int) { return count(v), cols }
func (v rowRanges) label() string                { return "[" + rangeText(v) + "]" }

func (v rowRanges) of(m matrix) (matrix, error) {
	if err := within(v, m.rows, "rows"); err != nil {
		return m, err
	}
	m.src, m.rows = joinRanges(m.src, v, m.dtype.RowBytes(m.cols)), count(v)
	return m, nil
}

// folded cuts each row into so many rows of equal length.
type folded struct{ parts int }

func (v folded) shape(rows, cols int) (int, int) { return rows * v.parts, cols / v.parts }
func (v folded) label() string                   { return fmt.Sprintf("/%d", v.parts) }

func (v folded) of(m matrix) (matrix, error) {
	if m.cols%v.parts != 0 || m.cols/v.parts%m.dtype.Block() != 0 {
		return m, fmt.Errorf("its %d columns of %v do not make %d parts", m.cols, m.dtype, v.parts)
	}
	m.rows, m.cols = v.shape(m.rows, m.cols)
	return m, nil
}

// rowPart is one of so many equal parts of each row.
type rowPart struct{ number, parts int }

func (v rowPart) shape(rows, cols int) (int, int) { return rows, cols / v.parts }
func (v rowPart) label() string                   { return fmt.Sprintf("[:,%d/%d]", v.number, v.parts) }

func (v rowPart) of(m matrix) (matrix, error) {
	m, err := folded{v.parts}.of(m)
	if err != nil {
		return m, err
	}
	var rows rowRanges
	for r := v.number; r < m.rows; r += v.parts {
		rows = append(rows, [2]int{r, r + 1})
	}
	return rows.of(m)
}

// columnRanges selects ranges of the elements of a vector [1, n].
type columnRanges [][2]int

func (v columnRanges) shape(rows, _ int) (int, int) { return rows, count(v) }
func (v columnRanges) label() string                { return "[:," + rangeText(v) + "]" }

func (v columnRanges) of(m matrix) (matrix, error) {
	if err := within(v, m.cols, "elements"); err != nil {
		return m, err
	}
	if m.rows != 1 || m.dtype.Quantized() {
		return m, fmt.Errorf("only a vector of plain numbers has parts, this is a matrix [%d %d] of %v", m.rows, m.cols, m.dtype)
	}
	m.src, m.cols = joinRanges(m.src, v, m.dtype.BlockBytes()), count(v)
	return m, nil
}

// transposed is the transposed matrix.
type transposed struct{}

func (transposed) shape(rows, cols int) (int, int) { return cols, rows }
func (transposed) label() string                   { return ".T" }

func (transposed) of(m matrix) (matrix, error) {
	if m.dtype.Quantized() {
		return m, fmt.Errorf("its %v blocks lie along the rows, so that it cannot be transposed", m.dtype)
	}
	size := m.dtype.BlockBytes()
	src := &rowReader{rows: m.cols, rowBytes: m.rows * size, read: func(p []byte, first int) error {
		return transpose(p, m, first, size)
	}}
	return matrix{m.dtype, m.cols, m.rows, src}, nil
}

// transposedRows selects ranges of the rows of the transposed matrix.
type transposedRows struct{ rowRanges }

func (v transposedRows) shape(rows, _ int) (int, int) { return count(v.rowRanges), rows }
func (v transposedRows) label() string                { return transposed{}.label() + v.rowRanges.label() }

func (v transposedRows) of(m matrix) (matrix, error) {
	m, err := transposed{}.of(m)
	if err != nil {
		return m, err
	}
	return v.rowRanges.of(m)
}

// transpose fills p with the columns of m, starting at column first; each
// element has size bytes.
func transpose(p []byte, m matrix, first, size int) error {
	n := len(p) / (m.rows * size)
	part := make([]byte, n*size) // of one stored row
	for r := range m.rows {
		if err := readFull(m.src, part, int64(r*m.cols+first)*int64(size)); err != nil {
			return err
		}
		switch to, line := p[r*size:], m.rows*size; size {
		case 4:
			for i := range n {
				binary.LittleEndian.PutUint32(to[i*line:], binary.LittleEndian.Uint32(part[4*i:]))
			}
		case 2:
			for i := range n {
				binary.LittleEndian.PutUint16(to[i*line:], binary.LittleEndian.Uint16(part[2*i:]))
			}
		}
	}
	return nil
}

func count(ranges [][2]int) int {
	n := 0
	for _, r := range ranges {
		n += r[1] - r[0]
	}
	return n
}

func within(ranges [][2]int, end int, what string) error {
	for _, r := range ranges {
		if r[0] < 0 || r[1] < r[0] || r[1] > end {
			return fmt.Errorf("%s %d to %d are wanted of its %d", what, r[0], r[1], end)
		}
	}
	return nil
}

func rangeText(ranges [][2]int) string {
	texts := make([]string, len(ranges))
	for i, r := range ranges {
		texts[i] = fmt.Sprintf("%d:%d", r[0], r[1])
	}
	return strings.Join(texts, "+")
}

// joined reads sections one after the other.
type joined []*io.SectionReader

// joinRanges joins ranges of units of size bytes.
func joinRanges(src io.ReaderAt, ranges [][2]int, size int) joined {
	var j joined
	for _, r := range ranges {
		j = append(j, io.NewSectionReader(src, int64(r[0])*int64(size), int64(r[1]-r[0])*int64(size)))
	}
	return j
}

func (j joined) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	for _, s := range j {
		if off >= s.Size() {
			off -= s.Size()
			continue
		}
		want := int(min(int64(len(p)-n), s.Size()-off))
		got, err := s.ReadAt(p[n:n+want], off)
		n += got
		if got < want {
			return n, err
		}
		if off = 0; n == len(p) {
			return n, nil
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// rowReader is an [io.ReaderAt] that computes its bytes in whole rows. It is
// safe for concurrent use if read is.
type rowReader struct {
	rows, rowBytes int
	read           func(p []byte, first int) error // fills p with rows, starting at row first
}

func (r *rowReader) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	for n < len(p) {
		at := off + int64(n)
		if at < 0 || at >= int64(r.rows)*int64(r.rowBytes) {
			return n, io.EOF
		}
		row, skip := int(at/int64(r.rowBytes)), int(at%int64(r.rowBytes))
		if whole := min((len(p)-n)/r.rowBytes, r.rows-row); skip == 0 && whole > 0 {
			if err := r.read(p[n:n+whole*r.rowBytes], row); err != nil {
				return n, err
			}
			n += whole * r.rowBytes
			continue
		}
		// p begins or ends in the middle of this row.
		line := make([]byte, r.rowBytes)
		if err := r.read(line, row); err != nil {
			return n, err
		}
		n += copy(p[n:], line[skip:])
	}
	return n, nil
}

// readFull fills p with the bytes at off. A source may return io.EOF with its
// last byte.
func readFull(src io.ReaderAt, p []byte, off int64) error {
	n, err := src.ReadAt(p, off)
	switch {
	case n == len(p):
		return nil
	case err == nil || err == io.EOF:
		return io.ErrUnexpectedEOF
	}
	return err
}

// paired reorders the rows of each head, or the elements of a vector of heads: of the
// first turning ones those of even number, then those of odd number, then the rest.
type paired struct{ head, turning int }

func (paired) shape(rows, cols int) (int, int) { return rows, cols }
func (v paired) label() string                 { return fmt.Sprintf("/%d of %d in pairs", v.turning, v.head) }

func (v paired) of(m matrix) (matrix, error) {
	rows, rowBytes := m.rows, m.dtype.RowBytes(m.cols)
	if rows == 1 { // a bias
		if m.dtype.Quantized() {
			return m, fmt.Errorf("only a vector of plain numbers has another order, this is one of %v", m.dtype)
		}
		rows, rowBytes = m.cols, m.dtype.BlockBytes()
	}
	if v.head < 1 || rows%v.head != 0 || v.turning > v.head || v.turning%2 != 0 {
		return m, fmt.Errorf("its %d rows are not heads of %d, of which %d turn in pairs", rows, v.head, v.turning)
	}
	stored := m.src
	m.src = &rowReader{rows: rows, rowBytes: rowBytes, read: func(p []byte, first int) error {
		for row := first; len(p) > 0; row++ {
			from := row/v.head*v.head + v.stored(row%v.head)
			if err := readFull(stored, p[:rowBytes], int64(from)*int64(rowBytes)); err != nil {
				return err
			}
			p = p[rowBytes:]
		}
		return nil
	}}
	return m, nil
}

// stored returns where row i of a head is stored.
func (v paired) stored(i int) int {
	half := v.turning / 2
	switch {
	case i < half:
		return 2 * i
	case i < v.turning:
		return 2*(i-half) + 1
	}
	return i
}

// Taps returns the weights [rows, cols] of a convolution over neighbours, one for each of them, of a
// stored tensor [rows, cols, taps].
func (c *Scope) Taps(name string, rows, cols, taps int) []*engine.Tensor {
	all := make([]*engine.Tensor, taps)
	for i := range all {
		all[i] = c.weight(name, rows, cols*taps, tap{i, taps})
	}
	return all
}

// tap is every n-th column of a matrix, from column i on.
type tap struct{ i, n int }

func (v tap) shape(rows, cols int) (int, int) { return rows, cols / v.n }
func (v tap) label() string                   { return fmt.Sprintf("[:,%d::%d]", v.i, v.n) }

func (v tap) of(m matrix) (matrix, error) {
	if m.dtype.Quantized() || m.cols%v.n != 0 {
		return m, fmt.Errorf("its %d columns of %v cannot be divided among %d neighbours", m.cols, m.dtype, v.n)
	}
	size, stored := m.dtype.BlockBytes(), m
	m.cols /= v.n
	m.src = &rowReader{rows: m.rows, rowBytes: m.cols * size, read: func(p []byte, first int) error {
		line, row := make([]byte, stored.cols*size), p
		for r := first; len(row) > 0; r++ {
			if err := readFull(stored.src, line, int64(r)*int64(len(line))); err != nil {
				return err
			}
			for c := range m.cols {
				copy(row[c*size:(c+1)*size], line[(c*v.n+v.i)*size:])
			}
			row = row[m.cols*size:]
		}
		return nil
	}}
	return m, nil
}
