// The outer loops of linear for weights with levels of 8 bits, of a strip of rows and
// of a single row. The inner loops are in qpairs.h or qbytes.h.

#define TILE_WIDE(M) \
	case M: \
		tile_wide(M, runs, x, w, sum); \
		break;

static __attribute__((noinline)) void strip_wide(int64_t rows, int64_t first, int64_t runs, int64_t all,
	const struct x_wide *from, const struct open_wide *w, float *sum, struct ahead next) {
	for (int64_t r = 0; r < rows; r += WIDE_ROWS, sum += WIDE_ROWS * PANEL) {
		int64_t m = least(WIDE_ROWS, rows - r);
		fetch(next, r / WIDE_ROWS, pieces_of(rows, WIDE_ROWS));
		const struct x_wide *x = from + r * all + first * m;
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
	}
}
#undef TILE_WIDE

// add_wide_run adds run k of a span of one panel to sum [PANEL].
INLINE void add_wide_run(const int dtype, const struct x_wide *x, const uint8_t *span, int k, float *sum) {
	vi all[NV];
	wide_products(dtype, run_at(dtype, span, k), x, all);
	UNROLL for (int v = 0; v < NV; v++) {
		vf scale = group_scale(dtype, span, k, v) * x->scale;
		store(sum + v * VW, muladd(floats_of(all[v]), scale, load(sum + v * VW)));
	}
}
