// embed: out[i] = weight[index[i]] widened to f32. A piece covers row_block rows.

INLINE void widen_as(const int dtype, const void *from, int64_t n, float *to) {
	int64_t i = 0;
	for (; i + VW <= n; i += VW) {
		store(to + i, load_as(dtype, from, i));
	}
	if (i < n) {
		uint32_t rest[VW] = {0};
		memcpy(rest, (const char *)from + i * size_of(dtype), (n - i) * size_of(dtype));
		store_part(to + i, load_as(dtype, rest, 0), n - i);
	}
}

static void widen(int dtype, const void *from, int64_t n, float *to) {
	switch (dtype) {
	case DTYPE_F16:
		widen_as(DTYPE_F16, from, n, to);
		break;
	case DTYPE_BF16:
		widen_as(DTYPE_BF16, from, n, to);
		break;
	default:
		memcpy(to, from, 4 * n);
	}
}

static void embed(const struct op *o, int64_t piece, float *scratch) {
	(void)scratch;
	int64_t end = least((piece + 1) * o->row_block, o->rows);
	for (int64_t r = piece * o->row_block; r < end; r++) {
		const char *row = (const char *)o->weight + o->index[r] * o->cols * size_of(o->dtype);
		widen(o->dtype, row, o->cols, o->out + r * o->cols);
	}
}

// embed_panels does the same with a table in panels, which linear also uses.
// Scratch holds a row.
static void embed_panels(const struct op *o, int64_t piece, float *scratch) {
	int64_t end = least((piece + 1) * o->row_block, o->rows), size = size_of(o->dtype);
	for (int64_t r = piece * o->row_block; r < end; r++) {
		const char *from = (const char *)o->weight + (o->index[r] / PANEL * o->cols * PANEL + o->index[r] % PANEL) * size;
		for (int64_t k = 0; k < o->cols; k++) {
			memcpy((char *)scratch + k * size, from + k * PANEL * size, size);
		}
		widen(o->dtype, scratch, o->cols, o->out + r * o->cols);
	}
}
