// Kernels for weights in block types, for arm64 with dot products of bytes.

#if defined(__aarch64__)

#define ISA dotprod
#define HAVE_DOTPROD

#include "isa.h"
#include "blocks.h"
#include "isa_end.h"

#endif
