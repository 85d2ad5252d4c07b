package vectors

import "math/bits"

// A Bitmap is a set of rows.
type Bitmap []uint64

// Has reports whether row i is in the set.
func (b Bitmap) Has(i int) bool { return i>>6 < len(b) && b[i>>6]&(1<<(i&63)) != 0 }

// Add puts row i into the set.
func (b *Bitmap) Add(i int) {
	for i>>6 >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[i>>6] |= 1 << (i & 63)
}

// Remove takes row i out of the set.
func (b Bitmap) Remove(i int) {
	if i>>6 < len(b) {
		b[i>>6] &^= 1 << (i & 63)
	}
}

// Count returns how many rows are in the set.
func (b Bitmap) Count() (n int) {
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

// any reports whether a row from first to last-1 is in the set. Both are
// multiples of 64, or last is past the end.
func (b Bitmap) any(first, last int) bool {
	for i := first >> 6; i < (last+63)>>6 && i < len(b); i++ {
		if b[i] != 0 {
			return true
		}
	}
	return false
}
