// Dot products for any machine, in vectors of four floats: SSE2 on x86-64, NEON on arm64.

#define ISA generic

#include "isa.h"
#include "scan.h"
#include "isa_end.h"
