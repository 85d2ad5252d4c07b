// Panels of packed weights in block types, and how they become levels and scales
// in registers.
//
// A panel holds PANEL rows side by side. It is a sequence of spans. A span holds
// as many values of each row as one block of the type (32 or 256):
//   scale   PANEL f16, one for each row
//   floor   PANEL f16, in types with floors
//   nested  in spans of several groups: the multiple of the scale that each group
//           has, PANEL bytes a group, and then the multiples of the floor
//   levels  for each run of 32 values, words of four bytes for all PANEL rows:
//           byte i of word q belongs to value 4q+i of the row.
//           8 bits: 8 words.
//           4 to 6 bits: 4 words with the lower four bits of each level. The lower
//           half of a byte of word q belongs to values 4q.., the upper half to
//           values 16+4q..
//           2 and 3 bits: 2 words with the lower two bits of each level, four
//           values in a byte.
//           The upper bits follow in the same way: 2 words with two bits of each
//           level of 6 bits; for 5 and 3 bits one word, whose bit j of a byte
//           belongs to word j.
// One load thus brings four values of VW rows, which is what instructions for dot
// products of bytes take. Nothing is ever summed across a register.

enum { WORDS = 8, QUAD = 4 * PANEL }; // words in a run; bytes of one word of all rows

// in_bytes reports whether levels have 8 bits when they are multiplied: those of up to 6
// have zeros of 32 at most.
INLINE int in_bytes(int dtype) { return forms[dtype].bits == 8 || (forms[dtype].coded && forms[dtype].zero == WIDE_ZERO); }

// zero_of returns what is subtracted from each level in whole numbers. For levels
// of 5 bits with floors it is half their range, so that sums fit into vdot.
INLINE int zero_of(int dtype) { return forms[dtype].floors && forms[dtype].bits == 5 ? 16 : forms[dtype].zero; }

// wide_groups returns how many groups a run of a type with levels of 8 bits has, 1 or 2.
INLINE int wide_groups(const int dtype) { return RUN / forms[dtype].group; }

// Where the parts of a span begin and how long they are, in bytes of one row.
INLINE int64_t nested_at(const int dtype) { return 2 + 2 * forms[dtype].floors; }
INLINE int64_t nested_bytes(const int dtype) {
	const struct form f = forms[dtype];
	int64_t groups = f.span * RUN / f.group;
	return f.span == 1 ? 0 : f.bits == 2 ? groups : groups * (1 + f.floors);
}
INLINE int64_t levels_at(const int dtype) { return nested_at(dtype) + nested_bytes(dtype); }
INLINE int64_t run_bytes(const int dtype) { return 4 * forms[dtype].bits; }
INLINE int64_t span_bytes(const int dtype) { return levels_at(dtype) + forms[dtype].span * run_bytes(dtype); }

// packed_bytes returns the bytes that a row of `inner` values takes in a panel.
static int64_t packed_bytes(int dtype, int64_t inner) { return inner / (forms[dtype].span * RUN) * span_bytes(dtype); }

typedef uint8_t vb __attribute__((vector_size(4 * VW)));
typedef uint16_t vw __attribute__((vector_size(4 * VW)));
typedef vb vb_any __attribute__((aligned(1), may_alias));

INLINE vb load_bytes(const void *p) { return *(const vb_any *)p; }
INLINE vb bytes_of(uint8_t x) { return x - (vb){0}; }

// bits_at shifts each byte to the right (left if shift is negative) and keeps the
// bits of mask.
INLINE vb bits_at(vb v, const int shift, const uint8_t mask) {
	vw w = (vw)v;
	return (vb)(shift >= 0 ? w >> shift : w << -shift) & mask;
}

// decoded turns indexes below 16 into codes.
INLINE vb decoded(vb v, const uint8_t *codes) {
#if defined(HAVE_AVX512)
	return (vb)_mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)codes)), (__m512i)v);
#elif defined(HAVE_AVX2)
	return (vb)_mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)codes)), (__m256i)v);
#else
	vb c;
	for (int i = 0; i < 4 * VW; i++) {
		c[i] = codes[v[i]];
	}
	return c;
#endif
}

// run_level unpacks word q of vector v of the PANEL rows of a run.
INLINE vb run_level(const int dtype, const uint8_t *run, const int v, const int q) {
	const int bits = forms[dtype].bits;
	run += v * 4 * VW;
	if (bits == 8) {
		return load_bytes(run + q * QUAD);
	}
	if (bits < 4) {
		vb level = bits_at(load_bytes(run + q / 4 * QUAD), 2 * (q % 4), 3);
		level = bits == 2 ? level : level | bits_at(load_bytes(run + 2 * QUAD), q - 2, 1 << 2);
		return forms[dtype].coded ? decoded(level, codes[forms[dtype].coded]) : level;
	}
	vb level = bits_at(load_bytes(run + q % 4 * QUAD), q / 4 * 4, 15);
	if (forms[dtype].coded) {
		return decoded(level, codes[forms[dtype].coded]);
	}
	if (bits == 6) {
		return level | bits_at(load_bytes(run + (4 + q / 4) * QUAD), 2 * (q % 4) - 4, 3 << 4);
	}
	return bits == 4 ? level : level | bits_at(load_bytes(run + 4 * QUAD), q - 4, 1 << 4);
}

INLINE const uint8_t *run_at(const int dtype, const uint8_t *span, int r) {
	return span + (levels_at(dtype) + r * run_bytes(dtype)) * PANEL;
}

// span_scale returns the scales of a span, vector v.
INLINE vf span_scale(const int dtype, const uint8_t *span, const int v) {
	const uint16_t *scales = (const uint16_t *)span + v * VW;
	vf scale = in_powers(dtype) ? from_bf16(scales) : from_f16(scales);
	return forms[dtype].shift ? scale * (1.0f / (float)(1 << forms[dtype].shift)) : scale;
}

// nested_of returns the multiples of group g of a span, vector v.
INLINE vi nested_of(const int dtype, const uint8_t *span, int g, const int v) {
	return ints_of((const int8_t *)span + (nested_at(dtype) + g) * PANEL + v * VW);
}

// group_scale and group_floor return those of group g of a span, vector v.
INLINE vf group_scale(const int dtype, const uint8_t *span, int g, const int v) {
	const struct form f = forms[dtype];
	vf scale = span_scale(dtype, span, v);
	if (f.span == 1) {
		return scale;
	}
	vi nested = nested_of(dtype, span, g, v);
	return scale * floats_of(f.bits == 2 ? nested & 15 : nested);
}

INLINE vf group_floor(const int dtype, const uint8_t *span, int g, const int v) {
	const struct form f = forms[dtype];
	vf floor = from_f16((const uint16_t *)span + PANEL + v * VW);
	if (f.span == 1) {
		return floor;
	}
	if (f.bits == 2) {
		return floor * floats_of(nested_of(dtype, span, g, v) >> 4 & 15);
	}
	const int groups = f.span * RUN / f.group;
	return floor * floats_of(nested_of(dtype, span, groups + g, v));
}
