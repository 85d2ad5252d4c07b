// Dot products for x86-64 with AVX-512.

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,popcnt")
#endif

#define ISA avx512
#define HAVE_AVX512
#define VW 16
#define NV 2
#define MR 12

#include "scan.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
