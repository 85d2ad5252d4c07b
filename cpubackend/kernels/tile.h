// The inner loop of all matrix products: a tile of up to MR rows and one panel
// of packed weights, its sums in registers over the whole of k.

// tile computes out = from + a·b: a [mr, k] with rows lda apart, b a panel
// [k, PANEL], from [mr, PANEL] with rows ldf apart (0: every row starts from the
// same one), out [mr, PANEL] with rows ldo apart. Each sum runs over k in order,
// whatever mr is, so that a result does not depend on how the work was cut.
// Meanwhile it fetches `step` bytes per k from `ahead` on into the cache.
INLINE void tile(const int mr, const int dtype, int64_t k, const float *a, int64_t lda, const char *b,
	const float *from, int64_t ldf, float *out, int64_t ldo, const char *ahead, int64_t step) {
	vf sum[MR][NV]; // all loops over constants unroll: these are registers
	UNROLL for (int r = 0; r < mr; r++) {
		UNROLL for (int v = 0; v < NV; v++) {
			sum[r][v] = load(from + r * ldf + v * VW);
		}
	}
	for (int64_t i = 0; i < k; i++) {
		__builtin_prefetch(ahead + i * step, 0, 2);
		vf w[NV];
		UNROLL for (int v = 0; v < NV; v++) {
			w[v] = load_as(dtype, b, i * PANEL + v * VW);
		}
		UNROLL for (int r = 0; r < mr; r++) {
			vf x = splat(a[r * lda + i]);
			UNROLL for (int v = 0; v < NV; v++) {
				sum[r][v] = muladd(x, w[v], sum[r][v]);
			}
		}
	}
	UNROLL for (int r = 0; r < mr; r++) {
		UNROLL for (int v = 0; v < NV; v++) {
			store(out + r * ldo + v * VW, sum[r][v]);
		}
	}
}

#define TILE(M) \
	case M: \
		tile(M, dtype, k, a, lda, b, from, ldf, out, ldo, ahead, step); \
		break;

// strip_as multiplies all rows with one panel, in tiles as even as possible: 7 rows
// are 4 and 3, not 6 and 1. The panel at `ahead` comes next.
INLINE void strip_as(const int dtype, int64_t rows, int64_t k, const float *a, int64_t lda, const char *b,
	const float *from, int64_t ldf, float *out, int64_t ldo, const char *ahead) {
	int64_t tiles = pieces_of(rows, MR), most = rows / tiles + 1, more = rows % tiles;
	int64_t step = PANEL * size_of(dtype) / tiles; // the tiles share what is fetched ahead
	for (int64_t t = 0; t < tiles; t++) {
		int64_t m = t < more ? most : most - 1;
		switch (m) {
			TILE(1) TILE(2) TILE(3) TILE(4) TILE(5) TILE(6)
#if MR > 6
			TILE(7) TILE(8) TILE(9) TILE(10) TILE(11) TILE(12)
#endif
		}
		a += m * lda;
		from += m * ldf;
		out += m * ldo;
		ahead += k * step;
	}
}

// strip is never inlined: one copy of these loops fits the instruction cache better.
static __attribute__((noinline)) void strip(int dtype, int64_t rows, int64_t k, const float *a, int64_t lda,
	const char *b, const float *from, int64_t ldf, float *out, int64_t ldo, const char *ahead) {
	switch (dtype) {
	case DTYPE_F16:
		strip_as(DTYPE_F16, rows, k, a, lda, b, from, ldf, out, ldo, ahead);
		break;
	case DTYPE_BF16:
		strip_as(DTYPE_BF16, rows, k, a, lda, b, from, ldf, out, ldo, ahead);
		break;
	default:
		strip_as(DTYPE_F32, rows, k, a, lda, b, from, ldf, out, ldo, ahead);
	}
}

// several multiplies up to MR rows with `panels` panels in F32, `apart` floats from one to the next, whose results lie side by
// side: out = from + a·b as in tile, where ldf 0 stands for zeros. Attention has many short products, for which
// strip takes too long to begin.
static __attribute__((noinline)) void several(int64_t rows, int64_t k, const float *a, int64_t lda, const float *b, int64_t apart, int64_t panels,
	const float *from, int64_t ldf, float *out, int64_t ldo) {
	const float zeros[PANEL] = {0};
	const int64_t step = 4 * PANEL;
#define SEVERAL(M) \
	case M: \
		for (int64_t p = 0; p < panels; p++) { \
			const float *next = b + (p + 1 < panels ? p + 1 : p) * apart; \
			tile(M, DTYPE_F32, k, a, lda, (const char *)(b + p * apart), ldf == 0 ? zeros : from + p * PANEL, ldf, out + p * PANEL, ldo, (const char *)next, step); \
		} \
		break;
	switch (rows) {
		SEVERAL(1) SEVERAL(2) SEVERAL(3) SEVERAL(4) SEVERAL(5) SEVERAL(6)
#if MR > 6
		SEVERAL(7) SEVERAL(8) SEVERAL(9) SEVERAL(10) SEVERAL(11) SEVERAL(12)
#endif
	}
#undef SEVERAL
}

// DEPTH is how many values of each row of a panel are used at a time: 24 KiB in F32
// stay in the first-level cache while all rows of a piece are multiplied with them.
enum { DEPTH = 6144 / PANEL };

// ACROSS is how many panels a single row is multiplied with at once.
enum { ACROSS = 4 };
