package cpubackend

// #include "kernels/cpu.h"
import "C"

import (
	"fmt"

	"inglenook/engine"
)

// cacheBlock is the number of rows in a block of a cache, KEYS in cache.h.
const cacheBlock = engine.CacheBlock

// CacheMemory returns the memory of a cache, allocated now if there is none.
func (b *Backend) CacheMemory(t *engine.Tensor) (engine.Buffer, error) {
	return t.Memory(b.device.ID, func(int) (engine.Buffer, error) { return newMemory("a cache", cacheBytes(t)) })
}

// CacheLayout returns the name of the layout in cache.h, whose blocks are the
// engine's.
func (b *Backend) CacheLayout() string { return "keys by columns, values by rows" }

// cache returns the memory of a cache. The system provides its pages as rows are
// written, so a large capacity costs nothing.
func (r *run) cache(t *engine.Tensor) (*C.char, error) {
	m, err := r.b.CacheMemory(t)
	if err != nil {
		return nil, err
	}
	mine, ok := m.(*memory)
	if !ok {
		return nil, fmt.Errorf("the cache %s is a %T of another backend", t.Name, m)
	}
	return (*C.char)(mine.start), nil
}

// cacheBytes returns the size of a cache: whole blocks, and the overhang of the
// last vector of a row.
func cacheBytes(t *engine.Tensor) int {
	if t.State() {
		return t.Bytes()
	}
	return ceilDiv(t.Rows, cacheBlock)*cacheBlock*t.DType.RowBytes(t.Cols) + 4*cacheBlock
}

// append fills a record that writes the rows of k and v after those that the
// caches hold. x is k, y is v; a piece is one block of the caches.
func (r *run) append(o *C.struct_op, k, v *engine.Tensor, c *C.struct_causal) {
	o.kernel = r.b.kernel("cache")
	o.rows, o.cols = C.int64_t(k.Rows), C.int64_t(k.Cols)
	o.x, o.y, o.causal = r.floats(k), r.floats(v), c
	past := int(c.past)
	o.pieces = C.int64_t(ceilDiv(past+k.Rows, cacheBlock) - past/cacheBlock)
}
