// Kernels for weights in block types, for x86-64 with AVX2 and its dot products of bytes (AVX-VNNI).

#if defined(__x86_64__)

#define ISA avxvnni
#define HAVE_AVX2
#define HAVE_VNNI

#include "isa.h"
#include "blocks.h"
#include "isa_end.h"

#endif
