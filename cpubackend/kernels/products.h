// Products of few rows with a block of the KV cache, which is not unpacked for them.

// Up to FEW rows are multiplied with WIDE vectors of columns at once, more rows with
// NV: the sums fill the registers either way. A row alone takes twice WIDE vectors where
// there are as many.
enum { WIDE = KEYS / VW < 4 ? KEYS / VW : 4, FEW = MR * NV / WIDE };

// product sets out to a·b, or adds it to out if `add` is set: a [m, k] with rows lda
// apart, b [k, nv·VW] with rows ldb apart. Where there are scales, in F16, each column
// is multiplied with its own. Meanwhile it fetches `step` bytes per k from `ahead` on
// into the cache, but not in F32: there the search for each page costs more than it saves.
INLINE void product(const int m, const int nv, const int dtype, int64_t k, const float *a, int64_t lda,
	const char *b, int64_t ldb, const uint16_t *scales, int add, float *out, int64_t ldo, const char *ahead, int64_t step) {
	vf sum[MR][2 * WIDE];
	UNROLL for (int r = 0; r < m; r++) {
		UNROLL for (int v = 0; v < nv; v++) {
			sum[r][v] = add && scales == NULL ? load(out + r * ldo + v * VW) : splat(0);
		}
	}
	for (int64_t i = 0; i < k; i++) {
		if (dtype != DTYPE_F32) {
			__builtin_prefetch(ahead + i * step, 0, 2);
		}
		vf w[2 * WIDE];
		UNROLL for (int v = 0; v < nv; v++) {
			w[v] = load_cached(dtype, b, i * ldb + v * VW);
		}
		UNROLL for (int r = 0; r < m; r++) {
			vf x = splat(a[r * lda + i]);
			UNROLL for (int v = 0; v < nv; v++) {
				sum[r][v] = muladd(x, w[v], sum[r][v]);
			}
		}
	}
	UNROLL for (int r = 0; r < m; r++) {
		UNROLL for (int v = 0; v < nv; v++) {
			if (scales != NULL) {
				vf before = add ? load(out + r * ldo + v * VW) : splat(0);
				sum[r][v] = muladd(sum[r][v], from_f16(scales + v * VW), before);
			}
			store(out + r * ldo + v * VW, sum[r][v]);
		}
	}
}

#define PRODUCT_OF(CASE, M, VECTORS) \
	case CASE: \
		product(M, VECTORS, dtype, k, a, lda, w, ldb, scales != NULL ? scales + c : NULL, add, to, ldo, ahead, step); \
		break;

#define PRODUCT(M) PRODUCT_OF(M, M, M <= FEW ? WIDE : NV)

// products_as does that for all rows, in tiles as even as possible, and cols columns.
// The last vectors reach past b's columns and write as far past out's. It fetches
// `bytes` from `ahead` on.
INLINE void products_as(const int dtype, int64_t rows, int64_t k, const float *a, int64_t lda, const char *b, int64_t ldb,
	int64_t cols, const uint16_t *scales, int add, float *out, int64_t ldo, const char *ahead, int64_t bytes) {
	int64_t tiles = pieces_of(rows, MR), most = rows / tiles + 1, more = rows % tiles;
	for (int64_t t = 0; t < tiles; t++) {
		int64_t m = t < more ? most : most - 1, width = (m <= FEW ? WIDE : NV) * VW;
		const int alone = m == 1 && cols % (2 * width) == 0;
		width += alone ? width : 0;
		int64_t step = bytes / (tiles * pieces_of(cols, width) * k);
		for (int64_t c = 0; c < cols; c += width, ahead += k * step) {
			const char *w = b + c * cached_size(dtype);
			float *to = out + c;
			switch (alone ? 0 : m) {
				PRODUCT_OF(0, 1, 2 * WIDE)
				PRODUCT(1) PRODUCT(2) PRODUCT(3) PRODUCT(4) PRODUCT(5) PRODUCT(6)
#if MR > 6
				PRODUCT(7) PRODUCT(8) PRODUCT(9) PRODUCT(10) PRODUCT(11) PRODUCT(12)
#endif
			}
		}
		a += m * lda;
		out += m * ldo;
	}
}

// products is never inlined: it has the only copy of these loops.
static __attribute__((noinline)) void products(int dtype, int64_t rows, int64_t k, const float *a, int64_t lda, const char *b, int64_t ldb,
	int64_t cols, const uint16_t *scales, int add, float *out, int64_t ldo, const char *ahead, int64_t bytes) {
	switch (dtype) {
	case DTYPE_F16:
		products_as(DTYPE_F16, rows, k, a, lda, b, ldb, cols, NULL, add, out, ldo, ahead, bytes);
		break;
	case DTYPE_Q8_0:
		products_as(DTYPE_Q8_0, rows, k, a, lda, b, ldb, cols, scales, add, out, ldo, ahead, bytes);
		break;
	default:
		products_as(DTYPE_F32, rows, k, a, lda, b, ldb, cols, NULL, add, out, ldo, ahead, bytes);
	}
}
