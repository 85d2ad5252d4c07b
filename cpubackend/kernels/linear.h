// linear: out = activation(x·wᵀ + bias), x [rows, inner], out [rows, cols].
// A piece covers row_block rows and col_block panels.

// row_across_as multiplies one row of x with ACROSS panels side by side, which are
// `size` bytes apart. With more sums at once than in a tile of one row, none waits
// for the one before it, and memory is faster with several streams than with one.
INLINE void row_across_as(const int dtype, int64_t inner, const float *x, const char *w, int64_t size, const float *bias, float *out) {
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

static __attribute__((noinline)) void row_across(const struct op *o, int64_t row, int64_t p, float *sum) {
	int64_t size = o->inner * PANEL * size_of(o->dtype);
	const float *x = o->x + row * o->inner, *bias = o->bias + p * PANEL;
	const char *w = (const char *)o->weight + p * size;
	switch (o->dtype) {
	case DTYPE_F16:
		row_across_as(DTYPE_F16, o->inner, x, w, size, bias, sum);
		break;
	case DTYPE_BF16:
		row_across_as(DTYPE_BF16, o->inner, x, w, size, bias, sum);
		break;
	default:
		row_across_as(DTYPE_F32, o->inner, x, w, size, bias, sum);
	}
}

// many_rows multiplies a piece's rows with its panels. Scratch holds the sums, and
// a panel in F32 where halves are slow. Sums begin at the bias, and if nothing is to be
// done with them, they end in the result.
INLINE void many_rows(const struct op *o, struct cut c, float *scratch) {
	const int64_t blocks = pieces_of(o->inner, DEPTH), depth = pieces_of(o->inner, blocks);
	const int64_t unit = PANEL * size_of(o->dtype);
	for (int64_t k = 0; k < o->inner; k += depth) {
		int64_t n = least(depth, o->inner - k);
		for (int64_t p = c.first; p < c.last; p++) {
			float *sum = scratch + (p - c.first) * c.rows * PANEL;
			const int last = k + n == o->inner;
			// what comes next: this part of the next panel, or the next part of the first one. Nothing is
			// fetched from beyond the weight: where there is no memory, each attempt costs a search for its page.
			const int64_t next = p + 1 < c.last ? (p + 1) * o->inner + k : last ? p * o->inner + k : c.first * o->inner + k + n;
			const char *ahead = (const char *)o->weight + next * unit;
			const int direct = last && o->activation == ACT_NONE && o->slot == NULL && (p + 1) * PANEL <= o->cols;
			const float *from = k == 0 ? o->bias + p * PANEL : sum;
			float *to = direct ? o->out + c.row * o->cols + p * PANEL : sum;
			const char *w = (const char *)o->weight + (p * o->inner + k) * unit;
			int dtype = o->dtype;
#ifdef SLOW_HALVES
			float *wide = scratch + (c.last - c.first) * c.rows * PANEL;
			if (dtype != DTYPE_F32 && c.rows > 1) {
				widen(dtype, w, n * PANEL, wide);
				w = (const char *)wide;
				dtype = DTYPE_F32;
			}
#endif
			strip(dtype, c.rows, n, o->x + c.row * o->inner + k, o->inner, w, from, k == 0 ? 0 : PANEL, to, direct ? o->cols : PANEL, ahead);
			if (last && !direct) {
				put_panels(o, c.row, c.rows, p, 1, sum);
			}
		}
	}
}

static void linear(const struct op *o, int64_t piece, float *scratch) {
	struct cut c = cut_of(o, piece);
	for (; c.rows == 1 && c.first + ACROSS <= c.last; c.first += ACROSS) {
		row_across(o, c.row, c.first, scratch);
		put_panels(o, c.row, 1, c.first, ACROSS, scratch);
	}
	many_rows(o, c, scratch);
}

// pack_as copies row r of the weight to place r % PANEL of its panel. It copies a
// few values of each row at a time, so that what it writes stays in the first-level
// cache.
INLINE void pack_as(const int size, const char *w, int64_t rows, int64_t inner, char *panels) {
	enum { SOME = 32 };
	for (int64_t first = 0; first < rows; first += PANEL, panels += PANEL * inner * size) {
		int64_t n = least(PANEL, rows - first);
		for (int64_t k = 0; k < inner; k += SOME) {
			int64_t some = least(SOME, inner - k);
			for (int64_t r = 0; r < n; r++) {
				const char *from = w + ((first + r) * inner + k) * size;
				char *to = panels + (k * PANEL + r) * size;
				for (int64_t i = 0; i < some; i++) {
					memcpy(to + i * PANEL * size, from + i * size, size);
				}
			}
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
