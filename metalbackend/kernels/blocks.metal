// The weight types: one struct each, a template parameter of the kernels that read
// weights. Package engine/quant defines what the bytes mean.
//
//     T::block, T::bytes                    elements in a block and its size in bytes
//     T::decode(row, first, count, out)     16 consecutive elements of a row, from first on
//
// first is a multiple of 16. count is how many of the 16 the row has; the others are
// zeros. The block types ignore it, because their rows are whole blocks. Rows of
// blocks begin at even addresses, not more: all loads are of 8 or 16 bits.

// half_at reads the binary16 that lies offset bytes after an even address.
static inline float half_at(device const uchar * b, int offset) {
    return from_half(*(device const ushort *) (b + offset));
}

// levels_at reads a level from each of 16 bytes at an even address: the byte shifted
// down and masked.
static inline void levels_at(device const uchar * b, uint shift, int mask, thread int (&levels)[16]) {
    device const ushort * pairs = (device const ushort *) b;
    for (int i = 0; i < 8; i++) {
        const int pair = int(pairs[i]) >> shift;
        levels[2 * i] = pair & mask;
        levels[2 * i + 1] = (pair >> 8) & mask;
    }
}

// ---- plain numbers

struct F32 {
    enum { block = 1, bytes = 4 };
    static inline void decode(device const uchar * row, uint first, int count, thread float (&out)[16]) {
        device const float * x = (device const float *) row + first;
        for (int i = 0; i < 16; i++) { out[i] = i < count ? x[i] : 0.0f; }
    }
};

struct F16 {
    enum { block = 1, bytes = 2 };
    static inline void decode(device const uchar * row, uint first, int count, thread float (&out)[16]) {
        device const ushort * x = (device const ushort *) row + first;
        for (int i = 0; i < 16; i++) { out[i] = i < count ? from_half(x[i]) : 0.0f; }
    }
};

struct BF16 {
    enum { block = 1, bytes = 2 };
    static inline void decode(device const uchar * row, uint first, int count, thread float (&out)[16]) {
        device const ushort * x = (device const ushort *) row + first;
        for (int i = 0; i < 16; i++) { out[i] = i < count ? from_bfloat(x[i]) : 0.0f; }
    }
};

// ---- blocks of 32: byte i holds element i in its low half, i+16 in its high one

// Q4_0: d f16 | 16 bytes of levels. Value: (level − 8)·d.
struct Q4_0 {
    enum { block = 32, bytes = 18 };
    static inline void decode(device const uchar * row, uint first, int, thread float (&out)[16]) {
        device const uchar * b = row + first / block * bytes;
        const float d = half_at(b, 0);
        int levels[16];
        levels_at(b + 2, first % block / 4, 15, levels);
        for (int i = 0; i < 16; i++) { out[i] = float(levels[i] - 8) * d; }
    }
};

// Q4_1: d f16 | m f16 | 16 bytes of levels. Value: level·d + m.
struct Q4_1 {
    enum { block = 32, bytes = 20 };
    static inline void decode(device const uchar * row, uint first, int, thread float (&out)[16]) {
        device const uchar * b = row + first / block * bytes;
        const float d = half_at(b, 0);
        const float m = half_at(b, 2);
        int levels[16];
        levels_at(b + 4, first % block / 4, 15, levels);
        for (int i = 0; i < 16; i++) { out[i] = fma(float(levels[i]), d, m); }
    }
};

// Q5_0: d f16 | fifth bits u32 | 16 bytes of levels. Value: (level − 16)·d.
struct Q5_0 {
    enum { block = 32, bytes = 22 };
    static inline void decode(device const uchar * row, uint first, int, thread float (&out)[16]) {
        device const uchar * b = row + first / block * bytes;
        const float d = half_at(b, 0);
        const int fifth = *(device const ushort *) (b + 2 + first % block / 8);
        int levels[16];
        levels_at(b + 6, first % block / 4, 15, levels);
        for (int i = 0; i < 16; i++) { out[i] = float((levels[i] | ((fifth >> i) & 1) << 4) - 16) * d; }
    }
};

// Q5_1: d f16 | m f16 | fifth bits u32 | 16 bytes of levels. Value: level·d + m.
struct Q5_1 {
    enum { block = 32, bytes = 24 };
    static inline void decode(device const uchar * row, uint first, int, thread float (&out)[16]) {
        device const uchar * b = row + first / block * bytes;
        const float d = half_at(b, 0);
        const float m = half_at(b, 2);
        const int fifth = *(device const ushort *) (b + 4 + first % block / 8);
        int levels[16];
        levels_at(b + 8, first % block / 4, 15, levels);
        for (int i = 0; i < 16; i++) { out[i] = fma(float(levels[i] | ((fifth >> i) & 1) << 4), d, m); }
    }
};

// Q8_0: d f16 | 32 signed bytes of levels. Value: level·d.
struct Q8_0 {
    enum { block = 32, bytes = 34 };
    static inline void decode(device const uchar * row, uint first, int, thread float (&out)[16]) {
        device const uchar * b = row + first / block * bytes;
        const float d = half_at(b, 0);
        int levels[16];
        levels_at(b + 2 + first % block, 0, 255, levels);
        for (int i = 0; i < 16; i++) { out[i] = float(char(levels[i])) * d; }
    }
};

// The values of the 16 levels of the nonlinear types.
constexpr constant char CODES[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

// IQ4_NL: d f16 | 16 bytes of levels as in Q4_0. Value: d·code.
struct IQ4_NL {
    enum { block = 32, bytes = 18 };
    static inline void decode(device const uchar * row, uint first, int, thread float (&out)[16]) {
        device const uchar * b = row + first / block * bytes;
        const float d = half_at(b, 0);
        int levels[16];
        levels_at(b + 2, first % block / 4, 15, levels);
        for (int i = 0; i < 16; i++) { out[i] = float(CODES[levels[i]]) * d; }
    }
};

// Twice the values of the 16 levels of E2M1.
constexpr constant char HALVES[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

// MXFP4: exponent e, 8 bits | 16 bytes of levels as in Q4_0. Value: 2^(e−128)·twice the
// level's value. Blocks have 17 bytes, so all loads are of bytes.
struct MXFP4 {
    enum { block = 32, bytes = 17 };
    static inline void decode(device const uchar * row, uint first, int, thread float (&out)[16]) {
        device const uchar * b = row + first / block * bytes;
        const float d = scale(b[0]);
        const uint shift = first % block / 4;
        for (int i = 0; i < 16; i++) { out[i] = float(HALVES[(b[1 + i] >> shift) & 15]) * d; }
    }
    // scale returns 2^(e−128); the two smallest are subnormal.
    static inline float scale(uint e) { return as_type<float>(e < 2 ? 0x00200000u << e : (e - 1) << 23); }
};

// ---- superblocks of 256: levels lie in strips of 32 elements, several strips in a
// run of bytes; each group of 16 or 32 elements has its own scale

// Q2_K: 16 bytes: scale of a group of 16 low, its min high | 64 bytes of levels
// of 2 bits | d f16 | lowest f16. Value: (d·scale)·level − lowest·min.
struct Q2_K {
    enum { block = 256, bytes = 84 };
    static inline void decode(device const uchar * row, uint first, int, thread float (&out)[16]) {
        device const uchar * b = row + first / block * bytes;
        const uint e = first % block;
        const int s = b[e / 16];
        const float scale = half_at(b, 80) * float(s & 15);
        const float lowest = half_at(b, 82) * float(s >> 4);
        int levels[16];
        levels_at(b + 16 + e / 128 * 32 + e % 32, e / 32 % 4 * 2, 3, levels);
        for (int i = 0; i < 16; i++) { out[i] = fma(scale, float(levels[i]), -lowest); }
    }
};

// Q3_K: 32 bytes: third bits, bit s for strip s | 64 bytes: lower 2 bits |
// 12 bytes: scales of 6 bits plus 32, a group of 16 each | d f16.
// Value: (d·scale)·(level − 4).
struct Q3_K {
    enum { block = 256, bytes = 110 };
    static inline void decode(device const uchar * row, uint first, int, thread float (&out)[16]) {
        device const uchar * b = row + first / block * bytes;
        const uint e = first % block;
        const uint g = e / 16;
        const int low = (b[96 + g % 8] >> (g / 8 * 4)) & 15;
        const int high = (b[104 + g % 4] >> (g / 4 * 2)) & 3;
        const float scale = half_at(b, 108) * float((low | high << 4) - 32);
        int levels[16];
        int third[16];
        levels_at(b + 32 + e / 128 * 32 + e % 32, e / 32 % 4 * 2, 3, levels);
        levels_at(b + e % 32, e / 32, 1, third);
        for (int i = 0; i < 16; i++) { out[i] = scale * float((levels[i] | third[i] << 2) - 4); }
    }
};

// group_scale reads scale (x) and min (y) of group g from the 12 bytes of Q4_K
// and Q5_K, 6 bits each. Bytes 0 to 7 hold those of the first four groups. Bytes 8 to
// 11 hold the lower 4 bits of the others, whose upper 2 bits are those of bytes 0 to 7.
static inline int2 group_scale(device const uchar * s, uint g) {
    if (g < 4) { return int2(s[g] & 63, s[g + 4] & 63); }
    return int2((s[g + 4] & 15) | s[g - 4] >> 6 << 4, s[g + 4] >> 4 | s[g] >> 6 << 4);
}

// Q4_K: d f16 | lowest f16 | 12 bytes: scales and mins of groups of 32 |
// 128 bytes of levels of 4 bits. Value: (d·scale)·level − lowest·min.
struct Q4_K {
    enum { block = 256, bytes = 144 };
    static inline void decode(device const uchar * row, uint first, int, thread float (&out)[16]) {
        device const uchar * b = row + first / block * bytes;
        const uint e = first % block;
        const int2 s = group_scale(b + 4, e / 32);
        const float scale = half_at(b, 0) * float(s.x);
        const float lowest = half_at(b, 2) * float(s.y);
        int levels[16];
        levels_at(b + 16 + e / 64 * 32 + e % 32, e / 32 % 2 * 4, 15, levels);
        for (int i = 0; i < 16; i++) { out[i] = fma(scale, float(levels[i]), -lowest); }
    }
};

// Q5_K: d f16 | lowest f16 | 12 bytes as in Q4_K | 32 bytes: fifth bits, bit s
// for strip s | 128 bytes: lower 4 bits. Value: (d·scale)·level − lowest·min.
struct Q5_K {
    enum { block = 256, bytes = 176 };
    static inline void decode(device const uchar * row, uint first, int, thread float (&out)[16]) {
        device const uchar * b = row + first / block * bytes;
        const uint e = first % block;
        const int2 s = group_scale(b + 4, e / 32);
        const float scale = half_at(b, 0) * float(s.x);
        const float lowest = half_at(b, 2) * float(s.y);
        int levels[16];
        int fifth[16];
        levels_at(b + 48 + e / 64 * 32 + e % 32, e / 32 % 2 * 4, 15, levels);
        levels_at(b + 16 + e % 32, e / 32, 1, fifth);
        for (int i = 0; i < 16; i++) { out[i] = fma(scale, float(levels[i] | fifth[i] << 4), -lowest); }
    }
};

// Q6_K: 128 bytes: lower 4 bits, two strips of 64 to a run | 64 bytes: upper
// 2 bits | 16 signed bytes: scales of groups of 16 | d f16.
// Value: (d·scale)·(level − 32).
struct Q6_K {
    enum { block = 256, bytes = 210 };
    static inline void decode(device const uchar * row, uint first, int, thread float (&out)[16]) {
        device const uchar * b = row + first / block * bytes;
        const uint e = first % block;
        const float scale = half_at(b, 208) * float(char(b[192 + e / 16]));
        int levels[16];
        int high[16];
        levels_at(b + e / 128 * 64 + e % 64, e / 64 % 2 * 4, 15, levels);
        levels_at(b + 128 + e / 128 * 32 + e % 32, e / 32 % 4 * 2, 3, high);
        for (int i = 0; i < 16; i++) { out[i] = scale * float((levels[i] | high[i] << 4) - 32); }
    }
};

// IQ4_XS: d f16 | 16 bits: upper 2 of each scale | 4 bytes: lower 4 of each scale |
// 128 bytes of levels, 16 for each group as in IQ4_NL. There are 8 scales, for groups
// of 32, stored plus 32. Value: (d·scale)·code.
struct IQ4_XS {
    enum { block = 256, bytes = 136 };
    static inline void decode(device const uchar * row, uint first, int, thread float (&out)[16]) {
        device const uchar * b = row + first / block * bytes;
        const uint e = first % block;
        const uint g = e / 32;
        const int low = (b[4 + g / 2] >> (g % 2 * 4)) & 15;
        const int high = (int(*(device const ushort *) (b + 2)) >> (2 * g)) & 3;
        const float d = half_at(b, 0) * float((low | high << 4) - 32);
        int levels[16];
        levels_at(b + 8 + 16 * g, e % 32 / 4, 15, levels);
        for (int i = 0; i < 16; i++) { out[i] = float(CODES[levels[i]]) * d; }
    }
};
