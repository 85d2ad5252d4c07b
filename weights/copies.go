package weights

import (
	"bytes"
	"io"
	"slices"
)

// How much of two tensors is compared at first, and then at a time.
const (
	firstBytes   = 4 << 10
	compareBytes = 1 << 20
)

// Copies reports whether the tensor named below this scope is stored a second time, byte for
// byte, as another name below from. Some checkpoints store a tied output layer like that. An
// outline does not read the bytes, so it reports false.
func (c *Scope) Copies(name string, from *Scope, other string) bool {
	a, b := c.set.find(c.prefix+name), from.set.find(from.prefix+other)
	if a == nil || b == nil || c.set.outline || from.set.outline {
		return false
	}
	return a.equal(b)
}

// equal compares type, shape and bytes. Tensors that differ do so in their first bytes, as a
// rule, so this is slow only for tensors that are equal. Bytes that cannot be read are not equal:
// loading the tensors reports the error.
func (t *stored) equal(other *stored) bool {
	switch {
	case t == other:
		return true
	case t.file == nil || other.file == nil || t.dtype != other.dtype || t.heads != other.heads || !slices.Equal(t.shape, other.shape) || t.end-t.begin != other.end-other.begin:
		return false
	}
	size := t.end - t.begin
	p, q := make([]byte, min(size, compareBytes)), make([]byte, min(size, compareBytes))
	for at, n := int64(0), min(size, firstBytes); at < size; at, n = at+n, min(size-at-n, compareBytes) {
		if !readAt(t, p[:n], at) || !readAt(other, q[:n], at) || !bytes.Equal(p[:n], q[:n]) {
			return false
		}
	}
	return true
}

func readAt(t *stored, p []byte, at int64) bool {
	n, err := t.file.ReadAt(p, t.begin+at)
	return n == len(p) && (err == nil || err == io.EOF)
}
