// Opening a weight for products of tiles (halves.h): a panel becomes tiles of halves, as far as a
// core's first-level cache holds them.
//
// Floats are opened while the products of the part before run, a few rows between one product
// and the next: a tile keeps its own unit busy for 16 cycles, in which the others have nothing to do.

enum {
	STEP = 32,        // values of a row that a tile takes
	TILE_SIZE = 1024, // of 16 rows of 32 halves, or 16 pairs of values of 16 columns
	PAIRS = STEP / 2, // rows of an opened tile
	OPEN_FLOATS = 24, // tiles of a panel in floats are opened at a time, twice
	OPEN_BLOCKS = 32, // and of one in blocks, once; whole spans
	DEEP_STEPS = 24,  // of x, see halves.h
	AHEAD = 4096,     // bytes of a weight that are fetched ahead
};

// weight_halves returns of how many halves a weight is the sum.
INLINE int weight_halves(int dtype) { return dtype == DTYPE_F32 ? 3 : dtype == DTYPE_F16 ? 2 : 1; }

// open_depth returns how many steps are opened at a time.
INLINE int64_t open_depth(int dtype) {
	return dtype > DTYPE_I32 ? OPEN_BLOCKS / NV : OPEN_FLOATS / (NV * weight_halves(dtype));
}

// part is a part of a panel that is opened: its steps from first on, and what of it is open.
struct part {
	const char *from; // the next pair of rows of the panel
	char *to;
	int64_t first, steps;
	int64_t pair, pairs; // how many pairs are open, and how many there will be
	int64_t left;        // values from `from` on that the weight has
};

// open_pair stores two values of 16 columns as sums of halves, each in tiles of its own. Every
// half but the last has the upper bits of what is left, so that the sum is exact.
INLINE void open_pair(const int halves, vf a, vf b, char *to) {
	const __m512i upper = _mm512_set1_epi32((int)0xffff0000);
	UNROLL for (int h = 0; h < halves; h++) {
		__m512i low = _mm512_srli_epi32((__m512i)a, 16);
		// the upper bits of b, those of a below: one instruction
		_mm512_store_si512(to + h * NV * TILE_SIZE, _mm512_ternarylogic_epi32(upper, (__m512i)b, low, 0xca));
		if (h + 1 < halves) {
			a -= (vf)_mm512_and_si512((__m512i)a, upper);
			b -= (vf)_mm512_and_si512((__m512i)b, upper);
		}
	}
}

// open_pairs opens n more pairs of rows of a part in floats, as far as it has them: for each half
// and vector, a row of a tile.
INLINE void open_pairs(const int dtype, struct part *p, int64_t n) {
	const int halves = weight_halves(dtype), size = size_of(dtype);
	for (; n > 0 && p->pair < p->pairs; n--) {
		UNROLL for (int v = 0; v < NV; v++) {
			vf a = p->left > 0 ? load_as(dtype, p->from, v * VW) : splat(0);
			vf b = p->left > 1 ? load_as(dtype, p->from, PANEL + v * VW) : splat(0);
			open_pair(halves, a, b, p->to + v * TILE_SIZE);
		}
		p->from += 2 * PANEL * size;
		p->left -= 2;
		p->to += ++p->pair % PAIRS == 0 ? halves * NV * TILE_SIZE - (PAIRS - 1) * 64 : 64;
	}
}

// open_whole opens pairs first..last of a step in floats that has all its values, and fetches as much from
// `ahead` on.
INLINE void open_whole(const int dtype, const char *from, const char *ahead, char *to, const int first, const int last) {
	const int64_t pair = 2 * PANEL * size_of(dtype);
	for (int p = first; p < last; p++) {
		for (int64_t line = 0; line < pair; line += 64) {
			__builtin_prefetch(ahead + p * pair + line, 0, 2);
		}
		UNROLL for (int v = 0; v < NV; v++) {
			vf a = load_as(dtype, from + p * pair, v * VW), b = load_as(dtype, from + p * pair, PANEL + v * VW);
			open_pair(weight_halves(dtype), a, b, to + v * TILE_SIZE + p * 64);
		}
	}
}

// pairs rounds a and b to halves, side by side.
INLINE __m512i pairs(vf a, vf b) {
	const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	const __m512i order = _mm512_or_si512(lanes, _mm512_slli_epi32(_mm512_add_epi32(lanes, _mm512_set1_epi32(16)), 16));
	return _mm512_permutexvar_epi16(order, (__m512i)_mm512_cvtne2ps_pbh(b, a));
}

// open_blocks_as opens `steps` steps of a panel in a block type, of which each is a run: for each
// vector a tile with a row for every pair of values.
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

// open_blocks opens a whole part in blocks.
static __attribute__((noinline)) void open_blocks(int dtype, const char *from, int64_t steps, char *to) {
	switch (dtype) {
#define CASE(T) \
	case T: \
		open_blocks_as(T, (const uint8_t *)from, steps, to); \
		break;
	EACH_BLOCK_TYPE(CASE)
#undef CASE
	}
}
