// The instruction set that a file is compiled for, from here to isa_end.h. The
// file first defines ISA, which ends the names of its tables, and what the
// instruction set has beyond any machine of its architecture:
//   HAVE_AVX2      x86-64 with AVX2, FMA and F16C
//   HAVE_AVX512    the same and AVX-512 (F, BW, DQ, VL)
//   HAVE_VNNI      beside one of these: dot products of bytes
//   HAVE_AMX       beside AVX-512: BF16, and tiles that multiply it
//   HAVE_DOTPROD   arm64 with dot products of bytes
//   HAVE_I8MM      beside HAVE_DOTPROD: products of matrices of bytes
// With none of them it is SSE2 on x86-64 and NEON on arm64. The sizes follow:
//   VW     floats in a vector
//   NV     vectors in a row of a panel of packed weights
//   MR     rows of a tile: MR*NV sums must fit in the registers
//   SLOW_HALVES   F16 and BF16 are better widened a panel at a time

#if defined(HAVE_AVX512) // 24 sums in 32 registers
#define VW 16
#define NV 2
#define MR 12
#elif defined(HAVE_AVX2) // 12 sums in 16 registers
#define VW 8
#define NV 2
#define MR 6
#elif defined(__aarch64__) // 24 sums in 32 registers
#define VW 4
#define NV 4
#define MR 6
#else // 12 sums in 16 registers
#define VW 4
#define NV 2
#define MR 6
#define SLOW_HALVES
#endif

#if defined(HAVE_AMX)
#define TARGET "amx-tile,amx-bf16,avx512bf16,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,popcnt"
#elif defined(HAVE_AVX512) && defined(HAVE_VNNI)
#define TARGET "avx512vnni,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,popcnt"
#elif defined(HAVE_AVX512)
#define TARGET "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,popcnt"
#elif defined(HAVE_AVX2) && defined(HAVE_VNNI)
#define TARGET "avxvnni,avx2,fma,f16c,popcnt"
#elif defined(HAVE_AVX2)
#define TARGET "avx2,fma,f16c,popcnt"
#elif defined(HAVE_I8MM) && defined(__clang__)
#define TARGET "dotprod,i8mm"
#elif defined(HAVE_I8MM)
#define TARGET "arch=armv8.2-a+dotprod+i8mm"
#elif defined(HAVE_DOTPROD) && defined(__clang__)
#define TARGET "dotprod"
#elif defined(HAVE_DOTPROD)
#define TARGET "arch=armv8.2-a+dotprod"
#endif

#define PRAGMA_(TEXT) _Pragma(#TEXT)
#define PRAGMA(TEXT) PRAGMA_(TEXT)

#if defined(TARGET) && defined(__clang__)
PRAGMA(clang attribute push(__attribute__((target(TARGET))), apply_to = function))
#elif defined(TARGET)
PRAGMA(GCC target(TARGET))
#endif
