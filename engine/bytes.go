package engine

import "unsafe"

// Values of inputs and results lie in host memory as bytes in the machine's own order.

// bytesOf returns the bytes of values.
func bytesOf[T int32 | float32](v []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 4*len(v))
}

// ints returns the values of a column that passed needInts.
func (t *Tensor) ints() []int32 { return valuesOf[int32](t.host) }

// valuesOf returns the values whose bytes begin at an address that suits them, as all memory for
// inputs and results does.
func valuesOf[T int32 | float32](b []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
}
