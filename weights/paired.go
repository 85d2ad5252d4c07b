package weights

import "fmt"

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
