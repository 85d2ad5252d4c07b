// Kernels for x86-64 with AVX2, FMA and F16C.

#if defined(__x86_64__)

#define ISA avx2
#define HAVE_AVX2

#include "isa.h"
#include "kernels.h"
#include "isa_end.h"

#endif
