// pool: out[t] = the modes of the rows index[t]..index[t+1] of x, side by side,
// each cols/mode_count wide. A piece covers row_block texts and col_block columns.

// larger_or_nan keeps a NaN of either side.
INLINE vf larger_or_nan(vf a, vf b) {
	vi nan = a != a;
	return (vf)((nan & (vi)a) | (~nan & (vi)larger(a, b)));
}

// pool_vector pools up to VW columns of n rows that are ld apart.
INLINE vf pool_vector(int mode, const float *x, int64_t ld, int64_t n, int64_t cols) {
	vf v = load_part(x + (mode == POOL_LAST ? (n - 1) * ld : 0), cols);
	switch (mode) {
	case POOL_MAX:
		for (int64_t r = 1; r < n; r++) {
			v = larger_or_nan(v, load_part(x + r * ld, cols));
		}
		return v;
	case POOL_WEIGHTED_MEAN:
		for (int64_t r = 1; r < n; r++) {
			v = muladd(splat((float)(r + 1)), load_part(x + r * ld, cols), v);
		}
		return v / (float)(0.5 * (double)n * (double)(n + 1));
	case POOL_MEAN:
	case POOL_MEAN_SQRT_LEN:
		for (int64_t r = 1; r < n; r++) {
			v += load_part(x + r * ld, cols);
		}
		return v / (mode == POOL_MEAN ? (float)n : sqrtf((float)n));
	default:
		return v;
	}
}

static void pool(const struct op *o, int64_t piece, float *scratch) {
	(void)scratch;
	int64_t width = o->cols / o->mode_count, across = pieces_of(width, o->col_block);
	int64_t text = piece / across * o->row_block, texts = least(o->row_block, o->rows - text);
	int64_t first = piece % across * o->col_block, last = least(first + o->col_block, width);
	for (int64_t t = text; t < text + texts; t++) {
		int64_t start = o->index[t], n = o->index[t + 1] - start;
		for (int64_t m = 0; m < o->mode_count; m++) {
			float *out = o->out + t * o->cols + m * width;
			for (int64_t c = first; c < last; c += VW) {
				int64_t cols = least(VW, last - c);
				vf v = cols == VW ? pool_vector(o->modes[m], o->x + start * width + c, width, n, VW)
				                  : pool_vector(o->modes[m], o->x + start * width + c, width, n, cols);
				store_part(out + c, v, cols);
			}
		}
	}
}
