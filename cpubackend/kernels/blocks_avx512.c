// Kernels for weights in block types, for x86-64 with AVX-512.

#if defined(__x86_64__)

#define ISA avx512
#define HAVE_AVX512

#include "isa.h"
#include "blocks.h"
#include "isa_end.h"

#endif
