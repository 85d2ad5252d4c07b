// Package cudabackend computes on an NVIDIA card: the kernels of Metal, compiled by
// NVRTC for the card, launched through NVIDIA's driver. Weights, activations and caches
// stay in the card's memory; the host sees them only in copies.
//
// Package driver calls the driver, package nvrtc the compiler, package fake stands in
// for the driver where there is no card: it runs the kernels in the emulator.
package cudabackend
