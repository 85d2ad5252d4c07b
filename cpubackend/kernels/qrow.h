// One row of x with weights in block types, with instructions for dot products of
// bytes: panels are unpacked in registers as they come from memory. The results
// equal those of the loops for many rows, to the bit.

// place_of returns the word to take at step i: words that share bytes of the panel
// follow each other.
INLINE int place_of(const int bits, const int i) {
	return bits >= 4 && bits < 8 ? i / 2 + i % 2 * (WORDS / 2) : i;
}

// sum_of_words returns the sums of products of a run for each vector: of the whole
// run, or of each of its two groups.
INLINE void sum_of_words(const int dtype, const uint8_t *span, int k, const struct x_run *x, vi all[2][NV]) {
	const struct form f = forms[dtype];
	const enum family m = family_of(dtype);
	const int words = WORDS / groups_of(m);
	const uint8_t *run = run_at(dtype, span, k);
	vdot some[2][NV];
	int taken[2] = {0};
	UNROLL for (int i = 0; i < WORDS; i++) {
		const int q = place_of(f.bits, i), g = q / words, n = taken[g]++, part = groups_of(m) == 1 ? 0 : 1 + g;
		vb four = everywhere(x->level + 4 * q);
		vdot first = n == 0 && zero_of(dtype) ? begin(zero_of(dtype), (vs)everywhere(x->pair[part])) : (vdot){0};
		UNROLL for (int v = 0; v < NV; v++) {
			some[g][v] = dot(n == 0 ? first : some[g][v], run_level(dtype, run, v, q), four);
			KEEP(some[g][v]);
			if (n < words - 1) {
				continue;
			}
			all[g][v] = m == HALF_ZEROS ? scaled(some[g][v], run_factors(dtype, span, 2 * k + g, v)) : total(some[g][v]);
		}
	}
}

// add_run adds run k of a span of one panel to sum [PANEL].
INLINE void add_run(const int dtype, const struct x_run *x, const uint8_t *span, int k, float *sum) {
	const enum family m = family_of(dtype);
	vi all[2][NV];
	sum_of_words(dtype, span, k, x, all);
	UNROLL for (int v = 0; v < NV; v++) {
		vf result = load(sum + v * VW);
		if (m == HALF_ZEROS) {
			result = muladd(floats_of(all[0][v] + all[1][v]), span_scale(dtype, span, v) * x->scale, result);
		} else {
			UNROLL for (int g = 0; g < groups_of(m); g++) {
				const int at = k * groups_of(m) + g;
				result = muladd(floats_of(all[g][v]), group_scale(dtype, span, at, v) * x->scale, result);
				if (has_floor(m)) {
					result = muladd(run_floor(dtype, span, at, v), splat(x->sum[groups_of(m) == 1 ? 0 : 1 + g]), result);
				}
			}
		}
		store(sum + v * VW, result);
	}
}

// row_as multiplies with `panels` panels at once, run by run. The processor's own
// prefetching reads several streams faster than one. It is also faster than prefetch
// instructions, of which only a few can be pending.
INLINE void row_as(const int dtype, int64_t runs, const void *x, const uint8_t *panel, int64_t panels, float *sum) {
	const int64_t span = span_bytes(dtype) * PANEL, size = runs / forms[dtype].span * span;
	for (int64_t s = 0; s < runs; s += forms[dtype].span, panel += span) {
		for (int k = 0; k < forms[dtype].span; k++) {
			for (int64_t p = 0; p < panels; p++) {
				if (in_bytes(dtype)) {
					add_wide_run(dtype, (const struct x_wide *)x + s + k, panel + p * size, k, sum + p * PANEL);
				} else {
					add_run(dtype, (const struct x_run *)x + s + k, panel + p * size, k, sum + p * PANEL);
				}
			}
		}
	}
}

typedef void row_function(int64_t runs, const void *x, const uint8_t *panel, int64_t panels, float *sum);

#define ROW_OF(T) \
	static void row_##T(int64_t runs, const void *x, const uint8_t *panel, int64_t panels, float *sum) { \
		row_as(T, runs, x, panel, panels, sum); \
	}
EACH_BLOCK_TYPE(ROW_OF)
#undef ROW_OF

static row_function *const row_of[] = {
#define ROW_OF(T) [T] = row_##T,
	EACH_BLOCK_TYPE(ROW_OF)
#undef ROW_OF
};
