// experts for weights in block types: see experts.h.

#if defined(HAVE_DOT)

INLINE char *levels_of(const struct op *o, int64_t row) {
	return (char *)o->levels + row * (o->inner / RUN) * (o->form ? sizeof(struct x_wide) : sizeof(struct x_run));
}

// quantize_rows quantizes the rows of x, sorted, as quantize_x does for the rows of one
// expert. A piece is a block of the rows of one expert.
static void quantize_rows(const struct op *o, int64_t piece, float *scratch) {
	struct op one;
	int64_t expert = piece / o->experts->blocks, block = piece % o->experts->blocks;
	if (expert_op(o, expert, &one) && block * o->row_block < one.rows) {
		one.levels = levels_of(o, o->experts->start[expert]);
		quantize_x(&one, block, scratch);
	}
}

static void experts_blocks(const struct op *o, int64_t piece, float *scratch) {
	struct op one;
	int64_t expert = expert_of(o, piece);
	if (expert_op(o, expert, &one)) {
		one.levels = levels_of(o, o->experts->start[expert]);
		EXPERT_BLOCKS(linear_blocks, one, piece, scratch);
	}
}

#else

static void experts_blocks(const struct op *o, int64_t piece, float *scratch) {
	struct op one;
	int64_t expert = expert_of(o, piece);
	if (expert_op(o, expert, &one)) {
		one.x = (const float *)o->levels + o->experts->start[expert] * o->inner;
		EXPERT_BLOCKS(linear_blocks, one, piece, scratch);
	}
}

#endif
