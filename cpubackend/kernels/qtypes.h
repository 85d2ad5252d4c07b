// The block types of files: what each consists of, and how a block is read into
// levels and scales, as package engine/quant documents it. Every value is
//   scale·(level − zero) − floor
// The level has few bits. The zero belongs to the type. A group of 16 or 32
// neighbours in a row shares the scale, and in some types the floor.

enum { RUN = 32 }; // values: a block has one run or several

// form is what differs between the types.
struct form {
	uint8_t bits;   // of a level
	uint8_t group;  // values that share a scale
	uint8_t span;   // runs in a block
	uint8_t zero;   // the level of the value 0, without the floor
	uint8_t floors; // 1: there are floors
	uint8_t coded;  // not 0: levels are indexes into the codes of that number
	uint8_t bytes;  // of a block in a file
	uint8_t shift;  // scales are 2^-shift times the block's scale and the group's multiple
};

// Levels of 8 bits are signed. Where the instructions for products of bytes take only
// unsigned weights, 128 is added to them.
#if defined(HAVE_AVX2) || defined(HAVE_AVX512)
enum { WIDE_ZERO = 128 };
#else
enum { WIDE_ZERO = 0 };
#endif

static const struct form forms[] = {
	[DTYPE_Q4_0] = {4, 32, 1, 8, 0, 0, 18},
	[DTYPE_Q4_1] = {4, 32, 1, 0, 1, 0, 20},
	[DTYPE_Q5_0] = {5, 32, 1, 16, 0, 0, 22},
	[DTYPE_Q5_1] = {5, 32, 1, 0, 1, 0, 24},
	[DTYPE_Q8_0] = {8, 32, 1, WIDE_ZERO, 0, 0, 34},
	[DTYPE_Q2_K] = {2, 16, 8, 0, 1, 0, 84}, // scale and floor of a group share a byte: lower and upper half
	[DTYPE_Q3_K] = {3, 16, 8, 4, 0, 0, 110},
	[DTYPE_Q4_K] = {4, 32, 8, 0, 1, 0, 144},
	[DTYPE_Q5_K] = {5, 32, 8, 0, 1, 0, 176},
	[DTYPE_Q6_K] = {6, 16, 8, 32, 0, 0, 210},
	[DTYPE_IQ4_NL] = {4, 32, 1, WIDE_ZERO, 0, 1, 18},
	[DTYPE_IQ4_XS] = {4, 32, 8, WIDE_ZERO, 0, 1, 136},
	[DTYPE_MXFP4] = {4, 32, 1, WIDE_ZERO, 0, 2, 17},
	[DTYPE_IQ2_XXS] = {3, 32, 8, WIDE_ZERO, 0, 3, 66, 3}, // in files, vectors of a grid
	[DTYPE_IQ2_XS] = {3, 16, 8, WIDE_ZERO, 0, 3, 74, 3},
	[DTYPE_IQ2_S] = {3, 16, 8, WIDE_ZERO, 0, 3, 82, 3},
	[DTYPE_IQ3_XXS] = {4, 16, 8, 32, 0, 4, 98, 1}, // the halves of a group share its scale in files
	[DTYPE_IQ3_S] = {4, 32, 8, 16, 0, 5, 110},
};

// in_powers reports whether scales are powers of two: BF16, with the exponents of an
// F32, instead of F16.
INLINE int in_powers(int dtype) { return forms[dtype].coded == 2; }

// codes are the levels of the coded types, with their zeros.
#define CODE(N) (uint8_t)(N + WIDE_ZERO)
static const uint8_t codes[][16] = {
	{0},
	{CODE(-127), CODE(-104), CODE(-83), CODE(-65), CODE(-49), CODE(-35), CODE(-22), CODE(-10),
	 CODE(1), CODE(13), CODE(25), CODE(38), CODE(53), CODE(69), CODE(89), CODE(113)},
	{CODE(0), CODE(1), CODE(2), CODE(3), CODE(4), CODE(6), CODE(8), CODE(12), // twice the values of E2M1
	 CODE(0), CODE(-1), CODE(-2), CODE(-3), CODE(-4), CODE(-6), CODE(-8), CODE(-12)},
	{CODE(8), CODE(25), CODE(43), CODE(43), CODE(-8), CODE(-25), CODE(-43), CODE(-43)},
	{32 + 2, 32 + 6, 32 + 10, 32 + 14, 32 + 18, 32 + 22, 32 + 26, 32 + 31, // half of the grid's magnitudes
	 32 - 2, 32 - 6, 32 - 10, 32 - 14, 32 - 18, 32 - 22, 32 - 26, 32 - 31},
	{16 + 1, 16 + 3, 16 + 5, 16 + 7, 16 + 9, 16 + 11, 16 + 13, 16 + 15,
	 16 - 1, 16 - 3, 16 - 5, 16 - 7, 16 - 9, 16 - 11, 16 - 13, 16 - 15},
};
#undef CODE

// The types with levels of up to 6 bits, those with levels of 8, and all.
#define EACH_NARROW_TYPE(CASE) \
	CASE(DTYPE_Q4_0) CASE(DTYPE_Q4_1) CASE(DTYPE_Q5_0) CASE(DTYPE_Q5_1) CASE(DTYPE_Q2_K) \
	CASE(DTYPE_Q3_K) CASE(DTYPE_Q4_K) CASE(DTYPE_Q5_K) CASE(DTYPE_Q6_K) CASE(DTYPE_IQ3_XXS) CASE(DTYPE_IQ3_S)
#define EACH_WIDE_TYPE(CASE) CASE(DTYPE_Q8_0) CASE(DTYPE_IQ4_NL) CASE(DTYPE_IQ4_XS) CASE(DTYPE_MXFP4) \
	CASE(DTYPE_IQ2_XXS) CASE(DTYPE_IQ2_XS) CASE(DTYPE_IQ2_S)
#define EACH_BLOCK_TYPE(CASE) EACH_NARROW_TYPE(CASE) EACH_WIDE_TYPE(CASE)

// block is one block of a row: 32 or 256 values.
struct block {
	uint16_t scale, floor; // f16, or bf16 where scales are powers of two
	uint8_t scales[16], floors[16];
	uint8_t levels[256];
};

// read_strips reads n levels of the given bits, which lie in runs of `run` bytes.
// A run holds 8/bits strips of `run` values: byte i has value i of each strip, from
// the lowest bits up. The bits are added to `levels`, shifted up by `shift`.
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

// read_six reads eight scales and eight floors of six bits out of 12 bytes.
INLINE void read_six(const uint8_t *b, struct block *to) {
	for (int g = 0; g < 4; g++) {
		to->scales[g] = b[g] & 63;
		to->floors[g] = b[g + 4] & 63;
		to->scales[g + 4] = (b[g + 8] & 15) | b[g] >> 6 << 4;
		to->floors[g + 4] = b[g + 8] >> 4 | b[g + 4] >> 6 << 4;
	}
}

INLINE uint16_t read_half(const uint8_t *b) { return (uint16_t)(b[0] | b[1] << 8); }

// read_fifth adds the fifth bits of 32 levels.
INLINE void read_fifth(const uint8_t *b, uint8_t *levels) {
	for (int i = 0; i < 32; i++) {
		levels[i] |= (b[i / 8] >> (i % 8) & 1) << 4;
	}
}

INLINE uint32_t read_word(const uint8_t *b) { return read_half(b) | (uint32_t)read_half(b + 2) << 16; }

// read_eight reads eight levels: a magnitude from one vector of a grid, or two, and above it
// the sign.
INLINE void read_eight(uint16_t vector, uint8_t signs, uint8_t *levels) {
	for (int i = 0; i < 8; i++) {
		levels[i] = (uint8_t)((vector >> (2 * i) & 3) | (signs >> i & 1) << 2);
	}
}
INLINE void read_two_fours(uint16_t first, uint16_t second, uint8_t signs, uint8_t *levels) {
	for (int i = 0; i < 8; i++) {
		levels[i] = (uint8_t)(((i < 4 ? first : second) >> (4 * (i % 4)) & 7) | (signs >> i & 1) << 3);
	}
}

// even_signs returns the signs of eight values from those of the first seven: the number
// of minus signs is even.
INLINE uint8_t even_signs(uint32_t seven) {
	seven &= 127;
	return (uint8_t)(seven | (uint32_t)__builtin_parity(seven) << 7);
}

// odd_scales reads scales of four bits, two a byte: a scale n is the multiple 2n+1.
INLINE void odd_scales(const uint8_t *b, int n, uint8_t *scales) {
	for (int i = 0; i < n; i++) {
		scales[i] = (uint8_t)(2 * (b[i / 2] >> (i % 2 * 4) & 15) + 1);
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
	case DTYPE_MXFP4: // the scale is 2^(b-128), half of what its exponent says
		to->scale = (uint16_t)(b[0] < 2 ? 0x20 << b[0] : (b[0] - 1) << 7);
		read_strips(b + 1, 4, 16, 0, 32, to->levels);
		break;
	case DTYPE_Q4_1:
		to->scale = read_half(b);
		to->floor = read_half(b + 2) ^ 0x8000; // the file's floor is added, ours subtracted
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
	case DTYPE_IQ2_XXS:
		to->scale = read_half(b);
		for (int g = 0; g < 8; g++) {
			const uint8_t *index = b + 2 + 8 * g;
			uint32_t signs = read_word(index + 4);
			to->scales[g] = (uint8_t)(2 * (signs >> 28) + 1);
			for (int i = 0; i < 4; i++) {
				read_eight(grid_iq2_xxs[index[i]], even_signs(signs >> (7 * i)), to->levels + 32 * g + 8 * i);
			}
		}
		break;
	case DTYPE_IQ2_XS:
		to->scale = read_half(b);
		odd_scales(b + 66, 16, to->scales);
		for (int i = 0; i < 32; i++) {
			uint16_t word = read_half(b + 2 + 2 * i);
			read_eight(grid_iq2_xs[word & 511], even_signs(word >> 9), to->levels + 8 * i);
		}
		break;
	case DTYPE_IQ2_S:
		to->scale = read_half(b);
		odd_scales(b + 74, 16, to->scales);
		for (int i = 0; i < 32; i++) {
			int high = b[66 + i / 4] >> (i % 4 * 2) & 3;
			read_eight(grid_iq2_s[b[2 + i] | high << 8], b[34 + i], to->levels + 8 * i);
		}
		break;
	case DTYPE_IQ3_XXS:
		to->scale = read_half(b);
		for (int i = 0; i < 32; i++) {
			uint32_t signs = read_word(b + 66 + i / 4 * 4);
			to->scales[i / 2] = (uint8_t)(2 * (signs >> 28) + 1);
			read_two_fours(grid_iq3_xxs[b[2 + 2 * i]], grid_iq3_xxs[b[3 + 2 * i]], even_signs(signs >> (i % 4 * 7)), to->levels + 8 * i);
		}
		break;
	case DTYPE_IQ3_S:
		to->scale = read_half(b);
		odd_scales(b + 106, 8, to->scales);
		for (int i = 0; i < 32; i++) {
			int high = b[66 + i / 4] >> (i % 4 * 2);
			read_two_fours(grid_iq3_s[b[2 + 2 * i] | (high & 1) << 8], grid_iq3_s[b[3 + 2 * i] | (high & 2) << 7], b[74 + i], to->levels + 8 * i);
		}
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
