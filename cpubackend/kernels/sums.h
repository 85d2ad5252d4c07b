// The sums of linear, [rows, PANEL] a panel: they begin with the bias, and end as
// results by way of the activation.

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

// start_panel begins the sums [rows, PANEL] of panel p with the bias.
INLINE void start_panel(const struct op *o, int64_t rows, int64_t p, float *sum) {
	for (int64_t r = 0; r < rows; r++) {
		memcpy(sum + r * PANEL, o->bias + p * PANEL, 4 * PANEL);
	}
}

// put_panels writes the results [rows, n·PANEL] of n panels from p on.
INLINE void put_panels(const struct op *o, int64_t row, int64_t rows, int64_t p, int64_t n, float *sum) {
	int64_t col = p * PANEL, cols = least(n * PANEL, o->cols - col);
	apply(o->activation, sum, n * PANEL, rows, cols);
	for (int64_t r = 0; r < rows; r++) {
		memcpy(o->out + (row + r) * o->cols + col, sum + r * n * PANEL, 4 * cols);
	}
}
