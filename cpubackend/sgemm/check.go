package sgemm

/*
#include <stdlib.h>
#include "sgemm.h"

// Go cannot call through pointers of C.
static int64_t panel_of(const struct kernels *k) { return k->panel; }
static void pack_floats(const struct kernels *k, const float *w, int64_t rows, int64_t inner, float *panels) {
	k->pack(DTYPE_F32, w, rows, inner, panels);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"unsafe"
)

// shape are the sizes of a product that is checked.
type shape struct{ rows, inner, cols int }

// Odd sizes, and those of small layers; none takes longer than a few milliseconds.
var shapes = []shape{{1, 1, 1}, {3, 7, 5}, {64, 64, 64}, {65, 33, 70}, {70, 384, 129}, {66, 1031, 33}}

// Check compares the products of a function, cblas_sgemm, with sums in 64 bits. even reports
// whether a row has the same bits at every place of a product. kernels is a struct kernels. An
// error is a part of a sentence.
func Check(product uintptr, kernels unsafe.Pointer) (even bool, err error) {
	even = true
	for _, s := range shapes {
		same, err := s.check(product, kernels)
		if err != nil {
			return false, err
		}
		even = even && same
	}
	return even, nil
}

func (s shape) check(product uintptr, kernels unsafe.Pointer) (even bool, err error) {
	r := rand.New(rand.NewPCG(uint64(s.inner), uint64(s.cols)))
	x, w, bias := floats(r, s.rows*s.inner), floats(r, s.cols*s.inner), floats(r, s.cols)
	got, err := s.multiply(product, kernels, x, w, bias)
	if err != nil {
		return false, err
	}
	for row := range s.rows {
		for col := range s.cols {
			want, size := float64(bias[col]), 1.0
			for k := range s.inner {
				p := float64(x[row*s.inner+k]) * float64(w[col*s.inner+k])
				want, size = want+p, size+math.Abs(p)
			}
			if !(math.Abs(float64(got[row*s.cols+col])-want) <= 1e-6*size) {
				return false, fmt.Errorf("its products are wrong: row %d, column %d of %d times %d is %v and should be %v", row+1, col+1, s.inner, s.cols, got[row*s.cols+col], want)
			}
		}
	}
	same, err := s.multiply(product, kernels, slices.Repeat(x[:s.inner], s.rows), w, bias)
	if err != nil {
		return false, err
	}
	for row := range s.rows {
		if !slices.Equal(same[row*s.cols:][:s.cols], got[:s.cols]) {
			return false, nil
		}
	}
	return true, nil
}

func floats(r *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = r.Float32()*2 - 1
	}
	return v
}

// multiply runs the kernel: x·wᵀ + bias, [rows, cols].
func (s shape) multiply(product uintptr, kernels unsafe.Pointer, x, w, bias []float32) ([]float32, error) {
	k := (*C.struct_kernels)(kernels)
	panel := int(C.panel_of(k))
	padded := ceilDiv(s.cols, panel) * panel
	rowBlock, panels := Cut(s.rows, s.cols, s.inner, panel, 1)
	var room arena
	defer room.free()
	packed := room.take(padded * s.inner)
	given, weight, row := room.take(len(x)), room.take(len(w)), room.take(padded)
	out, scratch := room.take(s.rows*s.cols), room.take(Scratch(s.inner, panels*panel))
	if room.full {
		return nil, errors.New("there is no memory to check it")
	}
	copy(given.values, x)
	copy(weight.values, w)
	copy(row.values, bias)
	C.pack_floats(k, weight.start, C.int64_t(s.cols), C.int64_t(s.inner), packed.start)
	factor := (*C.struct_factor)(C.calloc(1, C.sizeof_struct_factor))
	if factor == nil {
		return nil, errors.New("there is no memory to check it")
	}
	defer C.free(unsafe.Pointer(factor))
	*(*Factor)(unsafe.Pointer(factor)) = Factor{unsafe.Pointer(packed.start), kernels, product}
	o := (*C.struct_op)(C.calloc(1, C.sizeof_struct_op))
	if o == nil {
		return nil, errors.New("there is no memory to check it")
	}
	defer C.free(unsafe.Pointer(o))
	o.rows, o.cols, o.inner = C.int64_t(s.rows), C.int64_t(s.cols), C.int64_t(s.inner)
	o.row_block, o.col_block = C.int64_t(rowBlock), C.int64_t(panels)
	o.x, o.bias, o.out, o.weight = given.start, row.start, out.start, unsafe.Pointer(factor)
	for piece := range ceilDiv(s.rows, rowBlock) * ceilDiv(ceilDiv(s.cols, panel), panels) {
		C.sgemm_linear(o, C.int64_t(piece), scratch.start)
	}
	return slices.Clone(out.values), nil
}

// arena is C memory for a check.
type arena struct {
	starts []unsafe.Pointer
	full   bool
}

type space struct {
	start  *C.float
	values []float32
}

// take returns n zeros.
func (a *arena) take(n int) space {
	p := C.calloc(C.size_t(n), 4)
	if p == nil {
		a.full = true
		return space{}
	}
	a.starts = append(a.starts, p)
	return space{(*C.float)(p), unsafe.Slice((*float32)(p), n)}
}

func (a *arena) free() {
	for _, p := range a.starts {
		C.free(p)
	}
}
