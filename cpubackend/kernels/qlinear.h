// linear for weights in block types. Where the instruction set has dot products of
// bytes it multiplies the weights' levels with a quantized x. Elsewhere it converts
// panels to F32 and multiplies those. A piece covers row_block rows and col_block
// panels, as in linear.

#if defined(HAVE_DOT)

// DEPTH_RUNS runs, some 10 KiB, are opened at a time, in whole spans. This leaves
// room in the first-level cache for x and the sums.
enum {
	DEPTH_RUNS = 16,
	OPEN_BYTES = DEPTH_RUNS * sizeof(struct open_run),
};
_Static_assert(WIDE_DEPTH * sizeof(struct open_wide) <= OPEN_BYTES, "the same scratch serves both");

static __attribute__((noinline)) void open_runs(int dtype, const uint8_t *panel, int64_t runs, void *to) {
	switch (dtype) {
#define CASE(T) \
	case T: \
		open_runs_as(T, panel, runs, to); \
		break;
	EACH_NARROW_TYPE(CASE)
#undef CASE
#define CASE(T) \
	case T: \
		open_wide_as(T, panel, runs, to); \
		break;
	EACH_WIDE_TYPE(CASE)
#undef CASE
	}
}

// many_rows multiplies a piece's rows, whose levels begin at x, with its panels.
// Scratch holds open runs and the sums.
INLINE void many_rows(const struct op *o, struct cut c, const char *x, float *scratch) {
	const int64_t runs = o->inner / RUN, depth = o->form ? WIDE_DEPTH : DEPTH_RUNS;
	const int64_t size = packed_bytes(o->dtype, o->inner) * PANEL;
	const uint8_t *w = o->weight;
	float *sums = scratch + OPEN_BYTES / 4;
	struct share s = {.op = o, .row = c.row, .rows = c.rows, .all = runs};
	for (s.first = 0; s.first < runs; s.first += depth) {
		const int64_t before = packed_bytes(o->dtype, s.first * RUN) * PANEL;
		s.runs = least(depth, runs - s.first);
		for (s.panel = c.first; s.panel < c.last; s.panel++) {
			const uint8_t *from = w + s.panel * size + before;
			open_runs(o->dtype, from, s.runs, scratch);
			// Nothing is fetched from beyond the weight: where there is no memory, each attempt costs a search for its page.
			struct ahead next = {(const char *)from + size, packed_bytes(o->dtype, s.runs * RUN) * PANEL};
			if (s.panel + 1 == c.last) {
				const int64_t after = before + next.bytes;
				next.from = (const char *)w + c.first * size + after;
				next.bytes = packed_bytes(o->dtype, least(depth, runs - s.first - s.runs) * RUN) * PANEL;
			}
			float *sum = sums + (s.panel - c.first) * c.rows * sums_apart(&s);
			if (o->form) {
				strip_wide(&s, (const struct x_wide *)x, (const struct open_wide *)scratch, sum, next);
			} else {
				strip_runs(&s, (const struct x_run *)x, (const struct open_run *)scratch, sum, next);
			}
		}
	}
}

static void linear_blocks(const struct op *o, int64_t piece, float *scratch) {
	const struct cut c = cut_of(o, piece);
	const int64_t runs = o->inner / RUN;
	const char *x = (const char *)o->levels + c.row * runs * (o->form ? sizeof(struct x_wide) : sizeof(struct x_run));
#if defined(HAVE_FEW)
	if (are_few(o->rows)) {
		few_rows(o, c, x, scratch);
		return;
	}
#endif
	if (o->rows > 1) {
		many_rows(o, c, x, scratch);
		return;
	}
	const int64_t size = packed_bytes(o->dtype, o->inner) * PANEL;
	for (int64_t p = c.first; p < c.last; p += ACROSS) {
		int64_t n = least(ACROSS, c.last - p);
		memcpy(scratch, o->bias + p * PANEL, 4 * n * PANEL);
		row_of[o->dtype](runs, x, (const uint8_t *)o->weight + p * size, n, scratch);
		put_panels(o, c.row, 1, p, n, scratch);
	}
}

#else

// widen_panel_as converts `spans` spans of a panel to floats: for each value, PANEL
// rows side by side.
INLINE void widen_panel_as(const int dtype, const uint8_t *span, int64_t spans, float *to) {
	const struct form f = forms[dtype];
	for (int64_t s = 0; s < spans; s++, span += span_bytes(dtype) * PANEL) {
		for (int r = 0; r < f.span; r++, to += RUN * PANEL) {
			const uint8_t *run = span + (levels_at(dtype) + r * run_bytes(dtype)) * PANEL;
			UNROLL for (int v = 0; v < NV; v++) {
				vf scale = {0}, floor = {0};
				UNROLL for (int q = 0; q < WORDS; q++) {
					vi word = (vi)run_level(dtype, run, v, q);
					if (q * 4 % f.group == 0) {
						int g = (r * RUN + q * 4) / f.group;
						scale = group_scale(dtype, span, g, v);
						if (f.floors) {
							floor = group_floor(dtype, span, g, v);
						}
					}
					UNROLL for (int i = 0; i < 4; i++) {
						vi level = in_bytes(dtype) ? word << (24 - 8 * i) >> 24 : (word >> (8 * i) & 255) - f.zero;
						vf x = floats_of(level);
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

// SPANS_DEPTH values of each row are converted at a time: whole spans of 24 KiB of
// floats at most, but at least one span.
enum { SPAN = 256, SPANS_DEPTH = DEPTH < SPAN ? SPAN : DEPTH / SPAN * SPAN };

// Scratch holds the sums of row_block rows with one panel, and SPANS_DEPTH values of
// a panel as floats.
static void linear_blocks(const struct op *o, int64_t piece, float *scratch) {
	const struct cut c = cut_of(o, piece);
	float *wide = scratch + o->row_block * PANEL;
	int64_t size = packed_bytes(o->dtype, o->inner) * PANEL, values = forms[o->dtype].span * RUN;
	for (int64_t p = c.first; p < c.last; p++) {
		const char *w = (const char *)o->weight + p * size;
		start_panel(o, c.rows, p, scratch);
		for (int64_t k = 0; k < o->inner; k += SPANS_DEPTH) {
			int64_t n = least(SPANS_DEPTH, o->inner - k);
			widen_panel(o->dtype, w, n / values, wide);
			w += packed_bytes(o->dtype, n) * PANEL;
			strip(DTYPE_F32, c.rows, n, o->x + c.row * o->inner + k, o->inner, (const char *)wide, scratch, PANEL, scratch, PANEL, w);
		}
		put_panels(o, c.row, c.rows, p, 1, scratch);
	}
}

#endif
