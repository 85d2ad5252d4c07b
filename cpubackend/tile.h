// The inner loop of all matrix products: a tile of up to MR rows and one or
// more panels, its sums in registers over the whole of k.

// Small tiles take several panels at once, or too few sums would be under way.
enum { MOST_PANELS = 4 };

// tile adds a·b to what `from` holds: a [mr, k] with rows lda apart, b `panels`
// panels of [k, PANEL] that are `next` bytes apart, from [mr, panels·PANEL] with
// rows ldf apart (0 to start every row from the same one), out with rows ldo apart.
// Each sum runs over k in order, whatever mr and panels are, so that a result
// does not depend on how the work was cut. All loops over constants unroll.
INLINE void tile(const int mr, const int panels, const int dtype, int64_t k, const float *a, int64_t lda,
	const char *b, int64_t next, const float *from, int64_t ldf, float *out, int64_t ldo) {
	vf sum[MR][MOST_PANELS * NV];
	UNROLL for (int r = 0; r < mr; r++) {
		UNROLL for (int v = 0; v < panels * NV; v++) {
			sum[r][v] = load(from + r * ldf + v * VW);
		}
	}
	for (int64_t i = 0; i < k; i++) {
		vf w[MOST_PANELS * NV];
		UNROLL for (int v = 0; v < panels * NV; v++) {
			w[v] = load_as(dtype, b + v / NV * next, i * PANEL + v % NV * VW);
		}
		UNROLL for (int r = 0; r < mr; r++) {
			vf x = splat(a[r * lda + i]);
			UNROLL for (int v = 0; v < panels * NV; v++) {
				sum[r][v] = fma_(x, w[v], sum[r][v]);
			}
		}
	}
	UNROLL for (int r = 0; r < mr; r++) {
		UNROLL for (int v = 0; v < panels * NV; v++) {
			store(out + r * ldo + v * VW, sum[r][v]);
		}
	}
}

#define TILE(M, P) \
	case M: \
		tile(M, P, dtype, k, a, lda, b, next, from, ldf, out, ldo); \
		break;

#define TILES_1(P) TILE(1, P)
#define TILES_2(P) TILES_1(P) TILE(2, P)
#define TILES_3(P) TILES_2(P) TILE(3, P)
#define TILES_4(P) TILES_3(P) TILE(4, P)
#define TILES_5(P) TILES_4(P) TILE(5, P)
#define TILES_6(P) TILES_5(P) TILE(6, P)
#define TILES_7(P) TILES_6(P) TILE(7, P)
#define TILES_8(P) TILES_7(P) TILE(8, P)
#define TILES_9(P) TILES_8(P) TILE(9, P)
#define TILES_10(P) TILES_9(P) TILE(10, P)
#define TILES_11(P) TILES_10(P) TILE(11, P)
#define TILES_12(P) TILES_11(P) TILE(12, P)
#define JOIN_(A, B) A##B
#define JOIN(A, B) JOIN_(A, B)

// strip runs tiles down all rows of one panel, as even as they can be: 7 rows
// are 4 and 3, not 6 and 1.
INLINE void strip_as(const int dtype, int64_t rows, int64_t k, const float *a, int64_t lda, const char *b,
	const float *from, int64_t ldf, float *out, int64_t ldo) {
	const int64_t next = 0;
	int64_t tiles = pieces_of(rows, MR), most = rows / tiles + 1, more = rows % tiles;
	for (int64_t t = 0; t < tiles; t++) {
		int64_t m = t < more ? most : most - 1;
		switch (m) { JOIN(TILES_, MR)(1) }
		a += m * lda;
		from += m * ldf;
		out += m * ldo;
	}
}

// One copy of the loops a type, called from everywhere.
static __attribute__((noinline)) void strip(int dtype, int64_t rows, int64_t k, const float *a, int64_t lda,
	const char *b, const float *from, int64_t ldf, float *out, int64_t ldo) {
	switch (dtype) {
	case DTYPE_F16:
		strip_as(DTYPE_F16, rows, k, a, lda, b, from, ldf, out, ldo);
		break;
	case DTYPE_BF16:
		strip_as(DTYPE_BF16, rows, k, a, lda, b, from, ldf, out, ldo);
		break;
	default:
		strip_as(DTYPE_F32, rows, k, a, lda, b, from, ldf, out, ldo);
	}
}
