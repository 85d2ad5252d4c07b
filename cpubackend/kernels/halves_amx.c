// Kernels of linear layers for x86-64 with tiles (AMX). All others are those of AVX-512.

#if defined(__x86_64__)

#define ISA amx
#define HAVE_AVX512
#define HAVE_AMX

#include "isa.h"
#include "vec.h"
#include "vecmath.h"
#include "sums.h"
#include "grids.h"
#include "qtypes.h"
#include "qblock.h"
#include "amx.h"
#include "open.h"
#include "halves.h"

const struct named_kernel halves_amx[] = {
	KERNEL(halve),
	KERNEL(linear_halves),
	{NULL, NULL},
};

#include "isa_end.h"

#endif
