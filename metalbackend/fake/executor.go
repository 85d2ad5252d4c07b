package fake

import "inglenook/gpu"

// Executor runs kernels where there is no Metal.
type Executor interface {
	// Alloc returns zeroed, page-aligned memory outside Go's heap that kernels
	// can access. Free frees it.
	Alloc(bytes int) ([]byte, error)
	Free(mem []byte) error
	// Has returns an error if it lacks a kernel of the library. A function for that
	// kernel then cannot be made, and other kernels still run.
	Has(kernel string) error
	// Run runs one launch and returns when it is done. The launch's memory
	// belongs to the caller, who reuses it.
	Run(l *gpu.Launch) error
}
