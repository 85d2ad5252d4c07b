// l2_normalize: out = x/max(|x|, 1e-12), row by row. A piece covers row_block
// rows. Squares are summed in double: in float they overflow from 2e19 on.

static void l2_normalize(const struct op *o, int64_t piece, float *scratch) {
	(void)scratch;
	int64_t end = least((piece + 1) * o->row_block, o->rows);
	for (int64_t r = piece * o->row_block; r < end; r++) {
		const float *x = o->x + r * o->cols;
		float *out = o->out + r * o->cols;
		double sum[4] = {0};
		for (int64_t i = 0; i < o->cols; i++) {
			sum[i % 4] += (double)x[i] * x[i];
		}
		double norm = sqrt(sum[0] + sum[1] + sum[2] + sum[3]);
		for (int64_t i = 0; i < o->cols; i++) {
			out[i] = (float)(x[i] / (norm < 1e-12 ? 1e-12 : norm));
		}
	}
}
