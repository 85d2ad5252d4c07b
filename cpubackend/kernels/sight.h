// sight: how many rows away the farthest key is that a query of attention has to look at, where
// scores fall by a slope with the distance: out [heads, rows], whole numbers. x is q, y is k, gain are
// the slopes, index are the starts of texts. A piece is a head of a text.
//
// At distance d a score is at most scale·|q|·|k| - slope·d, with the longest key of the text; the
// largest score of a query is at least that for the key of its own row. Keys whose weight is less than
// e^-FADED of the largest are left out. There are fewer than 2/slope of them that matter, so together
// they are less than what rounding a sum loses, by far.

enum { FADED = 30 };

INLINE float dot_of(const float *a, const float *b, int64_t n) {
	vf sum = splat(0);
	for (int64_t i = 0; i < n; i += VW) {
		int64_t some = least(VW, n - i);
		sum = muladd(load_part(a + i, some), load_part(b + i, some), sum);
	}
	return sum_of(sum);
}

static void sight(const struct op *o, int64_t piece, float *scratch) {
	(void)scratch;
	int64_t text = piece / o->heads, h = piece % o->heads, size = o->cols / o->heads;
	int64_t start = o->index[text], end = o->index[text + 1];
	const float *q = o->x + h * size, *k = o->y + h * size;
	float longest = 0, odd = 0; // odd stays 0 unless a key has values that are no numbers
	for (int64_t row = start; row < end; row++) {
		float square = dot_of(k + row * o->cols, k + row * o->cols, size);
		longest = square > longest ? square : longest;
		odd += square * 0;
	}
	longest = sqrtf(longest) + odd;
	float slope = o->gain[h], all = (float)(end - start);
	for (int64_t row = start; row < end; row++) {
		const float *query = q + row * o->cols;
		float most = sqrtf(dot_of(query, query, size)) * longest, own = dot_of(query, k + row * o->cols, size);
		float far = (o->scale * (most - own) + FADED) / slope + 1;
		o->out[h * o->rows + row] = slope > 0 && far < all ? floorf(far) : all;
	}
}
