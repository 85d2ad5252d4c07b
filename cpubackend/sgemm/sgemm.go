// Package sgemm is the kernel of linear layers that leaves the product to a function of
// another library, which package blas finds, and the check of such a function. Bias,
// activation and the layout of weights are those of package kernels.
//
// All products of a weight have the same sizes, whatever the number of rows. So a row has
// the same bits alone and among others, unless the function sums rows up differently at
// some places of a product, which Check finds out: then the last digits may differ.
package sgemm

/*
#cgo CFLAGS: -O3 -g1
#cgo LDFLAGS: -lm
#include "sgemm.h"
*/
import "C"

import "unsafe"

// Rows is the number of rows of every product.
const Rows = C.SGEMM_ROWS

// Kernel returns the address of the kernel.
func Kernel() unsafe.Pointer { return unsafe.Pointer(C.sgemm_linear) }

// Factor is the weight of a record of the kernel: struct factor in C.
type Factor struct {
	Panels  unsafe.Pointer
	Kernels unsafe.Pointer // struct kernels, of the instruction set that packed the panels
	Product uintptr        // cblas_sgemm
}

// Scratch returns the floats that a thread needs for pieces of so many columns.
func Scratch(inner, cols int) int { return int(C.sgemm_scratch(C.int64_t(inner), C.int64_t(cols))) }

// Cut returns how many rows and how many panels of columns one piece of a product has.
// The panels depend only on the weight, and so do the sizes of the products.
func Cut(rows, cols, inner, panel, threads int) (rowBlock, panels int) {
	const (
		weights = 1 << 18 // floats of a piece's weights: 1 MiB
		least   = 64      // columns
		widest  = 512
		most    = 1 << 28 // multiply-adds that keep the wait after a cancellation short
	)
	wide := max(least, min(widest, weights/inner/least*least))
	panels = min(max(1, wide/panel), ceilDiv(cols, panel))
	wide = panels * panel
	blocks := ceilDiv(2*threads, ceilDiv(cols, wide))
	rowBlock = ceilDiv(ceilDiv(rows, blocks), Rows) * Rows
	return max(Rows, min(rowBlock, most/(wide*inner)/Rows*Rows)), panels
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
