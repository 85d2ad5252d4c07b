// scale: out = x·scale. A piece covers row_block rows.

static void scale(const struct op *o, int64_t piece, float *scratch) {
	(void)scratch;
	int64_t i = piece * o->row_block * o->cols;
	int64_t end = least((piece + 1) * o->row_block, o->rows) * o->cols;
	for (; i + VW <= end; i += VW) {
		store(o->out + i, load(o->x + i) * o->scale);
	}
	for (; i < end; i++) {
		o->out[i] = o->x[i] * o->scale;
	}
}
