// The caches of keys and values, and how rows get into them and out again.
//
// A cache [capacity, heads·size] lies in blocks of KEYS rows. A block holds one
// head after the other. Keys are stored by columns: for each column of the head,
// the values of KEYS rows side by side. A vector then holds one column of several
// keys, and scores need no sums across a vector. Values are stored by rows.
// A Q8_0 block holds its levels like that, then its scales in F16: for each 32
// columns of a row, the scales of KEYS rows side by side.

enum { KEYS = 32, QUANTS = 32 }; // rows in a block; columns that share a scale

INLINE int64_t block_bytes(int dtype, int64_t cols) {
	return dtype == DTYPE_Q8_0 ? KEYS * (cols + cols / QUANTS * 2) : KEYS * cols * size_of(dtype);
}

// to_f16 rounds to nearest, ties to even.
INLINE void to_f16(vf v, uint16_t *to) {
#if defined(HAVE_AVX512)
	_mm256_storeu_si256((__m256i *)to, _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
#elif defined(HAVE_AVX2)
	_mm_storeu_si128((__m128i *)to, _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
#else
	for (int i = 0; i < VW; i++) {
		uint32_t bits, sign;
		float f = v[i];
		memcpy(&bits, &f, 4);
		sign = bits >> 16 & 0x8000;
		bits &= 0x7fffffff;
		if (bits > 0x7f800000) { // NaN
			bits = 0x7e00 | (bits >> 13 & 0x3ff);
		} else if (bits >= 143u << 23) { // 2^16 and above
			bits = 0x7c00;
		} else if (bits < 113u << 23) { // adding ½ moves the last bit of a subnormal to the end
			float half = 0.5f, sum;
			memcpy(&sum, &bits, 4);
			sum += half;
			memcpy(&bits, &sum, 4);
			bits -= 0x3f000000;
		} else {
			bits -= 112u << 23;
			bits = (bits + 0xfff + (bits >> 13 & 1)) >> 13;
		}
		to[i] = (uint16_t)(sign | bits);
	}
#endif
}

static uint16_t f16_bits(float f) {
	uint16_t lanes[VW];
	to_f16(splat(f), lanes);
	return lanes[0];
}

// load_cached loads VW values of a cache from index i on; of Q8_0 the levels.
INLINE vf load_cached(const int dtype, const void *p, int64_t i) {
	return dtype == DTYPE_Q8_0 ? from_i8((const int8_t *)p + i) : load_as(dtype, p, i);
}

// cached_size is the size of a value or level.
INLINE int64_t cached_size(int dtype) { return dtype == DTYPE_Q8_0 ? 1 : size_of(dtype); }

// quantize rounds QUANTS values to levels and returns their scale, as F16 bits.
INLINE uint16_t quantize(const float *x, int8_t *levels) {
	uint32_t largest = 0; // magnitudes of floats order like their bits
	for (int i = 0; i < QUANTS; i++) {
		uint32_t bits;
		memcpy(&bits, x + i, 4);
		bits &= 0x7fffffff;
		largest = bits > largest ? bits : largest;
	}
	float most;
	memcpy(&most, &largest, 4);
	float d = most / 127, inverse = 1 / d;
	if (!(inverse - inverse == 0)) { // all zero, or not finite: the scale is 0, infinite or NaN
		memset(levels, 0, QUANTS);
		return f16_bits(d);
	}
	for (int i = 0; i < QUANTS; i++) {
		float v = x[i] * inverse;
		int32_t whole = (int32_t)v;
		levels[i] = (int8_t)(whole + (int32_t)(2 * (v - (float)whole)));
	}
	return f16_bits(d);
}

// put_row writes row r of a block, by columns of each head if `columns` is set.
#define PUT(type) \
	for (int64_t c = 0; c < some; c++) { \
		int64_t at = first + c, head = at / size, col = at % size; \
		((type *)block)[head * size * KEYS + (columns ? col * KEYS + r : r * size + col)] = ((const type *)line)[c]; \
	}

INLINE void put_row(const int dtype, const int columns, char *block, int64_t r, int64_t cols, int64_t size, const float *x) {
	uint32_t line[QUANTS];
	for (int64_t first = 0; first < cols; first += QUANTS) {
		int64_t some = least(QUANTS, cols - first);
		switch (dtype) {
		case DTYPE_F16:
			for (int64_t c = 0; c < some; c += VW) {
				to_f16(c + VW <= some ? load(x + first + c) : load_part(x + first + c, some - c), (uint16_t *)line + c);
			}
			PUT(uint16_t)
			break;
		case DTYPE_Q8_0:
			((uint16_t *)(block + KEYS * cols))[first / QUANTS * KEYS + r] = quantize(x + first, (int8_t *)line);
			PUT(int8_t)
			break;
		default:
			memcpy(line, x + first, 4 * some);
			PUT(uint32_t)
		}
	}
}

INLINE void put_rows(const int dtype, const struct op *o, int64_t piece) {
	const struct causal *c = o->causal;
	int64_t first = (c->past / KEYS + piece) * KEYS; // row of the cache
	int64_t r = piece == 0 ? c->past - first : 0, end = least(KEYS, c->past + o->rows - first);
	char *keys = c->keys + first / KEYS * block_bytes(dtype, o->cols);
	char *values = c->values + first / KEYS * block_bytes(dtype, o->cols);
	for (; r < end; r++) {
		int64_t from = (first + r - c->past) * o->cols;
		put_row(dtype, 1, keys, r, o->cols, c->size, o->x + from);
		put_row(dtype, 0, values, r, o->cols, c->size, o->y + from);
	}
}

// cache: writes the rows of x to the keys and those of y to the values. A piece
// covers the rows that go into one block.
static void cache(const struct op *o, int64_t piece, float *scratch) {
	(void)scratch;
	switch (o->causal->dtype) {
	case DTYPE_F16:
		put_rows(DTYPE_F16, o, piece);
		break;
	case DTYPE_Q8_0:
		put_rows(DTYPE_Q8_0, o, piece);
		break;
	default:
		put_rows(DTYPE_F32, o, piece);
	}
}

// unpack_keys widens the keys of one head of a block to panels: for each column,
// PANEL keys side by side.
INLINE void unpack_keys(const int dtype, const char *block, int64_t cols, int64_t head, int64_t size, float *to) {
	for (int64_t c = 0; c < size; c++, to += PANEL) {
		int64_t at = (head * size + c) * KEYS;
		const uint16_t *scales = (const uint16_t *)(block + KEYS * cols) + (head * size + c) / QUANTS * KEYS;
		UNROLL for (int k = 0; k < KEYS; k += VW) {
			vf v = load_cached(dtype, block, at + k);
			store(to + k / PANEL * PANEL * size + k % PANEL, dtype == DTYPE_Q8_0 ? v * from_f16(scales + k) : v);
		}
	}
}

// scale_of_columns returns the scales of the VW columns from `col` on in one row.
// From column `end` on they may be anything.
INLINE vf scale_of_columns(const uint16_t *scales, int64_t col, int64_t end) {
	vf v = {0};
	if (col / QUANTS == (col + VW - 1) / QUANTS && col < end) {
		return v + f16_at((const uint8_t *)(scales + col / QUANTS * KEYS));
	}
	for (int i = 0; i < VW && col + i < end; i++) { // a head whose size is no multiple of QUANTS
		v[i] = f16_at((const uint8_t *)(scales + (col + i) / QUANTS * KEYS));
	}
	return v;
}

// unpack_values widens n rows of one head of a block to panels: for each row,
// PANEL columns side by side, with anything past the last. Panels are `depth` rows
// apart.
INLINE void unpack_values(const int dtype, const char *block, int64_t n, int64_t cols, int64_t head, int64_t size, int64_t depth, float *to) {
	int64_t at = head * size * KEYS;
	const uint16_t *scales = (const uint16_t *)(block + KEYS * cols);
	for (int64_t r = 0; r < n; r++, at += size) {
		for (int64_t c = 0; c < size; c += PANEL) {
			float *line = to + c * depth + r * PANEL;
			UNROLL for (int v = 0; v < PANEL; v += VW) {
				vf x = load_cached(dtype, block, at + c + v);
				if (dtype == DTYPE_Q8_0) {
					x *= scale_of_columns(scales + r, head * size + c + v, least(cols, (head + 1) * size));
				}
				store(line + v, x);
			}
		}
	}
}
