// linear: out = activation(x·wᵀ + bias), x [rows, inner], out [rows, cols].
// A piece covers row_block rows and col_block panels. Scratch holds row_block
// rows of a panel, and a panel.

static void linear(const struct op *o, int64_t piece, float *scratch) {
	if (in_blocks(o->dtype)) {
		linear_blocks(o, piece, scratch);
		return;
	}
	int64_t across = pieces_of(pieces_of(o->cols, PANEL), o->col_block);
	int64_t row = piece / across * o->row_block, rows = least(o->row_block, o->rows - row);
	int64_t first = piece % across * o->col_block;
	int64_t last = least(first + o->col_block, pieces_of(o->cols, PANEL));
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
	switch (dtype) {
	case DTYPE_F32:
		pack_as(4, w, rows, inner, panels);
		break;
	case DTYPE_F16:
	case DTYPE_BF16:
		pack_as(2, w, rows, inner, panels);
		break;
#define CASE(T) \
	case T: \
		pack_blocks(T, w, rows, inner, panels); \
		break;
	EACH_BLOCK_TYPE(CASE)
#undef CASE
	}
}
