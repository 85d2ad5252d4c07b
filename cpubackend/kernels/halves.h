// linear_halves: linear with tiles (amx.h), which multiply BF16 and add up in F32.
//
// A number in F32 is the sum of three in BF16, which have 8 of its bits each, and one in F16 is
// the sum of two. So a product of x with a weight in BF16 is three products, and nothing of it is
// lost. With a weight in F16 it is five, and in F32 six: those left out are below what F32
// rounds. A tile adds 32 products up by themselves before it adds them to a sum, so that a sum is
// nearer to the truth than one multiply-add after the other. With a weight in blocks
// x is one half, and so is the weight: levels have at most 8 bits, and their own
// rounding is larger than that of a product with a scale. x is finer so than in levels of 8 bits
// with a common scale.
//
// x is halved once, by `halve`. Weights are halved part by part, for all rows of a piece, in
// which pieces are therefore much higher than those of linear.

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

// order are the halves of x and of the weight whose products count. From one to the next either x or the
// weight stays in its registers.
static const struct { int8_t x, w; } order[] = {{0, 2}, {0, 1}, {1, 1}, {1, 0}, {2, 0}, {0, 0}};

// held are the halves that the registers hold; -1: none yet.
struct held {
	int x, w;
};

// add_halves adds the products of halves number i of a step, which it loads where they are not held.
INLINE void add_halves(const int i, const int tiles, const char *x, int64_t apart, const char *w, struct held *in) {
	if (order[i].w != in->w) {
		in->w = order[i].w;
		load_columns(w + in->w * NV * TILE_SIZE);
	}
	if (order[i].x != in->x) {
		in->x = order[i].x;
		load_rows(tiles, x + in->x * TILE_SIZE, apart);
	}
	add_products(tiles);
}

// add_step adds the products of a step. After each it opens `pairs` pairs of the next part.
INLINE void add_step(const int dtype, const int x_halves, const int tiles, const char *x, int64_t apart, const char *w,
	struct part *next, int64_t pairs) {
	struct held in = {-1, -1};
	UNROLL for (int i = 0; i < 6; i++) {
		if (order[i].x >= x_halves || order[i].w >= weight_halves(dtype)) {
			continue;
		}
		add_halves(i, tiles, x, apart, w, &in);
		if (dtype <= DTYPE_I32) {
			open_pairs(dtype, next, pairs);
		}
	}
}

// products_of returns how many products of halves a step has.
INLINE int products_of(int dtype) { return dtype == DTYPE_F32 ? 6 : dtype == DTYPE_F16 ? 5 : dtype == DTYPE_BF16 ? 3 : 1; }

// load_sums and store_sums bring sums [rows, PANEL] of one or two tiles of rows into the registers and back.
INLINE void load_sums(const int tiles, const float *sum) {
	TILE_LOAD(0, sum, 4 * PANEL);
	TILE_LOAD(1, sum + VW, 4 * PANEL);
	if (tiles == 2) {
		TILE_LOAD(2, sum + AMX_ROWS * PANEL, 4 * PANEL);
		TILE_LOAD(3, sum + AMX_ROWS * PANEL + VW, 4 * PANEL);
	}
}

INLINE void store_sums(const int tiles, float *sum) {
	TILE_STORE(0, sum, 4 * PANEL);
	TILE_STORE(1, sum + VW, 4 * PANEL);
	if (tiles == 2) {
		TILE_STORE(2, sum + AMX_ROWS * PANEL, 4 * PANEL);
		TILE_STORE(3, sum + AMX_ROWS * PANEL + VW, 4 * PANEL);
	}
}

INLINE void zero_sums(void) {
	TILE_ZERO(0);
	TILE_ZERO(1);
	TILE_ZERO(2);
	TILE_ZERO(3);
}

// multiply adds the products of one or two tiles of rows, `apart` bytes apart, with opened
// steps to sum [rows, PANEL]. It begins with zeros if `from` is not set.
INLINE void multiply(const int dtype, const int x_halves, const int tiles, int64_t steps, const char *x, int64_t apart, const char *w,
	int from, float *sum, struct part *next, int64_t pairs) {
	if (from) {
		load_sums(tiles, sum);
	} else {
		zero_sums();
	}
	for (int64_t s = 0; s < steps; s++, x += x_halves * TILE_SIZE, w += weight_halves(dtype) * NV * TILE_SIZE) {
		add_step(dtype, x_halves, tiles, x, apart, w, next, pairs);
	}
	store_sums(tiles, sum);
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

// deep_steps returns how many steps of x are multiplied with all panels of a piece before the next
// ones are: as many as the second-level cache holds for the rows of a piece, in whole parts. Weights
// in blocks take all of x.
INLINE int64_t deep_steps(int dtype, int64_t steps) { return dtype > DTYPE_I32 ? steps : least(steps, DEEP_STEPS); }

// place is where the products of a piece are: steps first..last with panel.
struct place {
	int64_t first, last, panel;
};

// following returns the place after p: the next part of the panel, the first part of the next
// panel, or, after all panels, the next steps of the first one.
INLINE struct place following(const struct op *o, struct cut c, struct place p) {
	const int64_t steps = pieces_of(o->inner, STEP), deep = deep_steps(o->dtype, steps), begin = p.first / deep * deep;
	p.first = p.last;
	if (p.first == steps || p.first == begin + deep) {
		const int again = ++p.panel == c.last;
		p.first = again ? p.first : begin;
		p.panel = again ? c.first : p.panel;
	}
	p.last = least(p.first + open_depth(o->dtype), least(steps, (p.first / deep + 1) * deep));
	return p;
}

// part_at begins to open the part at a place.
INLINE struct part part_at(const int dtype, const struct op *o, struct place p, char *to) {
	const int64_t k = p.first * STEP;
	return (struct part){
		.from = (const char *)o->weight + (p.panel * o->inner + k) * PANEL * size_of(dtype),
		.to = to, .pairs = (p.last - p.first) * PAIRS, .left = o->inner - k,
	};
}

// piece_in_halves multiplies a piece's rows with its panels.
INLINE void piece_in_halves(const int dtype, const int x_halves, const struct op *o, struct cut c, char *open, float *sums) {
	const int64_t steps = pieces_of(o->inner, STEP), apart = steps * x_halves * TILE_SIZE;
	const int64_t many = pieces_of(c.rows, 2 * AMX_ROWS);
	const int64_t kept = steps > deep_steps(dtype, steps) ? many * 2 * AMX_ROWS * PANEL : 0; // sums of each panel
	char *other = open + OPEN_FLOATS * TILE_SIZE;
	struct place at = {.last = least(open_depth(dtype), steps), .panel = c.first};
	if (dtype <= DTYPE_I32) {
		struct part first = part_at(dtype, o, at, open);
		open_pairs(dtype, &first, first.pairs);
	}
	for (;;) {
		const struct place then = following(o, c, at);
		const int64_t some = at.last - at.first;
		struct part next = {0};
		if (dtype > DTYPE_I32) {
			open_blocks(o->dtype, (const char *)o->weight + (at.panel * packed_bytes(o->dtype, o->inner) + packed_bytes(o->dtype, at.first * STEP)) * PANEL, some, open);
		} else if (then.first < steps) {
			next = part_at(dtype, o, then, other);
		}
		const int64_t pairs = pieces_of(next.pairs, many * some * products_of(dtype));
		for (int64_t r = 0; r < c.rows; r += 2 * AMX_ROWS) {
			const int64_t n = least(2 * AMX_ROWS, c.rows - r);
			const char *x = halved_row(o, c.row + r) + at.first * x_halves * TILE_SIZE;
			float *sum = sums + (at.panel - c.first) * kept + r * PANEL;
			if (n > AMX_ROWS) {
				multiply(dtype, x_halves, 2, some, x, apart, open, at.first > 0, sum, &next, pairs);
			} else {
				multiply(dtype, x_halves, 1, some, x, apart, open, at.first > 0, sum, &next, pairs);
			}
			if (at.last == steps) {
				finish(o, c.row + r, n, at.panel, sum);
			}
		}
		if (then.first >= steps) {
			return;
		}
		at = then;
		if (dtype <= DTYPE_I32) {
			char *swap = open;
			open = other;
			other = swap;
		}
	}
}

// step_of is a step that is opened while the one before is multiplied.
struct step_of {
	const char *from, *ahead; // where it is, and what is fetched meanwhile
	char *to;
};

// step_and_open adds the products of a step in floats, as add_step does, and opens the next one, which has
// all its values, part by part between them.
INLINE void step_and_open(const int dtype, const int tiles, const char *x, int64_t apart, const char *w, struct step_of next) {
	const int shares = products_of(dtype);
	struct held in = {-1, -1};
	int share = 0;
	UNROLL for (int i = 0; i < 6; i++) {
		if (order[i].w >= weight_halves(dtype)) {
			continue;
		}
		add_halves(i, tiles, x, apart, w, &in);
		open_whole(dtype, next.from, next.ahead, next.to, share * PAIRS / shares, (share + 1) * PAIRS / shares);
		share++;
	}
}

// few_rows multiplies one or two tiles of rows with a piece's panels in floats. To open a weight takes longer
// then than to multiply it. So each step is opened just before it is used, while the one before is multiplied,
// and the sums of a panel stay in the registers: a row has the bits that it has among many.
INLINE void few_rows(const int dtype, const int tiles, const struct op *o, struct cut c, char *open, float *sum) {
	const int64_t row = PANEL * size_of(dtype), step = STEP * row, panel = o->inner * row;
	const int64_t apart = pieces_of(o->inner, STEP) * 3 * TILE_SIZE;
	const char *w = (const char *)o->weight + c.first * panel, *end = (const char *)o->weight + c.last * panel;
	char *other = open + weight_halves(dtype) * NV * TILE_SIZE;
	struct part part = {.from = w, .to = open, .pairs = PAIRS, .left = o->inner};
	open_pairs(dtype, &part, PAIRS);
	for (int64_t p = c.first; p < c.last; p++) {
		const char *x = halved_row(o, c.row);
		zero_sums();
		for (int64_t left = o->inner; left > 0; left -= STEP, x += 3 * TILE_SIZE) {
			w += least(STEP, left) * row; // panels lie end to end
			const int64_t then = left > STEP ? left - STEP : w < end ? o->inner : 0;
			if (then >= STEP) {
				const char *ahead = end - w > AHEAD + step ? w + AHEAD : w;
				step_and_open(dtype, tiles, x, apart, open, (struct step_of){w, ahead, other});
			} else {
				part = (struct part){.from = w, .to = other, .pairs = then > 0 ? PAIRS : 0, .left = then};
				add_step(dtype, 3, tiles, x, apart, open, &part, 0);
				open_pairs(dtype, &part, PAIRS);
			}
			char *swap = open;
			open = other;
			other = swap;
		}
		store_sums(tiles, sum);
		finish(o, c.row, c.rows, p, sum);
	}
}

// piece_in_floats multiplies a piece's rows with its panels.
INLINE void piece_in_floats(const int dtype, const struct op *o, struct cut c, char *open, float *sums) {
	if (c.rows <= AMX_ROWS) {
		few_rows(dtype, 1, o, c, open, sums);
	} else if (c.rows <= 2 * AMX_ROWS) {
		few_rows(dtype, 2, o, c, open, sums);
	} else {
		piece_in_halves(dtype, 3, o, c, open, sums);
	}
}

// linear_halves: see above. A piece covers row_block rows, which are whole tiles, and col_block
// panels. form is the number of halves of x. Scratch holds opened tiles, and the sums of a
// panel, or of all panels where there are more than DEEP_STEPS.
static void linear_halves(const struct op *o, int64_t piece, float *scratch) {
	const struct cut c = cut_of(o, piece);
	char *open = (char *)scratch;
	float *sums = scratch + 2 * OPEN_FLOATS * TILE_SIZE / 4;
	tiles_begin(&half_tiles);
	switch (o->dtype) {
	case DTYPE_F32:
		piece_in_floats(DTYPE_F32, o, c, open, sums);
		break;
	case DTYPE_F16:
		piece_in_floats(DTYPE_F16, o, c, open, sums);
		break;
	case DTYPE_BF16:
		piece_in_floats(DTYPE_BF16, o, c, open, sums);
		break;
	default:
		piece_in_halves(DTYPE_Q8_0, 1, o, c, open, sums);
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
