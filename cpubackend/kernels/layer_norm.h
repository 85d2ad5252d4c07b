// layer_norm: out = (x + y - mean)/√(variance + epsilon)·gain + bias, row by
// row; y and bias may be missing. A piece covers row_block rows.

// layer_norm_row computes the mean of a row, then mean and variance of the values
// minus that mean. The second mean corrects the rounding of the first, which matters
// where the mean is large compared with the deviation.
INLINE void layer_norm_row(const struct op *o, const float *x, const float *y, float *out) {
	int64_t n = o->cols, whole = n / VW * VW;
	vf total = {0};
	float rest = 0;
	for (int64_t i = 0; i < whole; i += VW) {
		vf v = load(x + i);
		if (y != NULL) {
			v += load(y + i);
		}
		store(out + i, v);
		total += v;
	}
	for (int64_t i = whole; i < n; i++) {
		out[i] = y != NULL ? x[i] + y[i] : x[i];
		rest += out[i];
	}
	float mean = (sum_of(total) + rest) / n;

	vf sum = {0}, squares = {0};
	float rest_squares = 0;
	rest = 0;
	for (int64_t i = 0; i < whole; i += VW) {
		vf d = load(out + i) - mean;
		sum += d;
		squares = muladd(d, d, squares);
	}
	for (int64_t i = whole; i < n; i++) {
		float d = out[i] - mean;
		rest += d;
		rest_squares += d * d;
	}
	float offset = (sum_of(sum) + rest) / n;
	float variance = (sum_of(squares) + rest_squares) / n - offset * offset;
	float factor = 1 / sqrtf((variance > 0 ? variance : variance * 0) + o->epsilon);

	for (int64_t i = 0; i < whole; i += VW) {
		vf v = (load(out + i) - mean - offset) * factor * load(o->gain + i);
		store(out + i, o->bias != NULL ? v + load(o->bias + i) : v);
	}
	for (int64_t i = whole; i < n; i++) {
		float v = (out[i] - mean - offset) * factor * o->gain[i];
		out[i] = o->bias != NULL ? v + o->bias[i] : v;
	}
}

static void layer_norm(const struct op *o, int64_t piece, float *scratch) {
	(void)scratch;
	int64_t end = least((piece + 1) * o->row_block, o->rows);
	for (int64_t r = piece * o->row_block; r < end; r++) {
		const float *y = o->y != NULL ? o->y + r * o->cols : NULL;
		layer_norm_row(o, o->x + r * o->cols, y, o->out + r * o->cols);
	}
}
