// The kernels for weights in block types, and the table of them, for the
// instruction set that the including file has chosen.

#include "vec.h"
#include "vecmath.h"
#include "tile.h"
#include "sums.h"
#include "qtypes.h"
#include "qblock.h"
#include "qdot.h"
#include "qpack.h"
#include "quantize.h"
#if defined(HAVE_DOT)
#include "qtile.h"
#include "qrow.h"
#endif
#if defined(HAVE_PAIRS)
#include "qpairs.h"
#endif
#include "qlinear.h"

static const struct named_kernel named_kernels[] = {
	KERNEL(embed_blocks),
	KERNEL(quantize_x),
	KERNEL(linear_blocks),
	{NULL, NULL},
};

const struct block_kernels JOIN(blocks_, ISA) = {
#if defined(HAVE_DOT)
	.x_tile = {MR, PAIR_ROWS},
	.x_bytes = {sizeof(struct x_run), sizeof(struct x_pairs)},
	.open_bytes = OPEN_BYTES,
#endif
	.x_form = x_form,
	.pack = pack_panels,
	.packed_bytes = packed_bytes,
	.widen = widen_blocks,
	.named = named_kernels,
};
