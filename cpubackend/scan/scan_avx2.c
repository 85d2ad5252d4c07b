// Dot products for x86-64 with AVX2, FMA and F16C.

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,f16c,popcnt")
#endif

#define ISA avx2
#define HAVE_AVX2
#define VW 8
#define NV 2
#define MR 6

#include "scan.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
