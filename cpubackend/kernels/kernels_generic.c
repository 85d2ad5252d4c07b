// Kernels for any machine, in vectors of four floats: SSE2 on x86-64, NEON on arm64.

#define ISA generic
#define VW 4
#define MR 6
#if defined(__aarch64__)
#define NV 4 // 32 registers
#else
#define NV 2 // 16 registers
#define SLOW_HALVES // F16 and BF16 are converted a panel at a time
#endif

#include "kernels.h"
