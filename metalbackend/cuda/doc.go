// Package cuda runs the Metal kernels on an NVIDIA card: the same source,
// compiled by NVRTC through a shim, launched as the emulator launches it. It is
// for checking and measuring kernels on real hardware where no Mac is at hand.
//
// An [Executor] gives every launch its own exact allocations, so that
// compute-sanitizer sees each access outside them. That copies whatever a kernel
// touches to the card and back: right for conformance, far too slow for use.
//
// Both libraries are opened at run time; the package needs no C compiler.
// [Compile] alone needs no card.
package cuda
