// Package scan multiplies a vector with many rows of vectors on the processor:
// the search by meaning of package documents. It needs no backend and has no
// threads of its own.
package scan

/*
#cgo CFLAGS: -O3 -g1 -I${SRCDIR}/../kernels
#include <stdint.h>

void scan_floats_generic(float *, const float *, const float *, int64_t, int64_t);
void scan_bytes_generic(float *, const float *, const int8_t *, int64_t, int64_t, int64_t);
#if defined(__x86_64__)
void scan_floats_avx2(float *, const float *, const float *, int64_t, int64_t);
void scan_bytes_avx2(float *, const float *, const int8_t *, int64_t, int64_t, int64_t);
void scan_floats_avx512(float *, const float *, const float *, int64_t, int64_t);
void scan_bytes_avx512(float *, const float *, const int8_t *, int64_t, int64_t, int64_t);
#endif

// width: floats in a vector of the instruction set
static void scan_floats(int width, float *out, const float *query, const void *rows, int64_t n, int64_t dimension) {
#if defined(__x86_64__)
	if (width == 16) {
		scan_floats_avx512(out, query, rows, n, dimension);
		return;
	}
	if (width == 8) {
		scan_floats_avx2(out, query, rows, n, dimension);
		return;
	}
#endif
	scan_floats_generic(out, query, rows, n, dimension);
}

static void scan_bytes(int width, float *out, const float *query, const void *rows, int64_t n, int64_t dimension, int64_t stride) {
#if defined(__x86_64__)
	if (width == 16) {
		scan_bytes_avx512(out, query, rows, n, dimension, stride);
		return;
	}
	if (width == 8) {
		scan_bytes_avx2(out, query, rows, n, dimension, stride);
		return;
	}
#endif
	scan_bytes_generic(out, query, rows, n, dimension, stride);
}
*/
import "C"

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"inglenook/cpubackend"
)

// A Scanner multiplies with the instructions of one set.
type Scanner struct{ width C.int }

// New returns the scanner of an instruction set out of [cpubackend.ISAs]; ""
// means the best.
func New(isa string) (Scanner, error) {
	usable := cpubackend.ISAs()
	if isa == "" {
		isa = usable[0]
	}
	switch {
	case !slices.Contains(usable, isa):
		return Scanner{}, fmt.Errorf("no kernels for %q here: this machine can run %v", isa, usable)
	case strings.HasPrefix(isa, "avx512"):
		return Scanner{16}, nil
	case strings.HasPrefix(isa, "avx"):
		return Scanner{8}, nil
	}
	return Scanner{4}, nil
}

// Floats sets out[i] to the dot product of query with row i of rows
// [len(out), len(query)].
func (s Scanner) Floats(out, query, rows []float32) {
	if len(out) == 0 || len(query) == 0 {
		clear(out)
		return
	}
	_ = rows[len(out)*len(query)-1]
	C.scan_floats(s.width, (*C.float)(&out[0]), (*C.float)(&query[0]), unsafe.Pointer(&rows[0]), C.int64_t(len(out)), C.int64_t(len(query)))
}

// Bytes is the same for rows of bytes, which are stride bytes apart. What is
// between len(query) and stride does not count.
func (s Scanner) Bytes(out, query []float32, rows []int8, stride int) {
	if len(out) == 0 || len(query) == 0 {
		clear(out)
		return
	}
	_ = rows[(len(out)-1)*stride+len(query)-1]
	C.scan_bytes(s.width, (*C.float)(&out[0]), (*C.float)(&query[0]), unsafe.Pointer(&rows[0]), C.int64_t(len(out)), C.int64_t(len(query)), C.int64_t(stride))
}
