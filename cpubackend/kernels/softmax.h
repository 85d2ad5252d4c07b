// What both attentions do with scores.

// weights_of turns n scores into weights 2^((s - largest)·by) and returns their
// sum. `largest` is not below any of them. It is subtracted before anything is
// multiplied, so that large scores lose no digits.
INLINE float weights_of(float *s, int64_t n, float largest, float by) {
	const vf lowest = splat(-126);
	int64_t whole = n / VW * VW, rest = n - whole;
	vf sum = {0};
	for (int64_t i = 0; i < whole; i += VW) {
		vf e = exp2_of(larger(lowest, (load(s + i) - largest) * by));
		store(s + i, e);
		sum += e;
	}
	float total = sum_of(sum);
	if (rest > 0) {
		vf e = exp2_of(larger(lowest, (load_part(s + whole, rest) - largest) * by));
		store_part(s + whole, e, rest);
		for (int64_t i = 0; i < rest; i++) {
			total += e[i];
		}
	}
	return total;
}
