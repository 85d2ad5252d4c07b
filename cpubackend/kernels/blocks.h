// The kernels for weights in block types, and the table of them, for the
// instruction set that the including file has chosen.

#include "vec.h"
#include "vecmath.h"
#include "tile.h"
#include "sums.h"
#include "grids.h"
#include "qtypes.h"
#include "qblock.h"
#include "qdot.h"
#include "qpack.h"
#if defined(HAVE_DOT)
#include "qlevels.h"
#if defined(HAVE_I8MM)
#include "qmatrix.h"
#endif
#include "qtile.h"
#if defined(HAVE_PAIRS)
#include "qpairs.h"
#else
#include "qbytes.h"
#endif
#include "qstrip.h"
#include "qwide.h"
#include "qrow.h"
#if defined(HAVE_FEW)
#include "qfew.h"
#endif
#include "quantize.h"
#endif
#include "qlinear.h"
#include "experts_of.h"
#include "qexperts.h"

static const struct named_kernel named_kernels[] = {
	KERNEL(embed_blocks),
#if defined(HAVE_DOT)
	KERNEL(quantize_x),
	KERNEL(quantize_rows),
#endif
	KERNEL(linear_blocks),
	KERNEL(experts_blocks),
	{NULL, NULL},
};

const struct block_kernels JOIN(blocks_, ISA) = {
#if defined(HAVE_DOT)
	.x_tile = {MR, WIDE_ROWS},
	.x_bytes = {sizeof(struct x_run), sizeof(struct x_wide)},
	.open_bytes = OPEN_BYTES,
	.passes = (int)PANEL == (int)RUN,
#endif
	.x_form = in_bytes,
	.pack = pack_panels,
	.packed_bytes = packed_bytes,
	.widen = widen_blocks,
	.named = named_kernels,
};
