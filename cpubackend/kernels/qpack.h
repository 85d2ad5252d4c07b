// Between files and panels: a block of one row read into levels and scales as
// package engine/quant documents them, put into its place in a panel, and taken
// out of it again.

// block is one block of a row: 32 or 256 values.
struct block {
	uint16_t scale, floor; // f16
	uint8_t scales[16], floors[16];
	uint8_t levels[256];
};

// read_strips takes levels of the given bits that lie in runs of `run` bytes:
// byte i of a run holds value i of several strips in turn, from the lowest bits
// up. They are put to the levels that are there already, `shift` bits up.
INLINE void read_strips(const uint8_t *b, const int bits, const int run, const int shift, int n, uint8_t *levels) {
	const int strips = 8 / bits;
	for (int i = 0; i < n; i += strips * run, b += run) {
		UNROLL for (int s = 0; s < strips; s++) {
			for (int j = 0; j < run; j++) {
				levels[i + s * run + j] |= (b[j] >> (s * bits) & ((1 << bits) - 1)) << shift;
			}
		}
	}
}

// read_six takes scales and floors of six bits, eight each, out of 12 bytes.
INLINE void read_six(const uint8_t *b, struct block *to) {
	for (int g = 0; g < 4; g++) {
		to->scales[g] = b[g] & 63;
		to->floors[g] = b[g + 4] & 63;
		to->scales[g + 4] = (b[g + 8] & 15) | b[g] >> 6 << 4;
		to->floors[g + 4] = b[g + 8] >> 4 | b[g + 4] >> 6 << 4;
	}
}

INLINE uint16_t read_half(const uint8_t *b) { return (uint16_t)(b[0] | b[1] << 8); }

// read_fifth takes the fifth bits of 32 levels.
INLINE void read_fifth(const uint8_t *b, uint8_t *levels) {
	for (int i = 0; i < 32; i++) {
		levels[i] |= (b[i / 8] >> (i % 8) & 1) << 4;
	}
}

INLINE void read_block(const int dtype, const uint8_t *b, struct block *to) {
	memset(to->levels, 0, forms[dtype].span * RUN);
	switch (dtype) {
	case DTYPE_Q4_0:
	case DTYPE_IQ4_NL:
		to->scale = read_half(b);
		read_strips(b + 2, 4, 16, 0, 32, to->levels);
		break;
	case DTYPE_Q4_1:
		to->scale = read_half(b);
		to->floor = read_half(b + 2) ^ 0x8000; // the file has what is added
		read_strips(b + 4, 4, 16, 0, 32, to->levels);
		break;
	case DTYPE_Q5_0:
		to->scale = read_half(b);
		read_strips(b + 6, 4, 16, 0, 32, to->levels);
		read_fifth(b + 2, to->levels);
		break;
	case DTYPE_Q5_1:
		to->scale = read_half(b);
		to->floor = read_half(b + 2) ^ 0x8000;
		read_strips(b + 8, 4, 16, 0, 32, to->levels);
		read_fifth(b + 4, to->levels);
		break;
	case DTYPE_Q8_0:
		to->scale = read_half(b);
		for (int i = 0; i < 32; i++) {
			to->levels[i] = b[2 + i] ^ WIDE_ZERO;
		}
		break;
	case DTYPE_Q2_K:
		to->scale = read_half(b + 80);
		to->floor = read_half(b + 82);
		memcpy(to->scales, b, 16);
		read_strips(b + 16, 2, 32, 0, 256, to->levels);
		break;
	case DTYPE_Q3_K:
		to->scale = read_half(b + 108);
		for (int g = 0; g < 16; g++) {
			int low = b[96 + g % 8] >> (g / 8 * 4) & 15, high = b[104 + g % 4] >> (g / 4 * 2) & 3;
			to->scales[g] = (uint8_t)((low | high << 4) - 32);
		}
		read_strips(b + 32, 2, 32, 0, 256, to->levels);
		read_strips(b, 1, 32, 2, 256, to->levels);
		break;
	case DTYPE_Q4_K:
		to->scale = read_half(b);
		to->floor = read_half(b + 2);
		read_six(b + 4, to);
		read_strips(b + 16, 4, 32, 0, 256, to->levels);
		break;
	case DTYPE_Q5_K:
		to->scale = read_half(b);
		to->floor = read_half(b + 2);
		read_six(b + 4, to);
		read_strips(b + 48, 4, 32, 0, 256, to->levels);
		read_strips(b + 16, 1, 32, 4, 256, to->levels);
		break;
	case DTYPE_Q6_K:
		to->scale = read_half(b + 208);
		memcpy(to->scales, b + 192, 16);
		read_strips(b, 4, 64, 0, 256, to->levels);
		read_strips(b + 128, 2, 32, 4, 256, to->levels);
		break;
	case DTYPE_IQ4_XS:
		to->scale = read_half(b);
		for (int g = 0; g < 8; g++) {
			int low = b[4 + g / 2] >> (g % 2 * 4) & 15, high = read_half(b + 2) >> (2 * g) & 3;
			to->scales[g] = (uint8_t)((low | high << 4) - 32);
		}
		read_strips(b + 8, 4, 16, 0, 256, to->levels);
		break;
	}
}

// place puts a block into a span, as row `row` of the panel.
INLINE void place(const int dtype, const struct block *b, int64_t row, uint8_t *span) {
	const struct form f = forms[dtype];
	memcpy(span + 2 * row, &b->scale, 2);
	if (f.floors) {
		memcpy(span + 2 * (PANEL + row), &b->floor, 2);
	}
	if (f.span > 1) {
		const int groups = f.span * RUN / f.group;
		uint8_t *nested = span + nested_at(dtype) * PANEL + row;
		for (int g = 0; g < groups; g++) {
			nested[g * PANEL] = b->scales[g];
			if (f.floors && f.bits != 2) {
				nested[(groups + g) * PANEL] = b->floors[g];
			}
		}
	}
	uint8_t *to = span + levels_at(dtype) * PANEL + 4 * row;
	for (int r = 0; r < f.span; r++) {
		uint32_t q[WORDS];
		memcpy(q, b->levels + r * RUN, RUN);
		uint32_t word[WORDS];
		int words = 0;
		if (f.bits == 8) {
			for (; words < 8; words++) {
				word[words] = q[words];
			}
		} else if (f.bits >= 4) {
			for (; words < 4; words++) {
				word[words] = (q[words] & 0x0f0f0f0f) | (q[words + 4] & 0x0f0f0f0f) << 4;
			}
		} else {
			for (; words < 2; words++) {
				const uint32_t *p = q + 4 * words;
				word[words] = (p[0] & 0x03030303) | (p[1] & 0x03030303) << 2 | (p[2] & 0x03030303) << 4 | (p[3] & 0x03030303) << 6;
			}
		}
		if (f.bits == 6) {
			for (int i = 0; i < 2; i++, words++) {
				const uint32_t *p = q + 4 * i;
				word[words] = (p[0] >> 4 & 0x03030303) | (p[1] >> 2 & 0x0c0c0c0c) | (p[2] & 0x30303030) | (p[3] & 0x30303030) << 2;
			}
		}
		if (f.bits == 5 || f.bits == 3) {
			uint32_t bits = 0;
			UNROLL for (int i = 0; i < WORDS; i++) {
				bits |= (q[i] >> (f.bits - 1) & 0x01010101) << i;
			}
			word[words++] = bits;
		}
		for (int i = 0; i < words; i++) {
			memcpy(to + i * QUAD, &word[i], 4);
		}
		to += words * QUAD;
	}
}

// lift takes a block out of a span again: row `row` of the panel.
INLINE void lift(const int dtype, const uint8_t *span, int64_t row, struct block *b) {
	const struct form f = forms[dtype];
	memcpy(&b->scale, span + 2 * row, 2);
	if (f.floors) {
		memcpy(&b->floor, span + 2 * (PANEL + row), 2);
	}
	if (f.span > 1) {
		const int groups = f.span * RUN / f.group;
		const uint8_t *nested = span + nested_at(dtype) * PANEL + row;
		for (int g = 0; g < groups; g++) {
			b->scales[g] = nested[g * PANEL];
			if (f.floors && f.bits != 2) {
				b->floors[g] = nested[(groups + g) * PANEL];
			}
		}
	}
	const uint8_t *from = span + levels_at(dtype) * PANEL + 4 * row;
	for (int r = 0; r < f.span; r++, from += run_bytes(dtype) * PANEL) {
		uint32_t word[WORDS], q[WORDS];
		for (int i = 0; i < f.bits; i++) { // a word a bit
			memcpy(&word[i], from + i * QUAD, 4);
		}
		for (int i = 0; i < WORDS; i++) {
			if (f.bits == 8) {
				q[i] = word[i];
			} else if (f.bits >= 4) {
				q[i] = word[i % 4] >> (i / 4 * 4) & 0x0f0f0f0f;
			} else {
				q[i] = word[i / 4] >> (i % 4 * 2) & 0x03030303;
			}
			if (f.bits == 6) {
				q[i] |= (word[4 + i / 4] >> (i % 4 * 2) & 0x03030303) << 4;
			}
			if (f.bits == 5 || f.bits == 3) {
				q[i] |= (word[f.bits - 1] >> i & 0x01010101) << (f.bits - 1);
			}
		}
		memcpy(b->levels + r * RUN, q, RUN);
	}
}

INLINE float half_of(uint16_t bits) {
	uint16_t lanes[VW] = {bits};
	return from_f16(lanes)[0];
}

// values turns a block into floats.
INLINE void values(const int dtype, const struct block *b, float *to) {
	const struct form f = forms[dtype];
	float span_scale = half_of(b->scale), span_floor = f.floors ? half_of(b->floor) : 0;
	for (int g = 0; g < f.span * RUN / f.group; g++) {
		float scale = span_scale, floor = span_floor;
		if (f.span > 1) {
			scale *= (float)(int8_t)(f.bits == 2 ? b->scales[g] & 15 : b->scales[g]);
			floor *= f.floors ? (float)(f.bits == 2 ? b->scales[g] >> 4 : b->floors[g]) : 0;
		}
		for (int i = g * f.group; i < (g + 1) * f.group; i++) {
			int level = f.coded ? codes[b->levels[i]] : b->levels[i];
			level = in_bytes(dtype) ? (int8_t)(level - WIDE_ZERO) : level - f.zero;
			to[i] = f.floors ? scale * (float)level - floor : scale * (float)level;
		}
	}
}

// pack_blocks packs `rows` rows; past the last one scales and levels stay zero,
// as the memory was.
INLINE void pack_blocks(const int dtype, const uint8_t *w, int64_t rows, int64_t inner, uint8_t *panels) {
	const int64_t spans = inner / (forms[dtype].span * RUN), bytes = forms[dtype].bytes;
	struct block b;
	for (int64_t first = 0; first < rows; first += PANEL) {
		int64_t n = least(PANEL, rows - first);
		for (int64_t s = 0; s < spans; s++, panels += span_bytes(dtype) * PANEL) {
			for (int64_t r = 0; r < n; r++) {
				read_block(dtype, w + ((first + r) * spans + s) * bytes, &b);
				place(dtype, &b, r, panels);
			}
		}
	}
}

// unpack_row_as turns a row of a panel of `inner` values a row into floats.
INLINE void unpack_row_as(const int dtype, const uint8_t *panel, int64_t row, int64_t inner, float *to) {
	struct block b;
	for (int64_t i = 0; i < inner; i += forms[dtype].span * RUN, panel += span_bytes(dtype) * PANEL) {
		lift(dtype, panel, row, &b);
		values(dtype, &b, to + i);
	}
}

static void pack_panels(int dtype, const void *w, int64_t rows, int64_t inner, void *panels) {
	switch (dtype) {
#define CASE(T) \
	case T: \
		pack_blocks(T, w, rows, inner, panels); \
		break;
	EACH_BLOCK_TYPE(CASE)
#undef CASE
	}
}

static void unpack_row(int dtype, const uint8_t *panel, int64_t row, int64_t inner, float *to) {
	switch (dtype) {
#define CASE(T) \
	case T: \
		unpack_row_as(T, panel, row, inner, to); \
		break;
	EACH_BLOCK_TYPE(CASE)
#undef CASE
	}
}

// embed_blocks: out[i] = row index[i] of the panels, in f32. A piece covers
// row_block rows.
static void embed_blocks(const struct op *o, int64_t piece, float *scratch) {
	(void)scratch;
	int64_t end = least((piece + 1) * o->row_block, o->rows), size = packed_bytes(o->dtype, o->cols) * PANEL;
	for (int64_t r = piece * o->row_block; r < end; r++) {
		const uint8_t *panel = (const uint8_t *)o->weight + o->index[r] / PANEL * size;
		unpack_row(o->dtype, panel, o->index[r] % PANEL, o->cols, o->out + r * o->cols);
	}
}
