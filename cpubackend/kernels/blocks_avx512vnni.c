// Kernels for weights in block types, for x86-64 with AVX-512 and its dot products of bytes (VNNI).

#if defined(__x86_64__)

#define ISA avx512vnni
#define HAVE_AVX512
#define HAVE_VNNI

#include "isa.h"
#include "blocks.h"
#include "isa_end.h"

#endif
