// Kernels for weights in block types, for arm64 with dot products of bytes.

#if defined(__aarch64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)
#else
#pragma GCC target("arch=armv8.2-a+dotprod")
#endif

#define ISA dotprod
#define HAVE_DOTPROD
#define VW 4
#define NV 4
#define MR 6

#include "blocks.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
