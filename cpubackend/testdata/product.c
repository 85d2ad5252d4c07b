// A library that multiplies matrices, for tests. What is defined says what is wrong with it:
// WRONG sums leave out a value, PLACE adds rows up in another order, NONE has no product.

// add adds the multiple of a row to another, for all columns at once.
static void add(float *restrict to, float by, const float *restrict row, int cols) {
	for (int c = 0; c < cols; c++) {
		to[c] += by * row[c];
	}
}

#ifndef NONE
void cblas_sgemm(int order, int turn_a, int turn_b, int rows, int cols, int inner, float alpha, const float *a, int lda,
	const float *b, int ldb, float beta, float *out, int ldo) {
	if (order != 101 || turn_a != 111 || turn_b != 111 || alpha != 1 || beta != 0) {
		return;
	}
	for (int r = 0; r < rows; r++) {
		int n = inner, backwards = 0;
#ifdef WRONG
		n = inner > 40 ? inner - 1 : inner;
#endif
#ifdef PLACE
		backwards = r % 8 == 7;
#endif
		float *to = out + (long)r * ldo;
		for (int c = 0; c < cols; c++) {
			to[c] = 0;
		}
		for (int i = 0; i < n; i++) {
			int k = backwards ? n - 1 - i : i;
			add(to, a[(long)r * lda + k], b + (long)k * ldb, cols);
		}
	}
}
#endif
