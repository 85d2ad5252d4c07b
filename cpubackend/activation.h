// Activations over the results of linear, in place.

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
