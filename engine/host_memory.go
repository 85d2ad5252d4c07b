package engine

import (
	"fmt"
	"io"
)

// HostMemory is memory that the host sees. It implements [Buffer] except for
// allocation and release.
type HostMemory []byte

// Bytes returns the memory itself.
func (m HostMemory) Bytes() []byte { return m }

// ReadAt implements [io.ReaderAt].
func (m HostMemory) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off > int64(len(m)) {
		return 0, fmt.Errorf("read at %d of %d bytes", off, len(m))
	}
	n := copy(p, m[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt implements [io.WriterAt]: it writes all of p or nothing.
func (m HostMemory) WriteAt(p []byte, off int64) (int, error) {
	if off < 0 || off > int64(len(m)) || len(p) > len(m)-int(off) {
		return 0, fmt.Errorf("%d bytes at %d do not fit into %d", len(p), off, len(m))
	}
	return copy(m[off:], p), nil
}
