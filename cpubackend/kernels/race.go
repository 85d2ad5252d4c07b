//go:build race

package kernels

// The race detector does not look into C, which is compiled once more for it: as
// quickly as it can be.

// #cgo CFLAGS: -O1
import "C"
