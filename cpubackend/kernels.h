// All kernels, and the table of them, for the instruction set that the
// including file has chosen.

#include "vec.h"
#include "vecmath.h"
#include "tile.h"
#include "dequant.h"
#include "embed.h"
#include "qblock.h"
#include "qdot.h"
#include "qpack.h"
#include "activation.h"
#include "quantize.h"
#if defined(HAVE_DOT)
#include "qtile.h"
#include "qrow.h"
#endif
#if defined(HAVE_PAIRS)
#include "qpairs.h"
#endif
#include "qlinear.h"
#include "linear.h"
#include "add.h"
#include "layernorm.h"
#include "attention.h"
#include "rows.h"
#include "pool.h"
#include "l2normalize.h"
#include "rmsnorm.h"
#include "rope.h"
#include "gate.h"
#include "scale.h"
#include "softcap.h"
#include "cache.h"
#include "products.h"
#include "causal_attention.h"
#include "peak.h"

#define JOIN_(A, B) A##B
#define JOIN(A, B) JOIN_(A, B)

const struct kernels JOIN(kernels_, ISA) = {
	.vector = VW,
	.panel = PANEL,
	.tile = MR,
#if defined(HAVE_DOT)
	.x_tile = {MR, PAIR_ROWS},
	.x_bytes = {sizeof(struct x_run), sizeof(struct x_pairs)},
	.open_bytes = OPEN_BYTES,
#endif
	.x_form = x_form,
	.pack = pack,
	.packed_bytes = packed_bytes,
	.widen = widen,
	.piece = {
		[KIND_EMBED] = embed,
		[KIND_QUANTIZE_X] = quantize_x,
		[KIND_LINEAR] = linear,
		[KIND_ADD] = add,
		[KIND_LAYER_NORM] = layer_norm,
		[KIND_ATTENTION] = attention,
		[KIND_ROWS] = rows,
		[KIND_POOL] = pool,
		[KIND_L2_NORMALIZE] = l2_normalize,
		[KIND_RMS_NORM] = rms_norm,
		[KIND_ROPE] = rope,
		[KIND_GATE] = gate,
		[KIND_SCALE] = scale,
		[KIND_SOFT_CAP] = soft_cap,
		[KIND_CACHE] = cache,
		[KIND_CAUSAL_ATTENTION] = causal_attention,
		[KIND_CAUSAL_MERGE] = causal_merge,
		[KIND_PEAK] = peak,
	},
};
