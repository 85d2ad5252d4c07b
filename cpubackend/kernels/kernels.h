// All kernels but those for weights in block types, and the table of them, for
// the instruction set that the including file has chosen.

#include "vec.h"
#include "vecmath.h"
#include "tile.h"
#include "dequant.h"
#include "embed.h"
#include "sums.h"
#include "linear.h"
#include "add.h"
#include "layer_norm.h"
#include "attention.h"
#include "rows.h"
#include "pool.h"
#include "l2_normalize.h"
#include "rms_norm.h"
#include "rope.h"
#include "gate.h"
#include "scale.h"
#include "soft_cap.h"
#include "cache.h"
#include "products.h"
#include "causal_attention.h"
#include "peak.h"

const struct kernels JOIN(kernels_, ISA) = {
	.vector = VW,
	.panel = PANEL,
	.tile = MR,
	.pack = pack,
	.widen = widen,
	.piece = {
		[KIND_EMBED] = embed,
		[KIND_EMBED_PANELS] = embed_panels,
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
