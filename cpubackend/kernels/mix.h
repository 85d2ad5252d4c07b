// mix: out = the slots of each row of x [rows, heads·cols], each times its weight in
// y [rows, 2·heads], added up. A piece covers row_block rows.
static void mix(const struct op *o, int64_t piece, float *scratch) {
	(void)scratch;
	const int64_t k = o->heads, n = o->cols;
	int64_t end = least((piece + 1) * o->row_block, o->rows);
	for (int64_t r = piece * o->row_block; r < end; r++) {
		const float *x = o->x + r * k * n, *weight = o->y + r * 2 * k + k;
		float *out = o->out + r * n;
		for (int64_t i = 0; i < n; i += VW) {
			int64_t some = least(VW, n - i);
			vf sum = {0};
			for (int64_t s = 0; s < k; s++) {
				sum = muladd(splat(weight[s]), load_part(x + s * n + i, some), sum);
			}
			store_part(out + i, sum, some);
		}
	}
}
