// The weight types in codebooks, blocks of 256 values, as blocks.metal has the others: a
// vector of 8 or 4 values is an index into a grid of magnitudes, with a sign for each
// value. Value: d·unit·(2·scale + 1)·magnitude, with the value's sign.
//
//     T::values(b, part, out)   16 consecutive values of a block, from 16·part on, without scale
//     T::scale(b, part)         their scale

// eight_of writes eight values: magnitudes of 2 bits from a vector.
static inline void eight_of(uint vector, uint signs, int at, thread float (&out)[16]) {
    for (int i = 0; i < 8; i++) {
        const uint m = (vector >> (2 * i)) & 3;
        const float v = m == 0 ? 8.0f : m == 1 ? 25.0f : 43.0f;
        out[at + i] = ((signs >> i) & 1) != 0 ? -v : v;
    }
}

// four_of writes four values: magnitude m of a vector is base + step·m, the last one top
// more.
static inline void four_of(uint vector, uint signs, int base, int step, int top, int at, thread float (&out)[16]) {
    for (int i = 0; i < 4; i++) {
        const int m = int((vector >> (4 * i)) & 7);
        const float v = float(base + step * m + (m == 7 ? top : 0));
        out[at + i] = ((signs >> i) & 1) != 0 ? -v : v;
    }
}

// even_signs returns the signs of eight values from those of the first seven: the number
// of minus signs is even.
static inline uint even_signs(uint signs) {
    const uint seven = signs & 127;
    uint odd = seven ^ (seven >> 4);
    odd = odd ^ (odd >> 2);
    odd = odd ^ (odd >> 1);
    return seven | (odd & 1) << 7;
}

// word_at reads 32 bits at an even address.
static inline uint word_at(device const uchar * b) {
    device const ushort * w = (device const ushort *) b;
    return uint(w[0]) | uint(w[1]) << 16;
}

// scale_at reads scale i of scales of four bits, two a byte: the multiple 2n + 1.
static inline float scale_at(device const uchar * b, int i) { return float(2 * ((int(b[i / 2]) >> (i % 2 * 4)) & 15) + 1); }

template <typename Type>
static inline void decode_codebook(device const uchar * row, uint first, thread float (&out)[16]) {
    device const uchar * b = row + first / Type::block * Type::bytes;
    const int part = int(first % Type::block / 16);
    const float scale = Type::scale(b, part);
    Type::values(b, part, out);
    for (int i = 0; i < 16; i++) { out[i] = out[i] * scale; }
}

// IQ2_XXS: d f16 | for each group of 32 values 4 bytes of indexes | 32 bits: 7 signs of
// each 8 values, then the scale. The unit is 1/8.
struct IQ2_XXS {
    enum { block = 256, bytes = 66 };
    static inline void values(device const uchar * b, int part, thread float (&out)[16]) {
        device const uchar * index = b + 2 + part / 2 * 8;
        const uint signs = word_at(index + 4) >> (part % 2 * 14);
        index += part % 2 * 2;
        eight_of(GRID_IQ2_XXS[index[0]], even_signs(signs), 0, out);
        eight_of(GRID_IQ2_XXS[index[1]], even_signs(signs >> 7), 8, out);
    }
    static inline float scale(device const uchar * b, int part) {
        return half_at(b, 0) * float(2 * (word_at(b + 6 + part / 2 * 8) >> 28) + 1) * 0.125f;
    }
    static inline void decode(device const uchar * row, uint first, int, thread float (&out)[16]) { decode_codebook<IQ2_XXS>(row, first, out); }
};

// IQ2_XS: d f16 | 16 bits a vector: 9 of its index, 7 signs | 8 bytes of scales, of
// groups of 16. The unit is 1/8.
struct IQ2_XS {
    enum { block = 256, bytes = 74 };
    static inline void values(device const uchar * b, int part, thread float (&out)[16]) {
        device const ushort * w = (device const ushort *) (b + 2) + part * 2;
        eight_of(GRID_IQ2_XS[w[0] & 511], even_signs(w[0] >> 9), 0, out);
        eight_of(GRID_IQ2_XS[w[1] & 511], even_signs(w[1] >> 9), 8, out);
    }
    static inline float scale(device const uchar * b, int part) { return half_at(b, 0) * scale_at(b + 66, part) * 0.125f; }
    static inline void decode(device const uchar * row, uint first, int, thread float (&out)[16]) { decode_codebook<IQ2_XS>(row, first, out); }
};

// IQ2_S: d f16 | 32 bytes: lower 8 bits of the indexes | 32 bytes of signs | 8 bytes: 2
// upper bits of each index | 8 bytes of scales, of groups of 16. The unit is 1/8.
struct IQ2_S {
    enum { block = 256, bytes = 82 };
    static inline void values(device const uchar * b, int part, thread float (&out)[16]) {
        device const uchar * index = b + 2 + part * 2;
        const uint high = uint(b[66 + part / 2]) >> (part % 2 * 4);
        eight_of(GRID_IQ2_S[index[0] | (high & 3) << 8], index[32], 0, out);
        eight_of(GRID_IQ2_S[index[1] | (high & 12) << 6], index[33], 8, out);
    }
    static inline float scale(device const uchar * b, int part) { return half_at(b, 0) * scale_at(b + 74, part) * 0.125f; }
    static inline void decode(device const uchar * row, uint first, int, thread float (&out)[16]) { decode_codebook<IQ2_S>(row, first, out); }
};

// IQ3_XXS: d f16 | 64 bytes of indexes | 32 bits for each group of 32 values: 7 signs of
// each 8, then the scale. The unit is 1/4.
struct IQ3_XXS {
    enum { block = 256, bytes = 98 };
    static inline void values(device const uchar * b, int part, thread float (&out)[16]) {
        device const uchar * index = b + 2 + part * 4;
        const uint word = word_at(b + 66 + part / 2 * 4) >> (part % 2 * 14);
        const uint signs = even_signs(word) | even_signs(word >> 7) << 8;
        for (int i = 0; i < 4; i++) { four_of(GRID_IQ3_XXS[index[i]], signs >> (4 * i), 4, 8, 2, 4 * i, out); }
    }
    static inline float scale(device const uchar * b, int part) {
        return half_at(b, 0) * float(2 * (word_at(b + 66 + part / 2 * 4) >> 28) + 1) * 0.25f;
    }
    static inline void decode(device const uchar * row, uint first, int, thread float (&out)[16]) { decode_codebook<IQ3_XXS>(row, first, out); }
};

// IQ3_S: d f16 | 64 bytes: lower 8 bits of the indexes | 8 bytes: their ninth bits | 32
// bytes of signs | 4 bytes of scales, of groups of 32. The unit is 1.
struct IQ3_S {
    enum { block = 256, bytes = 110 };
    static inline void values(device const uchar * b, int part, thread float (&out)[16]) {
        device const uchar * index = b + 2 + part * 4;
        const uint ninth = uint(b[66 + part / 2]) >> (part % 2 * 4);
        const uint signs = uint(b[74 + part * 2]) | uint(b[75 + part * 2]) << 8;
        for (int i = 0; i < 4; i++) { four_of(GRID_IQ3_S[index[i] | ((ninth >> i) & 1) << 8], signs >> (4 * i), 1, 2, 0, 4 * i, out); }
    }
    static inline float scale(device const uchar * b, int part) { return half_at(b, 0) * scale_at(b + 106, part / 2); }
    static inline void decode(device const uchar * row, uint first, int, thread float (&out)[16]) { decode_codebook<IQ3_S>(row, first, out); }
};
