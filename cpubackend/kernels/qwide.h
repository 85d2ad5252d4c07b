// The outer loops of linear for weights with levels of 8 bits, of a strip of rows and
// of a single row. The inner loops are in qpairs.h or qbytes.h.

#define TILE_WIDE(M) \
	case M: \
		tile_wide(M, groups, runs, x, w, sum); \
		break;

INLINE void strip_wide_as(const int groups, const struct share *s, const struct x_wide *from, const struct open_wide *w,
	float *sum, struct ahead next) {
	const int64_t rows = s->rows, runs = s->runs;
	for (int64_t r = 0; r < rows; r += WIDE_ROWS, sum += WIDE_ROWS * sums_apart(s)) {
		int64_t m = least(WIDE_ROWS, rows - r);
		fetch(next, r / WIDE_ROWS, pieces_of(rows, WIDE_ROWS));
		begin_tile(s, m, sum);
		const struct x_wide *x = from + r * s->all + s->first * m;
		switch (m) {
			TILE_WIDE(1) TILE_WIDE(2) TILE_WIDE(3) TILE_WIDE(4)
#if WIDE_ROWS > 4
			TILE_WIDE(5) TILE_WIDE(6)
#endif
#if WIDE_ROWS > 6
			TILE_WIDE(7) TILE_WIDE(8)
#endif
#if WIDE_ROWS > 8
			TILE_WIDE(9) TILE_WIDE(10) TILE_WIDE(11) TILE_WIDE(12)
#endif
		}
		end_tile(s, r, m, sum);
	}
}
#undef TILE_WIDE

static __attribute__((noinline)) void strip_wide(const struct share *s, const struct x_wide *x, const struct open_wide *w,
	float *sum, struct ahead next) {
	if (wide_groups(s->op->dtype) == 1) {
		strip_wide_as(1, s, x, w, sum, next);
	} else {
		strip_wide_as(2, s, x, w, sum, next);
	}
}

// add_wide_run adds run k of a span of one panel to sum [PANEL].
INLINE void add_wide_run(const int dtype, const struct x_wide *x, const uint8_t *span, int k, float *sum) {
	const int groups = wide_groups(dtype);
	vi all[2][NV];
	wide_products(dtype, run_at(dtype, span, k), x, all);
	UNROLL for (int v = 0; v < NV; v++) {
		vf result = load(sum + v * VW);
		UNROLL for (int g = 0; g < groups; g++) {
			result = muladd(floats_of(all[g][v]), group_scale(dtype, span, k * groups + g, v) * x->scale, result);
		}
		store(sum + v * VW, result);
	}
}
