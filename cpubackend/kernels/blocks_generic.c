// Kernels for weights in block types, for any machine.

#define ISA generic
#define VW 4
#define MR 6
#if defined(__aarch64__)
#define NV 4 // 32 registers
#else
#define NV 2 // 16 registers
#endif

#include "blocks.h"
