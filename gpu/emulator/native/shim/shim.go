// Package shim holds what stands for <metal_stdlib> where the compiler is not
// Apple's. It is data only.
package shim

import "embed"

//go:embed common cuda
var Files embed.FS

// Header is a file and the name by which sources include it.
type Header struct{ Path, Include string }

// CUDA are the headers that NVRTC needs; it reads no files of its own.
var CUDA = []Header{
	{"cuda/metal_stdlib", "metal_stdlib"},
	{"cuda/metal_simdgroup_matrix", "metal_simdgroup_matrix"},
	{"common/vectors.h", "vectors.h"},
	{"common/matrices.h", "matrices.h"},
}
