// Kernels for weights in block types, for any machine.

#define ISA generic

#include "isa.h"
#include "blocks.h"
#include "isa_end.h"
