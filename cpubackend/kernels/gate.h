// gate: out = activation(x)·y. A piece covers row_block rows.

INLINE void gate_as(const int activation, const float *x, const float *y, int64_t n, float *out) {
	int64_t i = 0;
	for (; i + VW <= n; i += VW) {
		store(out + i, activate(activation, load(x + i)) * load(y + i));
	}
	if (i < n) {
		store_part(out + i, activate(activation, load_part(x + i, n - i)) * load_part(y + i, n - i), n - i);
	}
}

#define GATE(A) \
	case A: \
		gate_as(A, x, y, n, out); \
		break;

static void gate(const struct op *o, int64_t piece, float *scratch) {
	(void)scratch;
	int64_t first = piece * o->row_block * o->cols;
	int64_t n = least((piece + 1) * o->row_block, o->rows) * o->cols - first;
	const float *x = o->x + first, *y = o->y + first;
	float *out = o->out + first;
	switch (o->activation) {
		GATE(ACT_NONE)
		GATE(ACT_GELU)
		GATE(ACT_GELU_TANH)
		GATE(ACT_QUICK_GELU)
		GATE(ACT_RELU)
		GATE(ACT_SILU)
		GATE(ACT_TANH)
		GATE(ACT_SIGMOID)
	}
}
