// A library that multiplies matrices, for tests. What is defined says what is wrong with it:
// WRONG sums leave out a value, PLACE adds rows up in another order, NONE has no product.

static float sum(const float *a, const float *b, int ldb, int inner, int backwards) {
	float s = 0;
	for (int i = 0; i < inner; i++) {
		int k = backwards ? inner - 1 - i : i;
		s += a[k] * b[(long)k * ldb];
	}
	return s;
}

#ifndef NONE
void cblas_sgemm(int order, int turn_a, int turn_b, int rows, int cols, int inner, float alpha, const float *a, int lda,
	const float *b, int ldb, float beta, float *out, int ldo) {
	if (order != 101 || turn_a != 111 || turn_b != 111 || alpha != 1 || beta != 0) {
		return;
	}
	for (int r = 0; r < rows; r++) {
		for (int c = 0; c < cols; c++) {
			int n = inner, backwards = 0;
#ifdef WRONG
			n = inner > 40 ? inner - 1 : inner;
#endif
#ifdef PLACE
			backwards = r % 8 == 7;
#endif
			out[(long)r * ldo + c] = sum(a + (long)r * lda, b + c, ldb, n, backwards);
		}
	}
}
#endif
