// linear_halves: linear with tiles (amx.h), which multiply BF16 and add up in F32.
//
// A number in F32 is the sum of three in BF16, which have 8 of its bits each. So a product of x
// with a weight in BF16 is three products, and nothing of it is lost. With a weight in blocks
// x is one half, and so is the weight: levels have at most 8 bits, and their own
// rounding is larger than that of a product with a scale. x is finer so than in levels of 8 bits
// with a common scale. Weights in F32 and F16 are left to linear: they are sums of three and
// two halves, and to open them takes as long as linear needs for 20 rows.
//
// x is halved once, by `halve`. Weights are halved part by part, for all rows of a piece, in
// which pieces are therefore much higher than those of linear.

enum {
	STEP = 32,        // values of a row that a tile takes
	TILE_SIZE = 1024, // of 16 rows of 32 halves, or 16 pairs of values of 16 columns
	OPEN_TILES = 32,  // of a panel are opened at a time: they stay in the first-level cache
};

enum { DEPTH_STEPS = OPEN_TILES / NV }; // whole spans

// pairs rounds a and b to halves, side by side.
INLINE __m512i pairs(vf a, vf b) {
	const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	const __m512i order = _mm512_or_si512(lanes, _mm512_slli_epi32(_mm512_add_epi32(lanes, _mm512_set1_epi32(16)), 16));
	return _mm512_permutexvar_epi16(order, (__m512i)_mm512_cvtne2ps_pbh(b, a));
}

// open_bf16 opens `steps` steps of a panel from value k on: in each, for each vector, a tile
// with a row for every pair of values.
INLINE void open_bf16(const char *panel, int64_t k, int64_t inner, int64_t steps, char *to) {
	for (int64_t s = 0; s < steps; s++, to += NV * TILE_SIZE) {
		for (int i = 0; i < STEP; i += 2, k += 2) {
			UNROLL for (int v = 0; v < NV; v++) {
				vf a = k < inner ? load_as(DTYPE_BF16, panel, k * PANEL + v * VW) : splat(0);
				vf b = k + 1 < inner ? load_as(DTYPE_BF16, panel, (k + 1) * PANEL + v * VW) : splat(0);
				_mm512_store_si512(to + v * TILE_SIZE + i * 32, pairs(a, b));
			}
		}
	}
}

// open_blocks does that for a block type. A step is a run.
INLINE void open_blocks_as(const int dtype, const uint8_t *span, int64_t steps, char *to) {
	const struct form f = forms[dtype];
	const __m512i bytes = _mm512_broadcast_i32x4(_mm_setr_epi8(0, -1, -1, -1, 4, -1, -1, -1, 8, -1, -1, -1, 12, -1, -1, -1));
	for (int64_t s = 0; s < steps; s += f.span, span += span_bytes(dtype) * PANEL) {
		for (int r = 0; r < f.span; r++, to += NV * TILE_SIZE) {
			const uint8_t *run = run_at(dtype, span, r);
			UNROLL for (int v = 0; v < NV; v++) {
				vf scale = {0}, floor = {0};
				UNROLL for (int q = 0; q < WORDS; q++) {
					if (q * 4 % f.group == 0) {
						const int g = (r * RUN + q * 4) / f.group;
						scale = group_scale(dtype, span, g, v);
						floor = scale * (float)(in_bytes(dtype) ? WIDE_ZERO : f.zero);
						floor = f.floors ? floor + group_floor(dtype, span, g, v) : floor;
					}
					__m512i word = (__m512i)run_level(dtype, run, v, q);
					vf x[4];
					UNROLL for (int i = 0; i < 4; i++) {
						__m512i level = _mm512_shuffle_epi8(word, _mm512_add_epi8(bytes, _mm512_set1_epi32(i)));
						x[i] = _mm512_fmsub_ps(floats_of((vi)level), scale, floor);
					}
					char *at = to + v * TILE_SIZE + q * 128;
					_mm512_store_si512(at, pairs(x[0], x[1]));
					_mm512_store_si512(at + 64, pairs(x[2], x[3]));
				}
			}
		}
	}
}

// open_steps opens steps of a panel from step `first` on.
static __attribute__((noinline)) void open_steps(const struct op *o, const char *panel, int64_t first, int64_t steps, char *to) {
	switch (o->dtype) {
	case DTYPE_BF16:
		open_bf16(panel, first * STEP, o->inner, steps, to);
		break;
#define CASE(T) \
	case T: \
		open_blocks_as(T, (const uint8_t *)panel + packed_bytes(T, first * STEP) * PANEL, steps, to); \
		break;
	EACH_BLOCK_TYPE(CASE)
#undef CASE
	}
}

// Registers: 0 to 3 have the sums of two tiles of rows by two of columns, 4 and 5 those rows,
// 6 and 7 those columns.
static const struct tiles half_tiles = {
	.palette = 1, .bytes = {64, 64, 64, 64, 64, 64, 64, 64}, .rows = {16, 16, 16, 16, 16, 16, 16, 16},
};

INLINE void load_rows(const int tiles, const char *x, int64_t apart) {
	TILE_LOAD(4, x, 64);
	if (tiles == 2) {
		TILE_LOAD(5, x + apart, 64);
	}
}

INLINE void load_columns(const char *w) {
	TILE_LOAD(6, w, 64);
	TILE_LOAD(7, w + TILE_SIZE, 64);
}

INLINE void add_products(const int tiles) {
	TILE_HALVES(0, 4, 6);
	TILE_HALVES(1, 4, 7);
	if (tiles == 2) {
		TILE_HALVES(2, 5, 6);
		TILE_HALVES(3, 5, 7);
	}
}

// multiply adds the products of one or two tiles of rows, `apart` bytes apart, with opened
// steps to sum [rows, PANEL]. It begins with zeros if `from` is not set.
INLINE void multiply(const int halves, const int tiles, int64_t steps, const char *x, int64_t apart, const char *w,
	int from, float *sum) {
	float *lower = sum + AMX_ROWS * PANEL;
	TILE_ZERO(0);
	TILE_ZERO(1);
	TILE_ZERO(2);
	TILE_ZERO(3);
	if (from) {
		TILE_LOAD(0, sum, 4 * PANEL);
		TILE_LOAD(1, sum + VW, 4 * PANEL);
		if (tiles == 2) {
			TILE_LOAD(2, lower, 4 * PANEL);
			TILE_LOAD(3, lower + VW, 4 * PANEL);
		}
	}
	for (int64_t s = 0; s < steps; s++, x += halves * TILE_SIZE, w += NV * TILE_SIZE) {
		load_columns(w);
		UNROLL for (int h = 0; h < halves; h++) {
			load_rows(tiles, x + h * TILE_SIZE, apart);
			add_products(tiles);
		}
	}
	TILE_STORE(0, sum, 4 * PANEL);
	TILE_STORE(1, sum + VW, 4 * PANEL);
	if (tiles == 2) {
		TILE_STORE(2, lower, 4 * PANEL);
		TILE_STORE(3, lower + VW, 4 * PANEL);
	}
}

// finish adds the bias to sums [rows, PANEL] and puts them into the result.
INLINE void finish(const struct op *o, int64_t row, int64_t rows, int64_t panel, float *sum) {
	UNROLL for (int v = 0; v < NV; v++) {
		vf bias = load(o->bias + panel * PANEL + v * VW);
		for (int64_t r = 0; r < rows; r++) {
			store(sum + r * PANEL + v * VW, load(sum + r * PANEL + v * VW) + bias);
		}
	}
	put_panels(o, row, rows, panel, 1, sum);
}

// halved_row returns where the halves of a row begin. They lie tile by tile, in a tile step by
// step, and in a step half by half.
INLINE char *halved_row(const struct op *o, int64_t row) {
	return (char *)o->levels + row / AMX_ROWS * pieces_of(o->inner, STEP) * o->form * TILE_SIZE + row % AMX_ROWS * 64;
}

// panel_in_halves multiplies a piece's rows with a panel. The sums are those of one block of
// rows after the other if the whole panel is opened at once.
INLINE void panel_in_halves(const int halves, const struct op *o, struct cut c, int64_t panel, char *open, float *sums) {
	const int64_t steps = pieces_of(o->inner, STEP), apart = steps * halves * TILE_SIZE;
	const int64_t size = o->dtype > DTYPE_I32 ? packed_bytes(o->dtype, o->inner) : 2 * o->inner;
	for (int64_t first = 0; first < steps; first += DEPTH_STEPS) {
		const int64_t some = least(DEPTH_STEPS, steps - first);
		open_steps(o, (const char *)o->weight + panel * size * PANEL, first, some, open);
		for (int64_t r = 0; r < c.rows; r += 2 * AMX_ROWS) {
			const int64_t n = least(2 * AMX_ROWS, c.rows - r);
			const char *x = halved_row(o, c.row + r) + first * halves * TILE_SIZE;
			float *sum = steps > DEPTH_STEPS ? sums + r * PANEL : sums;
			if (n > AMX_ROWS) {
				multiply(halves, 2, some, x, apart, open, first > 0, sum);
			} else {
				multiply(halves, 1, some, x, apart, open, first > 0, sum);
			}
			if (first + some == steps) {
				finish(o, c.row + r, n, panel, sum);
			}
		}
	}
}

// linear_halves: see above. A piece covers row_block rows, which are whole tiles, and col_block
// panels. form is the number of halves of x. Scratch holds opened tiles, and sums of a panel.
static void linear_halves(const struct op *o, int64_t piece, float *scratch) {
	const struct cut c = cut_of(o, piece);
	char *open = (char *)scratch;
	float *sums = scratch + OPEN_TILES * TILE_SIZE / 4;
	tiles_begin(&half_tiles);
	for (int64_t p = c.first; p < c.last; p++) {
		if (o->form == 1) {
			panel_in_halves(1, o, c, p, open, sums);
		} else {
			panel_in_halves(3, o, c, p, open, sums);
		}
	}
	tiles_end();
}

// halve_step turns 32 values into sums of halves.
INLINE void halve_step(const int halves, vf a, vf b, char *to) {
	UNROLL for (int h = 0; h < halves; h++) {
		__m512i some = (__m512i)_mm512_cvtne2ps_pbh(b, a);
		_mm512_storeu_si512(to + h * TILE_SIZE, some);
		a -= (vf)_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm512_castsi512_si256(some)), 16);
		b -= (vf)_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(some, 1)), 16);
	}
}

INLINE void halve_as(const int halves, const float *x, int64_t inner, char *to) {
	for (int64_t k = 0; k < inner; k += STEP, to += halves * TILE_SIZE) {
		const int64_t rest = inner - k;
		if (rest >= STEP) {
			halve_step(halves, load(x + k), load(x + k + VW), to);
			continue;
		}
		vf a = load_part(x + k, least(VW, rest)), b = load_part(x + k + least(VW, rest), greatest(0, rest - VW));
		halve_step(halves, a, b, to);
	}
}

// halve: x as sums of halves, for linear_halves. A piece covers row_block rows.
static void halve(const struct op *o, int64_t piece, float *scratch) {
	(void)scratch;
	const int64_t end = least((piece + 1) * o->row_block, o->rows);
	for (int64_t r = piece * o->row_block; r < end; r++) {
		if (o->form == 1) {
			halve_as(1, o->x + r * o->inner, o->inner, halved_row(o, r));
		} else {
			halve_as(3, o->x + r * o->inner, o->inner, halved_row(o, r));
		}
	}
}
