// Package kernels is the C side of package cpubackend: the kernels of each
// instruction set, the choice among them, the team of threads and memory. cpu.h
// declares what there is; cpubackend includes it and links to this package by
// importing it. This is the only Go file, so that C is compiled again when C has
// changed and not with every edit of Go code.
//
// A file of kernels, such as linear.h, is included by one compile unit for each
// instruction set: kernels_*.c, or blocks_*.c for weights in block types. isa.h
// has the sizes and the compiler's flags of each set.
package kernels

// Full debug information would double the compile time. -g1 keeps what a profiler
// needs, names and lines.

/*
#cgo CFLAGS: -O3 -g1
#cgo LDFLAGS: -lm -lpthread
*/
import "C"
