// gate: out = activation(x)·y, or activation(x) without y; with a limit, of x below it and y within it, plus shift.
// A piece covers row_block rows.

// gate_shaped bounds a stretch of x and y and adds the shift, into scratch.
INLINE void gate_shaped(const struct op *o, const float *x, const float *y, int64_t n, float *gate, float *up) {
	vf most = o->limit > 0 ? splat(o->limit) : splat(INFINITY), shift = splat(o->shift);
	for (int64_t i = 0; i < n; i += VW) {
		int64_t some = least(VW, n - i);
		store_part(gate + i, smaller(most, load_part(x + i, some)), some);
		store_part(up + i, larger(-most, smaller(most, load_part(y + i, some))) + shift, some);
	}
}

INLINE void gate_as(const int activation, const float *x, const float *y, int64_t n, float *out) {
	int64_t i = 0;
	if (y == NULL) {
		for (; i < n; i += VW) {
			int64_t some = least(VW, n - i);
			store_part(out + i, activate(activation, load_part(x + i, some)), some);
		}
		return;
	}
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

static void gate_some(const struct op *o, const float *x, const float *y, int64_t n, float *out) {
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

// GATE_SOME values are shaped at a time.
enum { GATE_SOME = 1024 };

static void gate(const struct op *o, int64_t piece, float *scratch) {
	int64_t first = piece * o->row_block * o->cols;
	int64_t n = least((piece + 1) * o->row_block, o->rows) * o->cols - first;
	const float *x = o->x + first, *y = o->y != NULL ? o->y + first : NULL;
	float *out = o->out + first;
	if (o->limit == 0 && o->shift == 0) {
		gate_some(o, x, y, n, out);
		return;
	}
	for (int64_t i = 0; i < n; i += GATE_SOME) {
		int64_t some = least(GATE_SOME, n - i);
		gate_shaped(o, x + i, y + i, some, scratch, scratch + GATE_SOME);
		gate_some(o, scratch, scratch + GATE_SOME, some, out + i);
	}
}
