// All kernels except those for weights in block types, and the table of them, for
// the instruction set that the including file has chosen.

#include "vec.h"
#include "vecmath.h"
#include "tile.h"
#include "embed.h"
#include "sums.h"
#include "linear.h"
#include "add.h"
#include "layer_norm.h"
#include "softmax.h"
#include "attention.h"
#include "sight.h"
#include "disentangled.h"
#include "rows.h"
#include "join.h"
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
#include "route.h"
#include "experts.h"
#include "mix.h"
#include "causal_conv.h"
#include "delta_rule.h"
#include "peak.h"

static const struct named_kernel named_kernels[] = {
	KERNEL(embed),
	KERNEL(embed_panels),
	KERNEL(linear),
	KERNEL(add),
	KERNEL(layer_norm),
	KERNEL(attention),
	KERNEL(sight),
	KERNEL(disentangled),
	KERNEL(rows),
	KERNEL(join),
	KERNEL(pool),
	KERNEL(l2_normalize),
	KERNEL(rms_norm),
	KERNEL(rope),
	KERNEL(gate),
	KERNEL(scale),
	KERNEL(soft_cap),
	KERNEL(cache),
	KERNEL(causal_attention),
	KERNEL(causal_merge),
	KERNEL(route),
	KERNEL(sort_slots),
	KERNEL(gather_rows),
	KERNEL(experts),
	KERNEL(mix),
	KERNEL(causal_conv),
	KERNEL(delta_rule),
	KERNEL(peak),
	{NULL, NULL},
};

const struct kernels JOIN(kernels_, ISA) = {
	.vector = VW,
	.panel = PANEL,
	.tile = MR,
	.pack = pack,
	.widen = widen,
	.named = named_kernels,
};
