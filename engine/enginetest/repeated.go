package enginetest

import (
	"io"

	"inglenook/engine"
)

// Repeated is the source of a weight of any size that repeats some random rows.
type Repeated []byte

// NewRepeated returns 64 random rows of a type with so many columns.
func NewRepeated(d engine.DType, cols int, deviation float32) Repeated {
	const rows = 64
	w := RandomWeight("w", d, rows, cols, deviation, 1)
	data := make(Repeated, w.Bytes())
	if _, err := w.Source().ReadAt(data, 0); err != nil && err != io.EOF {
		panic(err)
	}
	return data
}

// ReadAt fills p.
func (r Repeated) ReadAt(p []byte, off int64) (int, error) {
	for n := 0; n < len(p); {
		n += copy(p[n:], r[(off+int64(n))%int64(len(r)):])
	}
	return len(p), nil
}
