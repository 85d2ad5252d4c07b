// Package cuda runs the Metal kernels on an NVIDIA card: the same source,
// compiled by NVRTC through a shim, launched as the emulator launches it. It
// checks and measures kernels on real hardware where no Mac is available.
//
// An [Executor] gives every launch its own exact allocations, so that
// compute-sanitizer sees each access outside them. It copies everything that a
// kernel accesses to the card and back: fine for conformance, far too slow for
// use.
//
// scripts/cuda.sh compares two versions of the kernels on a card. The folder that
// INGLENOOK_CUBINS names keeps compiled programs, since compiling takes a minute.
//
// Package cudabackend computes on such cards for people, and does without the copies.
package cuda
