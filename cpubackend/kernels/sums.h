// What the loops of linear share: the cut of the result into pieces, and the sums
// [rows, PANEL] of a panel, from the bias to the result after the activation.

// cut is what a piece covers: rows of the result, and panels first..last of the
// weight.
struct cut {
	int64_t row, rows, first, last;
};

INLINE struct cut cut_of(const struct op *o, int64_t piece) {
	int64_t panels = pieces_of(o->cols, PANEL), across = pieces_of(panels, o->col_block);
	struct cut c = {.row = piece / across * o->row_block, .first = piece % across * o->col_block};
	c.rows = least(o->row_block, o->rows - c.row);
	c.last = least(c.first + o->col_block, panels);
	return c;
}

INLINE void activate_block(const int activation, float *p, int64_t ld, int64_t rows, int64_t cols) {
	for (int64_t r = 0; r < rows; r++, p += ld) {
		int64_t c = 0;
		for (; c + VW <= cols; c += VW) {
			store(p + c, activate(activation, load(p + c)));
		}
		if (c < cols) {
			store_part(p + c, activate(activation, load_part(p + c, cols - c)), cols - c);
		}
	}
}

static void apply(int activation, float *p, int64_t ld, int64_t rows, int64_t cols) {
	switch (activation) {
	case ACT_GELU:
		activate_block(ACT_GELU, p, ld, rows, cols);
		break;
	case ACT_GELU_TANH:
		activate_block(ACT_GELU_TANH, p, ld, rows, cols);
		break;
	case ACT_QUICK_GELU:
		activate_block(ACT_QUICK_GELU, p, ld, rows, cols);
		break;
	case ACT_RELU:
		activate_block(ACT_RELU, p, ld, rows, cols);
		break;
	case ACT_SILU:
		activate_block(ACT_SILU, p, ld, rows, cols);
		break;
	case ACT_TANH:
		activate_block(ACT_TANH, p, ld, rows, cols);
		break;
	case ACT_SIGMOID:
		activate_block(ACT_SIGMOID, p, ld, rows, cols);
		break;
	}
}

// start_panel sets the sums [rows, PANEL] of panel p to the bias.
INLINE void start_panel(const struct op *o, int64_t rows, int64_t p, float *sum) {
	for (int64_t r = 0; r < rows; r++) {
		memcpy(sum + r * PANEL, o->bias + p * PANEL, 4 * PANEL);
	}
}

// put_panels applies the activation to the sums [rows, n·PANEL] of n panels from p
// on and writes them to the result.
INLINE void put_panels(const struct op *o, int64_t row, int64_t rows, int64_t p, int64_t n, float *sum) {
	int64_t col = p * PANEL, cols = least(n * PANEL, o->cols - col);
	if (o->activation != ACT_NONE) {
		apply(o->activation, sum, n * PANEL, rows, cols);
	}
	for (int64_t r = 0; r < rows; r++) {
		float *to = o->out + (o->slot != NULL ? o->slot[row + r] : row + r) * o->cols + col;
		if (cols == PANEL) {
			memcpy(to, sum + r * n * PANEL, 4 * PANEL); // of a size that the compiler knows
		} else {
			memcpy(to, sum + r * n * PANEL, 4 * cols);
		}
	}
}
