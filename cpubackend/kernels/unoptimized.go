//go:build race || asan

package kernels

// With Go's race detector, which does not look into C, and with the sanitizers of
// make sanitize, which do, C is compiled once more: as quickly as it can be. Flags
// follow each other as the names of files do, and the last -O counts.

// #cgo CFLAGS: -O1
import "C"
