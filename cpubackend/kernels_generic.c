// Kernels for any machine, in vectors of four floats: SSE2 on x86-64, NEON on arm64.

#define ISA generic
#define VW 4
#define MR 6
#if defined(__aarch64__)
#define NV 4 // 32 registers
#else
#define NV 2 // 16 registers
#endif

#include "kernels.h"
