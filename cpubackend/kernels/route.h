// route: the experts of each row and their weights. x is the logits [rows, inner], bias
// and gain (scales) one value an expert or NULL, activation is
// ACT_SIGMOID or ACT_NONE (softmax), shift is 1 if the weights are normalized, scale
// their factor. A piece covers row_block rows; scratch holds two values an expert.

// next_best returns the expert with the largest key after `last`, of equal ones the
// first: that with the next smaller key, or with the same key and a higher number.
INLINE int64_t next_best(const float *key, int64_t n, int64_t last) {
	int64_t best = -1;
	for (int64_t e = 0; e < n; e++) {
		int after = last < 0 || key[e] < key[last] || (key[e] == key[last] && e > last);
		if (after && (best < 0 || key[e] > key[best])) {
			best = e;
		}
	}
	return best;
}

// score_experts sets score to the scores of a row, and key to what orders the experts.
// It returns 0 if one of them is NaN.
INLINE int score_experts(const struct op *o, const float *x, float *score, float *key) {
	const int64_t n = o->inner;
	float largest = -INFINITY;
	int ordered = 1;
	for (int64_t e = 0; e < n; e++) {
		score[e] = x[e];
		largest = x[e] > largest ? x[e] : largest;
		ordered &= x[e] == x[e];
	}
	if (o->activation == ACT_SIGMOID) {
		activate_block(ACT_SIGMOID, score, n, 1, n);
	} else {
		float by = 1 / weights_of(score, n, largest, LOG2E);
		for (int64_t e = 0; e < n; e++) {
			score[e] *= by;
		}
	}
	for (int64_t e = 0; e < n; e++) {
		key[e] = o->bias != NULL ? score[e] + o->bias[e] : x[e]; // without a bias the logits order them, exactly
		ordered &= key[e] == key[e];
	}
	return ordered;
}

static void route(const struct op *o, int64_t piece, float *scratch) {
	const int64_t k = o->cols / 2;
	float *score = scratch, *key = scratch + o->inner;
	int64_t end = least((piece + 1) * o->row_block, o->rows);
	for (int64_t r = piece * o->row_block; r < end; r++) {
		float *pick = o->out + r * o->cols, *weight = pick + k, total = 0;
		int ordered = score_experts(o, o->x + r * o->inner, score, key);
		int64_t last = -1;
		for (int64_t i = 0; i < k; i++) {
			last = ordered ? next_best(key, o->inner, last) : i;
			pick[i] = (float)last;
			weight[i] = ordered ? score[last] : NAN;
			total += weight[i];
		}
		float by = o->shift != 0 ? o->scale / (total + o->epsilon) : o->scale;
		for (int64_t i = 0; i < k; i++) {
			weight[i] *= by * (o->gain != NULL ? o->gain[(int64_t)pick[i]] : 1);
		}
	}
}
