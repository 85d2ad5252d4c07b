package cpubackend

// #include <stdlib.h>
import "C"

import (
	"unsafe"

	"inglenook/engine"
)

// tables allocate C memory that lasts for one run: spans, turns, modes. They keep
// the memory for later runs.
type tables struct {
	blocks []block // the last one is in use, the others are full
	used   int     // bytes of the last block
	shared []sharedTable
}

type block struct {
	start unsafe.Pointer
	bytes int
}

// leastBlock is the size of the first block, in bytes.
const leastBlock = 1 << 16

// take returns n zero bytes, aligned for any type. They have to be zero: where a Go pointer is
// written into them while the garbage collector works, it takes what was there before for a
// pointer too, and ends the program if that only looks like one.
func (t *tables) take(n int) (unsafe.Pointer, error) {
	n = ceilDiv(max(n, 1), 64) * 64
	if len(t.blocks) == 0 || n > t.blocks[len(t.blocks)-1].bytes-t.used {
		size := leastBlock
		for size < n+t.bytes() {
			size *= 2
		}
		p := C.malloc(C.size_t(size))
		if p == nil {
			return nil, noMemory("a table", size)
		}
		t.blocks, t.used = append(t.blocks, block{p, size}), 0
	}
	p := unsafe.Add(t.blocks[len(t.blocks)-1].start, t.used)
	t.used += n
	clear(unsafe.Slice((*byte)(p), n))
	return p, nil
}

func (t *tables) bytes() (n int) {
	for _, b := range t.blocks {
		n += b.bytes
	}
	return n
}

// reset reclaims everything. It keeps the last block, which is the largest.
func (t *tables) reset() {
	clear(t.shared)
	t.shared, t.used = t.shared[:0], 0
	if last := len(t.blocks) - 1; last > 0 {
		for _, b := range t.blocks[:last] {
			C.free(b.start)
		}
		t.blocks = append(t.blocks[:0], t.blocks[last])
	}
}

func (t *tables) free() {
	t.reset()
	for _, b := range t.blocks {
		C.free(b.start)
	}
	*t = tables{}
}

// table returns C memory for n values until the run is over.
func table[T any](r *run, n int) ([]T, error) {
	var t T
	p, err := r.tables.take(n * int(unsafe.Sizeof(t)))
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*T)(p), n), nil
}

// tableKey identifies a table by its inputs. The operation that makes the table
// defines the meaning of the fields.
type tableKey struct {
	what   tableKind
	of     *engine.Tensor
	rotary *engine.Rotary
	sizes  [3]int
}

type tableKind int

const (
	zeros    tableKind = iota // sizes: floats
	cuts                      // of: the starts of texts; sizes: heads, columns
	buckets                   // sizes: rows of the bias, its largest distance, the longest text
	turns                     // of: the positions; rotary
	parts                     // sizes: floats
	backward                  // sizes: rows of the bias, its largest distance, distances
	sights                    // sizes: floats
)

// sharedTable is a table that several operations of a run use.
type sharedTable struct {
	key   tableKey
	start unsafe.Pointer
	n     int
}

// shared makes a table once a run for all operations that use the same key.
func shared[T any](r *run, key tableKey, build func() ([]T, error)) ([]T, error) {
	for i := range r.tables.shared {
		if s := &r.tables.shared[i]; s.key == key {
			return unsafe.Slice((*T)(s.start), s.n), nil
		}
	}
	t, err := build()
	if err != nil {
		return nil, err
	}
	r.tables.shared = append(r.tables.shared, sharedTable{key, unsafe.Pointer(unsafe.SliceData(t)), len(t)})
	return t, nil
}
