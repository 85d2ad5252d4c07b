// rows: out[i] = x[index[i]]. A piece covers row_block rows.

static void rows(const struct op *o, int64_t piece, float *scratch) {
	(void)scratch;
	int64_t end = least((piece + 1) * o->row_block, o->rows);
	for (int64_t r = piece * o->row_block; r < end; r++) {
		memcpy(o->out + r * o->cols, o->x + o->index[r] * o->cols, 4 * o->cols);
	}
}
