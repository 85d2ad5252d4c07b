//go:build race || asan

package sgemm

// Go's race detector, which does not look into C, and the sanitizers of make sanitize,
// which do, need C compiled once more; -O1 makes that quick. Flags follow each other
// in the order of file names, and the last -O counts.

// #cgo CFLAGS: -O1
import "C"
