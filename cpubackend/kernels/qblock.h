// Panels of packed weights in block types, and how they become levels and scales
// in registers.
//
// A panel holds its PANEL rows side by side. It is a sequence of spans, each of
// as many values of all its rows as one block of the type has (32 or 256):
//   scale   PANEL f16: of the span
//   floor   PANEL f16, in types with floors
//   nested  where a span has several groups, the multiples of both that belong
//           to a group: PANEL bytes a group; then those of the floors
//   levels  for each run of 32 values, words of four bytes: byte i of word q of
//           a row belongs to value 4q+i, a word is PANEL rows wide. Levels of 8
//           bits have 8 words; of 4 to 6 bits 4 words, word q with the lower four
//           bits of values 4q.. in its lower halves and of 16+4q.. in the upper;
//           of 2 and 3 bits 2 words, each with the lower two bits of four words.
//           What is missing then follows in the same manner: two more bits for
//           6, one word with a bit for each of the 8 words for 5 and 3.
// One load thus gives VW rows four values each, which is what instructions for
// dot products of bytes take, and nothing is ever summed across a register.

enum { WORDS = 8, QUAD = 4 * PANEL }; // QUAD: bytes of one word of all rows

INLINE int in_bytes(int dtype) { return forms[dtype].bits == 8 || forms[dtype].coded; }

// Bytes that one row takes, of the parts of a span in their order.
INLINE int64_t nested_at(const int dtype) { return 2 + 2 * forms[dtype].floors; }
INLINE int64_t nested_bytes(const int dtype) {
	const struct form f = forms[dtype];
	int64_t groups = f.span * RUN / f.group;
	return f.span == 1 ? 0 : f.bits == 2 ? groups : groups * (1 + f.floors);
}
INLINE int64_t levels_at(const int dtype) { return nested_at(dtype) + nested_bytes(dtype); }
INLINE int64_t run_bytes(const int dtype) { return 4 * forms[dtype].bits; }
INLINE int64_t span_bytes(const int dtype) { return levels_at(dtype) + forms[dtype].span * run_bytes(dtype); }

// packed_bytes is what a row of `inner` values takes in a panel.
static int64_t packed_bytes(int dtype, int64_t inner) { return inner / (forms[dtype].span * RUN) * span_bytes(dtype); }

typedef uint8_t vb __attribute__((vector_size(4 * VW)));
typedef uint16_t vw __attribute__((vector_size(4 * VW)));
typedef vb vb_any __attribute__((aligned(1), may_alias));
typedef int8_t vc __attribute__((vector_size(VW)));
typedef vc vc_any __attribute__((aligned(1), may_alias));

INLINE vb load_bytes(const void *p) { return *(const vb_any *)p; }
INLINE vb bytes_of(uint8_t x) { return x - (vb){0}; }

// bits_at takes the bits of mask out of each byte after a shift to the right
// (to the left where it is negative).
INLINE vb bits_at(vb v, const int shift, const uint8_t mask) {
	vw w = (vw)v;
	return (vb)(shift >= 0 ? w >> shift : w << -shift) & mask;
}

// decoded turns indexes below 16 into codes.
INLINE vb decoded(vb v) {
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
		return bits == 2 ? level : level | bits_at(load_bytes(run + 2 * QUAD), q - 2, 1 << 2);
	}
	vb level = bits_at(load_bytes(run + q % 4 * QUAD), q / 4 * 4, 15);
	if (forms[dtype].coded) {
		return decoded(level);
	}
	if (bits == 6) {
		return level | bits_at(load_bytes(run + (4 + q / 4) * QUAD), 2 * (q % 4) - 4, 3 << 4);
	}
	return bits == 4 ? level : level | bits_at(load_bytes(run + 4 * QUAD), q - 4, 1 << 4);
}

INLINE const uint8_t *run_at(const int dtype, const uint8_t *span, int r) {
	return span + (levels_at(dtype) + r * run_bytes(dtype)) * PANEL;
}

// ints_of makes integers of VW signed bytes.
INLINE vi ints_of(const uint8_t *p) {
#if defined(HAVE_AVX512)
	return (vi)_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)p));
#elif defined(HAVE_AVX2)
	return (vi)_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)p));
#else
	return __builtin_convertvector(*(const vc_any *)p, vi);
#endif
}

INLINE vf floats_of(vi n) { return __builtin_convertvector(n, vf); }

INLINE vf span_scale(const uint8_t *span, const int v) { return from_f16((const uint16_t *)span + v * VW); }

// group_scale and group_floor are those of group g of a span, vector v.
INLINE vf group_scale(const int dtype, const uint8_t *span, int g, const int v) {
	const struct form f = forms[dtype];
	vf scale = span_scale(span, v);
	if (f.span == 1) {
		return scale;
	}
	vi nested = ints_of(span + (nested_at(dtype) + g) * PANEL + v * VW);
	return scale * floats_of(f.bits == 2 ? nested & 15 : nested);
}

INLINE vf group_floor(const int dtype, const uint8_t *span, int g, const int v) {
	const struct form f = forms[dtype];
	vf floor = from_f16((const uint16_t *)span + PANEL + v * VW);
	if (f.span == 1) {
		return floor;
	}
	if (f.bits == 2) {
		return floor * floats_of(ints_of(span + (nested_at(dtype) + g) * PANEL + v * VW) >> 4 & 15);
	}
	const int groups = f.span * RUN / f.group;
	return floor * floats_of(ints_of(span + (nested_at(dtype) + groups + g) * PANEL + v * VW));
}
