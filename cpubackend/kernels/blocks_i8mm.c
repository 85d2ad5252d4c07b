// Kernels for weights in block types, for arm64 with products of matrices of bytes.

#if defined(__aarch64__)

#define ISA i8mm
#define HAVE_DOTPROD
#define HAVE_I8MM

#include "isa.h"
#include "blocks.h"
#include "isa_end.h"

#endif
