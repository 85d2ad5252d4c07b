// Values of the block types, as package engine/quant defines them: each routine
// reads one block. All products are exact in F32 (the factors are short), so that
// it does not matter whether the compiler fuses them with a sum.

INLINE float f16_at(const uint8_t *p) {
	uint16_t lanes[VW] = {0};
	memcpy(lanes, p, 2);
	return from_f16(lanes)[0];
}

static void dequant_q4_0(const uint8_t *b, float *y) {
	float d = f16_at(b);
	for (int i = 0; i < 16; i++) {
		y[i] = ((b[2 + i] & 15) - 8) * d;
		y[i + 16] = ((b[2 + i] >> 4) - 8) * d;
	}
}

static void dequant_q4_1(const uint8_t *b, float *y) {
	float d = f16_at(b), m = f16_at(b + 2);
	for (int i = 0; i < 16; i++) {
		y[i] = (b[4 + i] & 15) * d + m;
		y[i + 16] = (b[4 + i] >> 4) * d + m;
	}
}

static void dequant_q5_0(const uint8_t *b, float *y) {
	float d = f16_at(b);
	uint32_t fifth;
	memcpy(&fifth, b + 2, 4);
	for (int i = 0; i < 16; i++) {
		y[i] = ((int)((b[6 + i] & 15) | (fifth >> i & 1) << 4) - 16) * d;
		y[i + 16] = ((int)(b[6 + i] >> 4 | (fifth >> (i + 16) & 1) << 4) - 16) * d;
	}
}

static void dequant_q5_1(const uint8_t *b, float *y) {
	float d = f16_at(b), m = f16_at(b + 2);
	uint32_t fifth;
	memcpy(&fifth, b + 4, 4);
	for (int i = 0; i < 16; i++) {
		y[i] = (int)((b[8 + i] & 15) | (fifth >> i & 1) << 4) * d + m;
		y[i + 16] = (int)(b[8 + i] >> 4 | (fifth >> (i + 16) & 1) << 4) * d + m;
	}
}

static void dequant_q8_0(const uint8_t *b, float *y) {
	float d = f16_at(b);
	for (int i = 0; i < 32; i++) {
		y[i] = (int8_t)b[2 + i] * d;
	}
}

// Levels of 2 and 4 bits are stored in strips of 32 values, several to 32 bytes.
INLINE int two_bits(const uint8_t *b, int i) { return b[i / 128 * 32 + i % 32] >> (i / 32 % 4 * 2) & 3; }
INLINE int four_bits(const uint8_t *b, int i) { return b[i / 64 * 32 + i % 32] >> (i / 32 % 2 * 4) & 15; }
INLINE int one_bit(const uint8_t *b, int i) { return b[i % 32] >> (i / 32) & 1; }

static void dequant_q2_k(const uint8_t *b, float *y) {
	float d = f16_at(b + 80), lowest = f16_at(b + 82);
	for (int i = 0; i < 256; i++) {
		y[i] = d * (b[i / 16] & 15) * two_bits(b + 16, i) - lowest * (b[i / 16] >> 4);
	}
}

static void dequant_q3_k(const uint8_t *b, float *y) {
	float d = f16_at(b + 108);
	for (int g = 0; g < 16; g++) {
		int low = b[96 + g % 8] >> (g / 8 * 4) & 15, high = b[104 + g % 4] >> (g / 4 * 2) & 3;
		float scale = d * ((low | high << 4) - 32);
		for (int i = g * 16; i < g * 16 + 16; i++) {
			y[i] = scale * ((two_bits(b + 32, i) | one_bit(b, i) << 2) - 4);
		}
	}
}

// scale_and_min reads the 6 bits each of group g's scale and lowest value.
INLINE void scale_and_min(const uint8_t *b, int g, int *scale, int *lowest) {
	if (g < 4) {
		*scale = b[g] & 63;
		*lowest = b[g + 4] & 63;
	} else {
		*scale = (b[g + 4] & 15) | b[g - 4] >> 6 << 4;
		*lowest = b[g + 4] >> 4 | b[g] >> 6 << 4;
	}
}

static void dequant_q4_k(const uint8_t *b, float *y) {
	float d = f16_at(b), lowest = f16_at(b + 2);
	for (int g = 0; g < 8; g++) {
		int s, m;
		scale_and_min(b + 4, g, &s, &m);
		for (int i = g * 32; i < g * 32 + 32; i++) {
			y[i] = d * s * four_bits(b + 16, i) - lowest * m;
		}
	}
}

static void dequant_q5_k(const uint8_t *b, float *y) {
	float d = f16_at(b), lowest = f16_at(b + 2);
	for (int g = 0; g < 8; g++) {
		int s, m;
		scale_and_min(b + 4, g, &s, &m);
		for (int i = g * 32; i < g * 32 + 32; i++) {
			y[i] = d * s * (four_bits(b + 48, i) | one_bit(b + 16, i) << 4) - lowest * m;
		}
	}
}

static void dequant_q6_k(const uint8_t *b, float *y) {
	float d = f16_at(b + 208);
	for (int i = 0; i < 256; i++) {
		int low = b[i / 128 * 64 + i % 64] >> (i / 64 % 2 * 4) & 15;
		y[i] = d * (int8_t)b[192 + i / 16] * ((low | two_bits(b + 128, i) << 4) - 32);
	}
}

static const int8_t nonlinear[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

INLINE void dequant_nonlinear(const uint8_t *b, float d, float *y) {
	for (int i = 0; i < 16; i++) {
		y[i] = d * nonlinear[b[i] & 15];
		y[i + 16] = d * nonlinear[b[i] >> 4];
	}
}

static void dequant_iq4_nl(const uint8_t *b, float *y) { dequant_nonlinear(b + 2, f16_at(b), y); }

static void dequant_iq4_xs(const uint8_t *b, float *y) {
	float d = f16_at(b);
	int upper = b[2] | b[3] << 8;
	for (int g = 0; g < 8; g++) {
		int scale = (b[4 + g / 2] >> (g % 2 * 4) & 15) | (upper >> (2 * g) & 3) << 4;
		dequant_nonlinear(b + 8 + 16 * g, d * (scale - 32), y + 32 * g);
	}
}

// formats says for each block type how many values and bytes a block has, and
// what reads it.
static const struct {
	int values, bytes;
	void (*read)(const uint8_t *block, float *values);
} formats[] = {
	[DTYPE_Q4_0] = {32, 18, dequant_q4_0},
	[DTYPE_Q4_1] = {32, 20, dequant_q4_1},
	[DTYPE_Q5_0] = {32, 22, dequant_q5_0},
	[DTYPE_Q5_1] = {32, 24, dequant_q5_1},
	[DTYPE_Q8_0] = {32, 34, dequant_q8_0},
	[DTYPE_Q2_K] = {256, 84, dequant_q2_k},
	[DTYPE_Q3_K] = {256, 110, dequant_q3_k},
	[DTYPE_Q4_K] = {256, 144, dequant_q4_k},
	[DTYPE_Q5_K] = {256, 176, dequant_q5_k},
	[DTYPE_Q6_K] = {256, 210, dequant_q6_k},
	[DTYPE_IQ4_NL] = {32, 18, dequant_iq4_nl},
	[DTYPE_IQ4_XS] = {256, 136, dequant_iq4_xs},
};

// dequantize reads n values, whole blocks, of a block type.
static void dequantize(int dtype, const uint8_t *from, int64_t n, float *to) {
	for (; n > 0; n -= formats[dtype].values) {
		formats[dtype].read(from, to);
		from += formats[dtype].bytes;
		to += formats[dtype].values;
	}
}

// row_bytes is the size of n values, whole blocks where the type has them.
INLINE int64_t row_bytes(int dtype, int64_t n) {
	return dtype < DTYPE_Q4_0 ? n * size_of(dtype) : n / formats[dtype].values * formats[dtype].bytes;
}
