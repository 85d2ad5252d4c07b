// peak: cols multiply-adds for each of 12 sums, in registers and without memory. It
// measures what the machine can do at most.

static void peak(const struct op *o, int64_t piece, float *scratch) {
	vf sum[12];
	UNROLL for (int i = 0; i < 12; i++) {
		sum[i] = splat((float)(piece + i));
	}
	vf a = splat(0.999f), b = splat(1e-3f);
	for (int64_t n = 0; n < o->cols; n++) {
		UNROLL for (int i = 0; i < 12; i++) {
			sum[i] = muladd(sum[i], a, b);
		}
	}
	UNROLL for (int i = 1; i < 12; i++) {
		sum[0] += sum[i];
	}
	store(scratch, sum[0]);
}
