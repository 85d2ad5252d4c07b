package metalbackend

import (
	"fmt"
	"io"
	"unsafe"

	"inglenook/metalbackend/objc"
)

// memory is a Metal buffer in shared storage: an arena, a weight, a cache,
// working memory. The GPU and the host see the same bytes.
type memory struct {
	b     *Backend
	id    objc.ID
	start unsafe.Pointer
	bytes int
}

// Bytes is the memory itself, nil once it is closed.
func (m *memory) Bytes() []byte { return unsafe.Slice((*byte)(m.start), m.bytes) }

func (m *memory) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off > int64(m.bytes) {
		return 0, fmt.Errorf("read at %d of %d bytes", off, m.bytes)
	}
	n := copy(p, m.Bytes()[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (m *memory) WriteAt(p []byte, off int64) (int, error) {
	if off < 0 || off > int64(m.bytes) || len(p) > m.bytes-int(off) {
		return 0, fmt.Errorf("%d bytes at %d do not fit into %d", len(p), off, m.bytes)
	}
	return copy(m.Bytes()[off:], p), nil
}
