// Dot products for any machine, in vectors of four floats: SSE2 on x86-64, NEON
// on arm64.

#define ISA generic
#define VW 4
#define MR 1
#define NV 1

#include "scan.h"
