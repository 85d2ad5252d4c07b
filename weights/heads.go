package weights

import (
	"errors"
	"fmt"
	"strconv"

	"inglenook/weights/gguf"
)

// heads reads the sizes of attention from a GGUF file's metadata.
type heads struct {
	meta         *gguf.Meta
	architecture string
}

// query and keyValue return the number of heads in a layer. In some models it differs
// between layers.
func (h heads) query(layer string) (int, error) { return h.number("attention.head_count", layer) }

func (h heads) keyValue(layer string) (int, error) {
	n, err := h.number("attention.head_count_kv", layer)
	if errors.Is(err, gguf.ErrNoKey) {
		return h.query(layer)
	}
	return n, err
}

func (h heads) number(key, layer string) (int, error) {
	key = h.architecture + "." + key
	all, err := h.meta.Ints(key)
	if err != nil {
		return 0, err
	}
	i := 0
	if len(all) != 1 {
		if i, err = strconv.Atoi(layer); err != nil || i >= len(all) {
			return 0, fmt.Errorf("the metadata %s have no number for layer %s", key, layer)
		}
	}
	if all[i] < 1 {
		return 0, fmt.Errorf("the metadata %s are %d", key, all[i])
	}
	return all[i], nil
}

// checkHeads checks that rows in the converter's order consist of whole heads.
func (t *stored) checkHeads() error {
	if t.heads == 0 {
		return nil
	}
	rows := 1
	if len(t.shape) > 0 {
		rows = t.shape[0]
	}
	if t.heads > rows || rows%(2*t.heads) != 0 {
		return fmt.Errorf("its %d rows are not %d heads of pairs", rows, t.heads)
	}
	if len(t.shape) == 1 && weightTypes[t.dtype].Quantized() {
		return fmt.Errorf("it is a vector of %s", t.dtype)
	}
	return nil
}

// inHeadOrder undoes the reordering of Llama's query and key rows by llama.cpp's
// converter. The converter interleaves the two halves of a head that rotate together: row
// 2j+i of a head is Hugging Face's row i·d/2+j.
func inHeadOrder(m matrix, count int) matrix {
	rows, rowBytes := m.rows, m.dtype.RowBytes(m.cols)
	if rows == 1 { // a bias
		rows, rowBytes = m.cols, m.dtype.BlockBytes()
	}
	stored, half := m.src, rows/count/2
	m.src = &rowReader{rows: rows, rowBytes: rowBytes, read: func(p []byte, first int) error {
		var pairs []byte
		for row := first; len(p) > 0; {
			head, i, j := row/(2*half), row/half%2, row%half
			// The rest of this half, as far as requested, in pieces of bounded size.
			n := min(half-j, len(p)/rowBytes, max(1, pairBytes/(2*rowBytes)))
			from, span := head*2*half+2*j+i, (2*n-1)*rowBytes
			if len(pairs) < span {
				pairs = make([]byte, span)
			}
			if err := readFull(stored, pairs[:span], int64(from)*int64(rowBytes)); err != nil {
				return err
			}
			for k := range n {
				copy(p[k*rowBytes:(k+1)*rowBytes], pairs[2*k*rowBytes:])
			}
			p, row = p[n*rowBytes:], row+n
		}
		return nil
	}}
	return m
}

// pairBytes is how much is read at once of rows stored in pairs.
const pairBytes = 256 << 10
