// linear for weights in block types, where the instruction set has no dot
// products of bytes: panels become floats and go through the same loops as
// those that were floats before.

// widen_panel turns `spans` spans of a panel into floats: for each value,
// PANEL rows side by side.
INLINE void widen_panel_as(const int dtype, const uint8_t *span, int64_t spans, float *to) {
	const struct form f = forms[dtype];
	for (int64_t s = 0; s < spans; s++, span += span_bytes(dtype) * PANEL) {
		for (int r = 0; r < f.span; r++, to += RUN * PANEL) {
			const uint8_t *run = span + (levels_at(dtype) + r * run_bytes(dtype)) * PANEL;
			UNROLL for (int v = 0; v < NV; v++) {
				vb level[WORDS];
				run_levels(dtype, run, v, level);
				vf scale = {0}, floor = {0};
				UNROLL for (int q = 0; q < WORDS; q++) {
					if (q * 4 % f.group == 0) {
						int g = (r * RUN + q * 4) / f.group;
						scale = group_scale(dtype, span, g, v);
						if (f.floors) {
							floor = group_floor(dtype, span, g, v);
						}
					}
					UNROLL for (int i = 0; i < 4; i++) {
						vf x = __builtin_convertvector(((vi)level[q] >> (8 * i) & 255) - f.zero, vf);
						store(to + (q * 4 + i) * PANEL + v * VW, f.floors ? scale * x - floor : scale * x);
					}
				}
			}
		}
	}
}

static __attribute__((noinline)) void widen_panel(int dtype, const void *span, int64_t spans, float *to) {
	switch (dtype) {
#define CASE(T) \
	case T: \
		widen_panel_as(T, span, spans, to); \
		break;
	EACH_BLOCK_TYPE(CASE)
#undef CASE
	}
}

// A piece covers row_block rows and col_block panels, as in linear. Scratch
// holds row_block rows of a panel, and as much of a panel as is made at once.
enum { SPAN = 256, SPANS_DEPTH = DEPTH < SPAN ? SPAN : DEPTH / SPAN * SPAN };

static void linear_blocks(const struct op *o, int64_t piece, float *scratch) {
	int64_t across = pieces_of(pieces_of(o->cols, PANEL), o->col_block);
	int64_t row = piece / across * o->row_block, rows = least(o->row_block, o->rows - row);
	int64_t first = piece % across * o->col_block;
	int64_t last = least(first + o->col_block, pieces_of(o->cols, PANEL));
	float *wide = scratch + o->row_block * PANEL;
	int64_t size = packed_bytes(o->dtype, o->inner) * PANEL, values = forms[o->dtype].span * RUN;
	for (int64_t p = first; p < last; p++) {
		int64_t col = p * PANEL, cols = least(PANEL, o->cols - col);
		const char *w = (const char *)o->weight + p * size;
		for (int64_t k = 0; k < o->inner; k += SPANS_DEPTH) {
			int64_t n = least(SPANS_DEPTH, o->inner - k);
			widen_panel(o->dtype, w, n / values, wide);
			w += packed_bytes(o->dtype, n) * PANEL;
			const float *x = o->x + row * o->inner + k;
			strip(DTYPE_F32, rows, n, x, o->inner, (const char *)wide, k == 0 ? o->bias + col : scratch,
				k == 0 ? 0 : PANEL, scratch, PANEL, w);
		}
		apply(o->activation, scratch, PANEL, rows, cols);
		for (int64_t r = 0; r < rows; r++) {
			memcpy(o->out + (row + r) * o->cols + col, scratch + r * PANEL, 4 * cols);
		}
	}
}
