// Package gpu is what the hosts of GPUs share, as plain data: it knows neither
// Metal's runtime nor CUDA's. A [Dispatch] names a kernel, its grid and the
// [Region] behind each of its buffers. Package lower makes dispatches out of
// operations; a host turns them into calls of its own API.
//
// The packages below it: lower, msl (parser of the kernels' dialect and writers for
// other compilers) and emulator (runs kernels on the processor).
package gpu
