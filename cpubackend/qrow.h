// One row of x with weights in block types, with instructions for dot products of
// bytes: panels are unpacked in registers as they come from memory. The results
// are those of the loops for many rows, to the bit.

// place_of is the word to take at step i: such as lie in the same bytes of the
// panel follow each other.
INLINE int place_of(const int bits, const int i) {
	return bits >= 4 && bits < 8 ? i / 2 + i % 2 * (WORDS / 2) : i;
}

// sum_of_words gives the sums of products of a run for each group and vector.
INLINE void sum_of_words(const int dtype, const uint8_t *run, const int8_t *x, vi all[2][NV]) {
	const struct form f = forms[dtype];
	const int words = f.group / 4, most = words_before_total(f.bits), step = most < words ? most : words;
	vdot some[2][NV];
	int taken[2] = {0};
	UNROLL for (int i = 0; i < WORDS; i++) {
		const int q = place_of(f.bits, i), g = q / words, n = taken[g]++;
		vb four = word(x + 4 * q);
		UNROLL for (int v = 0; v < NV; v++) {
			vb level = run_level(dtype, run, v, q);
#if defined(HAVE_PAIRS)
			if (in_bytes(dtype)) {
				vi sum = signed_dot(level, four);
				all[g][v] = n == 0 ? sum : all[g][v] + sum;
				KEEP(all[g][v]);
				continue;
			}
#endif
			some[g][v] = dot(n % step == 0 ? (vdot){0} : some[g][v], level, four);
			KEEP(some[g][v]);
			if (n % step == step - 1) {
				all[g][v] = n < step ? total(some[g][v]) : all[g][v] + total(some[g][v]);
			}
		}
	}
}

// add_span adds a span of one panel to sum [PANEL].
INLINE void add_span(const int dtype, const struct x_run *x, const uint8_t *span, float *sum) {
	const struct form f = forms[dtype];
	vf result[NV];
	UNROLL for (int v = 0; v < NV; v++) {
		result[v] = load(sum + v * VW);
	}
	const int64_t share = span_bytes(dtype) * PANEL / f.span; // of the next span
	for (int k = 0; k < f.span; k++) {
		if (f.span > 1) {
			UNROLL for (int64_t b = 0; b < share; b += 64) {
				__builtin_prefetch(span + (f.span + k) * share + b, 0, 3);
			}
		}
		vi all[2][NV];
		sum_of_words(dtype, run_at(dtype, span, k), x[k].level, all);
		UNROLL for (int g = 0; g < RUN / f.group; g++) {
			UNROLL for (int v = 0; v < NV; v++) {
				vf scale, floor;
				group_of(dtype, span, k * (RUN / f.group) + g, v, &scale, &floor);
				result[v] = muladd(floats_of(all[g][v]), scale * x[k].scale, result[v]);
				if (f.floors || f.zero) {
					result[v] = muladd(floor, splat(x[k].sum[f.group == RUN ? 0 : 1 + g]), result[v]);
				}
			}
		}
	}
	UNROLL for (int v = 0; v < NV; v++) {
		store(sum + v * VW, result[v]);
	}
}

// row_as multiplies with `panels` panels at once: memory is quicker with several
// streams than with one.
INLINE void row_as(const int dtype, int64_t runs, const struct x_run *x, const uint8_t *panel, int64_t panels, float *sum) {
	const int64_t size = runs / forms[dtype].span * span_bytes(dtype) * PANEL;
	for (int64_t k = 0; k < runs; k += forms[dtype].span, panel += span_bytes(dtype) * PANEL) {
		for (int64_t p = 0; p < panels; p++) {
			add_span(dtype, x + k, panel + p * size, sum + p * PANEL);
		}
	}
}

typedef void row_function(int64_t runs, const struct x_run *x, const uint8_t *panel, int64_t panels, float *sum);

#define ROW_OF(T) \
	static void row_##T(int64_t runs, const struct x_run *x, const uint8_t *panel, int64_t panels, float *sum) { \
		row_as(T, runs, x, panel, panels, sum); \
	}
EACH_BLOCK_TYPE(ROW_OF)
#undef ROW_OF

static row_function *const row_of[] = {
#define ROW_OF(T) [T] = row_##T,
	EACH_BLOCK_TYPE(ROW_OF)
#undef ROW_OF
};
