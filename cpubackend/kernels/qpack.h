// Between files and panels: puts a block of one row into its place in a panel, and
// takes it out again.

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
		for (int i = 0; i < f.bits; i++) { // 32 levels of n bits are n words
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

// values converts a block to floats.
INLINE void values(const int dtype, const struct block *b, float *to) {
	const struct form f = forms[dtype];
	float span_scale = in_powers(dtype) ? bf16_at(b->scale) : f16_at((const uint8_t *)&b->scale), span_floor = f.floors ? f16_at((const uint8_t *)&b->floor) : 0;
	for (int g = 0; g < f.span * RUN / f.group; g++) {
		float scale = span_scale, floor = span_floor;
		if (f.span > 1) {
			scale *= 1.0f / (float)(1 << f.shift);
			scale *= (float)(int8_t)(f.bits == 2 ? b->scales[g] & 15 : b->scales[g]);
			floor *= f.floors ? (float)(f.bits == 2 ? b->scales[g] >> 4 : b->floors[g]) : 0;
		}
		for (int i = g * f.group; i < (g + 1) * f.group; i++) {
			int level = f.coded ? codes[f.coded][b->levels[i]] : b->levels[i];
			level = in_bytes(dtype) ? (int8_t)(level - WIDE_ZERO) : level - f.zero;
			to[i] = f.floors ? scale * (float)level - floor : scale * (float)level;
		}
	}
}

// pack_blocks packs `rows` rows into zeroed memory. Past the last row, scales and
// levels stay zero.
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

// unpack_row_as converts one row of a panel, `inner` values, to floats.
INLINE void unpack_row_as(const int dtype, const uint8_t *panel, int64_t row, int64_t inner, float *to) {
	struct block b;
	for (int64_t i = 0; i < inner; i += forms[dtype].span * RUN, panel += span_bytes(dtype) * PANEL) {
		lift(dtype, panel, row, &b);
		values(dtype, &b, to + i);
	}
}

// widen_blocks_as converts blocks of a file to floats.
INLINE void widen_blocks_as(const int dtype, const uint8_t *from, int64_t n, float *to) {
	struct block b;
	for (int64_t i = 0; i < n; i += forms[dtype].span * RUN, from += forms[dtype].bytes) {
		read_block(dtype, from, &b);
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

static void widen_blocks(int dtype, const void *from, int64_t n, float *to) {
	switch (dtype) {
#define CASE(T) \
	case T: \
		widen_blocks_as(T, from, n, to); \
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
