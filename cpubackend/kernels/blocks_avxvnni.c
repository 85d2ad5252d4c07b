// Kernels for weights in block types, for x86-64 with AVX2 and its dot products of bytes (AVX-VNNI).

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avxvnni,avx2,fma,f16c"))), apply_to = function)
#else
#pragma GCC target("avxvnni,avx2,fma,f16c")
#endif

#define ISA avxvnni
#define HAVE_AVX2
#define HAVE_VNNI
#define VW 8
#define NV 2
#define MR 6

#include "blocks.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
