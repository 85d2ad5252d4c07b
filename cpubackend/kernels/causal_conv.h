// causal_conv: out = activation(Σ_j w[j]·(the row width-1-j before)), column by
// column. Rows before the first come from the state. A piece is col_block columns.

// earlier returns the row i, from column col on; i is negative in the state, and
// NULL is a row of zeros.
INLINE const float *earlier(const struct op *o, int64_t i, int64_t col) {
	if (i >= 0) {
		return o->x + i * o->cols + col;
	}
	const float *from = o->recurrent->from;
	return from == NULL ? NULL : from + (o->inner - 1 + i) * o->cols + col;
}

INLINE void conv_row(const int activation, const struct op *o, int64_t row, int64_t col, int64_t n, const float *weights, int64_t step) {
	for (int64_t c = 0; c < n; c += VW) {
		int64_t some = least(VW, n - c);
		vf sum = {0};
		for (int64_t j = 0; j < o->inner; j++) {
			const float *x = earlier(o, row - (o->inner - 1) + j, col + c);
			if (x != NULL) {
				sum = muladd(load(weights + j * step + c), some == VW ? load(x) : load_part(x, some), sum);
			}
		}
		store_part(o->out + row * o->cols + col + c, activate(activation, sum), some);
	}
}

static void causal_conv(const struct op *o, int64_t piece, float *scratch) {
	int64_t col = piece * o->col_block, n = least(o->col_block, o->cols - col), step = o->col_block;
	const float *w = (const float *)o->weight + col * o->inner;
	memset(scratch, 0, 4 * o->inner * step);
	for (int64_t c = 0; c < n; c++) {
		for (int64_t j = 0; j < o->inner; j++) {
			scratch[j * step + c] = w[c * o->inner + j];
		}
	}
	for (int64_t row = 0; row < o->rows; row++) {
		if (o->activation == ACT_SILU) {
			conv_row(ACT_SILU, o, row, col, n, scratch, step);
		} else {
			conv_row(ACT_NONE, o, row, col, n, scratch, step);
			apply(o->activation, o->out + row * o->cols + col, o->cols, 1, n);
		}
	}
	for (int64_t j = 0; j < o->inner - 1; j++) {
		const float *x = earlier(o, o->rows - (o->inner - 1) + j, col);
		float *to = o->recurrent->to + j * o->cols + col;
		if (x != NULL) {
			memcpy(to, x, 4 * n);
		} else {
			memset(to, 0, 4 * n);
		}
	}
}
