// Package kernels is the C side of package cpubackend: the kernels of each
// instruction set, the choice among them, the team of threads and memory. cpu.h
// says what there is; cpubackend includes it and links to this package by its
// import. Of Go there is only this file, so that C is compiled anew when C has
// changed and not with every edit of Go code.
//
// A file of kernels, such as linear.h, is included by one compile unit for each
// instruction set: kernels_*.c, or blocks_*.c for weights in block types.
package kernels

// Full debug information would take as long again to make as the code itself; -g1
// keeps what a profiler asks for, names and lines.

/*
#cgo CFLAGS: -O3 -g1
#cgo LDFLAGS: -lm -lpthread
*/
import "C"
