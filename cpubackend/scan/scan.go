// Package scan multiplies a vector with many rows of vectors on the processor:
// the search by meaning of package documents. It needs no backend and has no
// threads of its own.
package scan

/*
#cgo CFLAGS: -O3 -g1 -I${SRCDIR}/../kernels
#include <stdint.h>

void scan_floats_generic(float *, const float *, const float *, int64_t, int64_t);
void scan_bytes_generic(float *, const float *, const int8_t *, int64_t, int64_t, int64_t);
void scan_bits_generic(int32_t *, int32_t *, const uint64_t *, const uint8_t *, int64_t, int64_t, int64_t);
#if defined(__x86_64__)
void scan_floats_avx2(float *, const float *, const float *, int64_t, int64_t);
void scan_bytes_avx2(float *, const float *, const int8_t *, int64_t, int64_t, int64_t);
void scan_bits_avx2(int32_t *, int32_t *, const uint64_t *, const uint8_t *, int64_t, int64_t, int64_t);
void scan_floats_avx512(float *, const float *, const float *, int64_t, int64_t);
void scan_bytes_avx512(float *, const float *, const int8_t *, int64_t, int64_t, int64_t);
void scan_bits_avx512(int32_t *, int32_t *, const uint64_t *, const uint8_t *, int64_t, int64_t, int64_t);
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

static void scan_bits(int width, int32_t *out, int32_t *ones, const uint64_t *planes, const void *rows, int64_t n, int64_t words, int64_t stride) {
#if defined(__x86_64__)
	if (width == 16) {
		scan_bits_avx512(out, ones, planes, rows, n, words, stride);
		return;
	}
	if (width == 8) {
		scan_bits_avx2(out, ones, planes, rows, n, words, stride);
		return;
	}
#endif
	scan_bits_generic(out, ones, planes, rows, n, words, stride);
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

// Bits sets out[i] to how many bits row i shares with four planes, those of plane
// p counted 2^p times, and ones[i] to how many bits it has. The planes lie end to end
// and are as long as a row, in words of 64 bits; rows are stride bytes apart.
func (s Scanner) Bits(out, ones []int32, planes []uint64, rows []byte, stride int) {
	if len(out) == 0 || len(planes) == 0 {
		clear(out)
		clear(ones)
		return
	}
	words := len(planes) / 4
	_, _ = rows[(len(out)-1)*stride+8*words-1], ones[len(out)-1]
	C.scan_bits(s.width, (*C.int32_t)(&out[0]), (*C.int32_t)(&ones[0]), (*C.uint64_t)(&planes[0]), unsafe.Pointer(&rows[0]), C.int64_t(len(out)), C.int64_t(words), C.int64_t(stride))
}
