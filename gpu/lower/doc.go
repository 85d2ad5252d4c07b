// Package lower turns operations of package engine into dispatches of GPU kernels
// (package gpu): which kernel, with which arguments, over which grid. It has a
// file for each operation, named like its kernels in metalbackend/kernels. A host
// such as metalbackend tells it where tensors lie in the device's memory, and runs
// the dispatches.
//
// It calls no GPU and compiles nothing: the same dispatches come out wherever it
// runs.
package lower
