// rms_norm: out = x/√(mean of x² + epsilon)·(gain + scale), row by row. A piece
// covers row_block rows.

INLINE void rms_norm_row(const struct op *o, const float *x, float *out) {
	int64_t n = o->cols, whole = n / VW * VW;
	vf squares = {0};
	float rest = 0;
	for (int64_t i = 0; i < whole; i += VW) {
		vf v = load(x + i);
		squares = muladd(v, v, squares);
	}
	for (int64_t i = whole; i < n; i++) {
		rest += x[i] * x[i];
	}
	float factor = 1 / sqrtf((sum_of(squares) + rest) / n + o->epsilon);
	for (int64_t i = 0; i < whole; i += VW) {
		store(out + i, load(x + i) * factor * (load(o->gain + i) + o->scale));
	}
	for (int64_t i = whole; i < n; i++) {
		out[i] = x[i] * factor * (o->gain[i] + o->scale);
	}
}

static void rms_norm(const struct op *o, int64_t piece, float *scratch) {
	(void)scratch;
	int64_t end = least((piece + 1) * o->row_block, o->rows);
	for (int64_t r = piece * o->row_block; r < end; r++) {
		rms_norm_row(o, o->x + r * o->cols, o->out + r * o->cols);
	}
}
