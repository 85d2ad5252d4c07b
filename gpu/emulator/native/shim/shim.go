// Package shim holds the headers that replace <metal_stdlib> for compilers other
// than Apple's. It is data only.
package shim

import "embed"

//go:embed common cuda
var Files embed.FS

// Header is a file and the name by which sources include it.
type Header struct{ Path, Include string }

// CUDA lists the headers that NVRTC needs; it reads no files itself.
var CUDA = []Header{
	{"cuda/metal_stdlib", "metal_stdlib"},
	{"cuda/metal_simdgroup_matrix", "metal_simdgroup_matrix"},
	{"common/vectors.h", "vectors.h"},
	{"common/matrices.h", "matrices.h"},
}
