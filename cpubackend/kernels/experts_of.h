// expert_op sets one to the operation on the rows of one expert: as a Linear of its
// own, whose rows are slots. It returns 0 if the expert has none.
INLINE int expert_op(const struct op *o, int64_t expert, struct op *one) {
	const struct experts *e = o->experts;
	int64_t first = e->start[expert];
	*one = *o;
	one->rows = e->start[expert + 1] - first;
	one->slot = e->slot + first;
	if (o->weight != NULL) {
		one->weight = (const char *)o->weight + expert * e->stride;
		one->bias = o->bias + expert * e->bias_stride;
	}
	return one->rows > 0;
}

// EXPERT_BLOCKS runs KERNEL for the blocks of rows of one expert: a piece covers
// some panels of one expert's weight, for all of its rows.
#define EXPERT_BLOCKS(KERNEL, ONE, PIECE, SCRATCH) \
	do { \
		int64_t across_ = pieces_of(pieces_of((ONE).cols, PANEL), (ONE).col_block); \
		for (int64_t block_ = 0; block_ * (ONE).row_block < (ONE).rows; block_++) { \
			KERNEL(&(ONE), block_ * across_ + (PIECE) % across_, SCRATCH); \
		} \
	} while (0)

// expert_of returns the expert of a piece.
INLINE int64_t expert_of(const struct op *o, int64_t piece) {
	return piece / pieces_of(pieces_of(o->cols, PANEL), o->col_block);
}
