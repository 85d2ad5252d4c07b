// linear: out = activation(x·wᵀ + bias), x [rows, inner], out [rows, cols].
// A piece covers row_block rows and col_block panels. Scratch holds row_block
// rows of a panel, and a panel.

// one_row_as multiplies one row of x with ACROSS panels side by side, size bytes
// apart: more sums are under way than in a tile, which waits for its few, and
// memory is quicker with several streams than with one.
INLINE void one_row_as(const int dtype, int64_t inner, const float *x, const char *w, int64_t size, const float *bias, float *out) {
	vf sum[ACROSS][NV];
	UNROLL for (int p = 0; p < ACROSS; p++) {
		UNROLL for (int v = 0; v < NV; v++) {
			sum[p][v] = load(bias + p * PANEL + v * VW);
		}
	}
	for (int64_t k = 0; k < inner; k++) {
		vf by = splat(x[k]);
		UNROLL for (int p = 0; p < ACROSS; p++) {
			UNROLL for (int v = 0; v < NV; v++) {
				sum[p][v] = muladd(by, load_as(dtype, w + p * size, k * PANEL + v * VW), sum[p][v]);
			}
		}
	}
	UNROLL for (int p = 0; p < ACROSS; p++) {
		UNROLL for (int v = 0; v < NV; v++) {
			store(out + p * PANEL + v * VW, sum[p][v]);
		}
	}
}

static __attribute__((noinline)) void one_row_across(const struct op *o, int64_t row, int64_t p, float *scratch) {
	int64_t size = o->inner * PANEL * size_of(o->dtype);
	const float *x = o->x + row * o->inner, *bias = o->bias + p * PANEL;
	const char *w = (const char *)o->weight + p * size;
	switch (o->dtype) {
	case DTYPE_F16:
		one_row_as(DTYPE_F16, o->inner, x, w, size, bias, scratch);
		break;
	case DTYPE_BF16:
		one_row_as(DTYPE_BF16, o->inner, x, w, size, bias, scratch);
		break;
	default:
		one_row_as(DTYPE_F32, o->inner, x, w, size, bias, scratch);
	}
	int64_t col = p * PANEL, cols = least(ACROSS * PANEL, o->cols - col);
	apply(o->activation, scratch, ACROSS * PANEL, 1, cols);
	memcpy(o->out + row * o->cols + col, scratch, 4 * cols);
}

static void linear(const struct op *o, int64_t piece, float *scratch) {
	int64_t across = pieces_of(pieces_of(o->cols, PANEL), o->col_block);
	int64_t row = piece / across * o->row_block, rows = least(o->row_block, o->rows - row);
	int64_t first = piece % across * o->col_block;
	int64_t last = least(first + o->col_block, pieces_of(o->cols, PANEL));
	for (; rows == 1 && first + ACROSS <= last; first += ACROSS) {
		one_row_across(o, row, first, scratch);
	}
	int64_t blocks = pieces_of(o->inner, DEPTH), depth = pieces_of(o->inner, blocks);
#ifdef SLOW_HALVES
	float *wide = scratch + o->row_block * PANEL; // one panel in F32
#endif
	for (int64_t k = 0; k < o->inner; k += depth) {
		int64_t n = least(depth, o->inner - k);
		for (int64_t p = first; p < last; p++) {
			int64_t col = p * PANEL, cols = least(PANEL, o->cols - col), ld = o->cols;
			float *out = o->out + row * ld + col;
			if (cols < PANEL) { // the last panel reaches past the result: sum beside it
				out = scratch;
				ld = PANEL;
			}
			const char *w = (const char *)o->weight + (p * o->inner + k) * PANEL * size_of(o->dtype);
			const float *x = o->x + row * o->inner + k;
			const char *ahead = w + o->inner * PANEL * size_of(o->dtype);
			int dtype = o->dtype;
#ifdef SLOW_HALVES
			if (dtype != DTYPE_F32 && rows > 1) {
				widen(dtype, w, n * PANEL, wide);
				w = (const char *)wide;
				dtype = DTYPE_F32;
			}
#endif
			if (k == 0) {
				strip(dtype, rows, n, x, o->inner, w, o->bias + col, 0, out, ld, ahead);
			} else {
				strip(dtype, rows, n, x, o->inner, w, out, ld, out, ld, ahead);
			}
			if (k + n < o->inner) {
				continue;
			}
			apply(o->activation, out, ld, rows, cols);
			for (int64_t r = 0; cols < PANEL && r < rows; r++) {
				memcpy(o->out + (row + r) * o->cols + col, out + r * ld, 4 * cols);
			}
		}
	}
}

// pack_as copies row r of the weight to place r % PANEL of its panel.
INLINE void pack_as(const int size, const char *w, int64_t rows, int64_t inner, char *panels) {
	for (int64_t first = 0; first < rows; first += PANEL) {
		int64_t n = least(PANEL, rows - first);
		char *panel = panels + first * inner * size;
		for (int64_t k = 0; k < inner; k++) {
			const char *from = w + (first * inner + k) * size;
			char *to = panel + k * PANEL * size;
			for (int64_t r = 0; r < n; r++) {
				memcpy(to + r * size, from + r * inner * size, size);
			}
			memset(to + n * size, 0, (PANEL - n) * size);
		}
	}
}

static void pack(int dtype, const void *w, int64_t rows, int64_t inner, void *panels) {
	if (dtype == DTYPE_F32) {
		pack_as(4, w, rows, inner, panels);
	} else {
		pack_as(2, w, rows, inner, panels);
	}
}
