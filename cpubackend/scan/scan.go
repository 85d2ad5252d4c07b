// Package scan multiplies a vector with many rows of vectors on the processor, for
// the search by meaning in package documents. It needs no backend and has no
// threads of its own.
package scan

/*
#cgo CFLAGS: -O3 -g1 -I${SRCDIR}/../kernels
#include "scanner.h"

// scanner_of returns the scanner whose instruction set has vectors of that many floats.
static const struct scanner *scanner_of(int width) {
#if defined(__x86_64__)
	if (width == 16) {
		return &scan_avx512;
	}
	if (width == 8) {
		return &scan_avx2;
	}
#endif
	return &scan_generic;
}

// Go cannot call through pointers of C.
static void scan_floats(const struct scanner *s, float *out, const float *query, const float *rows, int64_t n, int64_t dimension) {
	s->floats(out, query, rows, n, dimension);
}

static void scan_bytes(const struct scanner *s, float *out, const float *query, const int8_t *rows, int64_t n, int64_t dimension, int64_t stride) {
	s->bytes(out, query, rows, n, dimension, stride);
}

static void scan_bits(const struct scanner *s, int32_t *out, int32_t *ones, const uint64_t *planes, const uint8_t *rows, int64_t n, int64_t words, int64_t stride) {
	s->bits(out, ones, planes, rows, n, words, stride);
}
*/
import "C"

import (
	"fmt"
	"slices"
	"strings"

	"inglenook/cpubackend"
)

// A Scanner multiplies with the instructions of one set.
type Scanner struct{ kernels *C.struct_scanner }

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
		return Scanner{C.scanner_of(16)}, nil
	case strings.HasPrefix(isa, "avx"):
		return Scanner{C.scanner_of(8)}, nil
	}
	return Scanner{C.scanner_of(4)}, nil
}

// Floats sets out[i] to the dot product of query with row i of rows
// [len(out), len(query)].
func (s Scanner) Floats(out, query, rows []float32) {
	if len(out) == 0 || len(query) == 0 {
		clear(out)
		return
	}
	_ = rows[len(out)*len(query)-1]
	C.scan_floats(s.kernels, (*C.float)(&out[0]), (*C.float)(&query[0]), (*C.float)(&rows[0]), C.int64_t(len(out)), C.int64_t(len(query)))
}

// Bytes is the same for rows of bytes, which are stride bytes apart. It ignores the
// bytes between len(query) and stride.
func (s Scanner) Bytes(out, query []float32, rows []int8, stride int) {
	if len(out) == 0 || len(query) == 0 {
		clear(out)
		return
	}
	_ = rows[(len(out)-1)*stride+len(query)-1]
	C.scan_bytes(s.kernels, (*C.float)(&out[0]), (*C.float)(&query[0]), (*C.int8_t)(&rows[0]), C.int64_t(len(out)), C.int64_t(len(query)), C.int64_t(stride))
}

// Bits counts the bits that row i shares with four planes, those of plane p 2^p
// times, into out[i], and the bits of the row into ones[i]. The planes lie end to end
// and are as long as a row, in words of 64 bits; rows are stride bytes apart.
func (s Scanner) Bits(out, ones []int32, planes []uint64, rows []byte, stride int) {
	if len(out) == 0 || len(planes) == 0 {
		clear(out)
		clear(ones)
		return
	}
	words := len(planes) / 4
	_, _ = rows[(len(out)-1)*stride+8*words-1], ones[len(out)-1]
	C.scan_bits(s.kernels, (*C.int32_t)(&out[0]), (*C.int32_t)(&ones[0]), (*C.uint64_t)(&planes[0]), (*C.uint8_t)(&rows[0]), C.int64_t(len(out)), C.int64_t(words), C.int64_t(stride))
}
