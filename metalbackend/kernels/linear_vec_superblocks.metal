// linear_vec for the types in blocks of 256 values (see blocks.metal). A part is 8
// neighbouring values of each of 4 strips of 32, whose levels are in the same bytes or
// near them.

struct Strips {
    Eight strip[4];
};

// ---- Q4_K and Q5_K: strips 2r and 2r+1 share run r of 32 bytes. Parts 0 to 3 take
// runs 0 and 2, parts 4 to 7 runs 1 and 3, because the scales of such a pair of runs
// are at the same bits of the same words.

static inline Strips strips_of_runs(device const float * x, int part, float4 low, float4 high) {
    device const float * v = x + part / 4 * 64 + part % 4 * 8;
    Strips s;
    s.strip[0] = eight(v, low);
    s.strip[1] = eight(v + 32, high);
    s.strip[2] = eight(v + 128, low);
    s.strip[3] = eight(v + 160, high);
    return s;
}

// floored applies scales and mins (see group_scale in blocks.metal) to the products of
// the strips with their levels. A word holds two scales or two mins.
static inline float floored(device const ushort * b, float4 products, thread const Strips & x, int part) {
    device const ushort * s = b + 2 + part / 4;
    Words q;
    q.a = s[0] & 0x3f3f;
    q.b = (s[4] & 0x0f0f) | ((s[0] & 0xc0c0) >> 2);
    q.c = s[2] & 0x3f3f;
    q.d = ((s[4] >> 4) & 0x0f0f) | ((s[2] & 0xc0c0) >> 2);
    Eight e;
    e.a = products * by_byte() * from_half(b[0]);
    e.b = float4(x.strip[0].sum, x.strip[1].sum, x.strip[2].sum, x.strip[3].sum) * by_byte() * -from_half(b[1]);
    return product(e, q, 0x00ff, 0xff00, 0.0f);
}

struct VecQ4_K {
    enum { VALUES = Q4_K::block, BYTES = Q4_K::bytes, PARTS = 8, ROWS = 2 };
    typedef Strips X;
    static inline X load(device const float * x, int part) { return strips_of_runs(x, part, by_byte(), by_byte() * NIBBLE); }
    static inline float dot(device const uchar * w, thread const X & x, int part) {
        device const ushort * b = (device const ushort *) w;
        device const ushort * levels = b + 8 + part / 4 * 16 + part % 4 * 4;
        const Words q = words(levels);
        const Words r = words(levels + 32);
        return floored(b, float4(product(x.strip[0], q, 0x000f, 0x0f00, 0.0f), product(x.strip[1], q, 0x00f0, 0xf000, 0.0f),
                                 product(x.strip[2], r, 0x000f, 0x0f00, 0.0f), product(x.strip[3], r, 0x00f0, 0xf000, 0.0f)), x, part);
    }
};

struct VecQ5_K {
    enum { VALUES = Q5_K::block, BYTES = Q5_K::bytes, PARTS = 8, ROWS = 2 };
    typedef Strips X;
    static inline X load(device const float * x, int part) { return strips_of_runs(x, part, by_byte(), by_byte()); }
    static inline float dot(device const uchar * w, thread const X & x, int part) {
        device const ushort * b = (device const ushort *) w;
        device const ushort * levels = b + 24 + part / 4 * 16 + part % 4 * 4;
        const Words q = words(levels);
        const Words r = words(levels + 32);
        const Words fifth = words(b + 8 + part % 4 * 4);
        const int bit = part / 4 * 2;
        return floored(b, float4(strip(x.strip[0], q, 0, fifth, bit), strip(x.strip[1], q, 4, fifth, bit + 1),
                                 strip(x.strip[2], r, 0, fifth, bit + 4), strip(x.strip[3], r, 4, fifth, bit + 5)), x, part);
    }
    static inline float strip(thread const Eight & x, Words q, int shift, Words fifth, int bit) {
        return product(x, joined(q, shift, 0x0f0f, fifth, bit, 0x0101, 4), 0x00ff, 0xff00, 0.0f);
    }
};

// ---- Q2_K, Q3_K and Q6_K: parts 0 to 3 take the strips of the first half of a
// block, parts 4 to 7 those of the second. Groups of 16 values have scales.

// The levels of each strip are factor times higher in their bytes than those of the
// strip before.
static inline Strips strips_of_half(device const float * x, int part, float factor) {
    device const float * v = x + part / 4 * 128 + part % 4 * 8;
    float4 scale = by_byte();
    Strips s;
    #pragma unroll
    for (int i = 0; i < 4; i++) {
        s.strip[i] = eight(v + 32 * i, scale);
        scale = scale / factor;
    }
    return s;
}

// group_of returns the first group of a part; those of its other strips are 2, 4, 6 further.
static inline int group_of(int part) { return part / 4 * 8 + part % 4 / 2; }

struct VecQ2_K {
    enum { VALUES = Q2_K::block, BYTES = Q2_K::bytes, PARTS = 8, ROWS = 2 };
    typedef Strips X;
    static inline X load(device const float * x, int part) { return strips_of_half(x, part, 4.0f); }
    static inline float dot(device const uchar * w, thread const X & x, int part) {
        device const ushort * b = (device const ushort *) w;
        device const uchar * scales = w + group_of(part);
        const Words q = words(b + 8 + part / 4 * 16 + part % 4 * 4);
        float sum = 0.0f;
        float lowest = 0.0f;
        #pragma unroll
        for (int i = 0; i < 4; i++) {
            const int s = scales[2 * i];
            sum = fma(float(s & 15), product(x.strip[i], q, 0x0003 << (2 * i), 0x0300 << (2 * i), 0.0f), sum);
            lowest = fma(float(s >> 4), x.strip[i].sum, lowest);
        }
        return fma(from_half(b[40]), sum, -from_half(b[41]) * lowest);
    }
};

struct VecQ3_K {
    enum { VALUES = Q3_K::block, BYTES = Q3_K::bytes, PARTS = 8, ROWS = 2 };
    typedef Strips X;
    static inline X load(device const float * x, int part) { return strips_of_half(x, part, 1.0f); }
    static inline float dot(device const uchar * w, thread const X & x, int part) {
        device const ushort * b = (device const ushort *) w;
        const Words third = words(b + part % 4 * 4);
        const Words q = words(b + 16 + part / 4 * 16 + part % 4 * 4);
        const int group = group_of(part);
        float sum = 0.0f;
        #pragma unroll
        for (int i = 0; i < 4; i++) {
            const int g = group + 2 * i;
            const int scale = ((w[96 + g % 8] >> (g / 8 * 4)) & 15) | ((w[104 + g % 4] >> (g / 4 * 2)) & 3) << 4;
            const Words levels = joined(q, 2 * i, 0x0303, third, part / 4 * 4 + i, 0x0101, 2);
            sum = fma(float(scale - 32), product(x.strip[i], levels, 0x00ff, 0xff00, -4.0f * x.strip[i].sum), sum);
        }
        return from_half(b[54]) * sum;
    }
};

struct VecQ6_K {
    enum { VALUES = Q6_K::block, BYTES = Q6_K::bytes, PARTS = 8, ROWS = 2 };
    typedef Strips X;
    static inline X load(device const float * x, int part) { return strips_of_half(x, part, 1.0f); }
    static inline float dot(device const uchar * w, thread const X & x, int part) {
        device const ushort * b = (device const ushort *) w;
        device const ushort * levels = b + part / 4 * 32 + part % 4 * 4;
        device const char * scales = (device const char *) (b + 96) + group_of(part);
        const Words q = words(levels);
        const Words r = words(levels + 16);
        const Words upper = words(b + 64 + part / 4 * 16 + part % 4 * 4);
        float sum = float(scales[0]) * strip(x.strip[0], q, 0, upper, 0);
        sum = fma(float(scales[2]), strip(x.strip[1], r, 0, upper, 2), sum);
        sum = fma(float(scales[4]), strip(x.strip[2], q, 4, upper, 4), sum);
        sum = fma(float(scales[6]), strip(x.strip[3], r, 4, upper, 6), sum);
        return from_half(b[104]) * sum;
    }
    static inline float strip(thread const Eight & x, Words q, int shift, Words upper, int upper_shift) {
        return product(x, joined(q, shift, 0x0f0f, upper, upper_shift, 0x0303, 4), 0x00ff, 0xff00, -32.0f * x.sum);
    }
};

// ---- IQ4_XS: 8 groups like blocks of IQ4_NL, of two parts each

struct VecIQ4_XS {
    enum { VALUES = IQ4_XS::block, BYTES = IQ4_XS::bytes, PARTS = 16, ROWS = 4 };
    typedef Halves X;
    static inline X load(device const float * x, int part) { return halves_of_codes(x + part / 2 * 32, part % 2); }
    static inline float dot(device const uchar * w, thread const X & x, int part) {
        device const ushort * b = (device const ushort *) w;
        const int group = part / 2;
        const int scale = ((w[4 + group / 2] >> (group % 2 * 4)) & 15) | ((b[1] >> (2 * group)) & 3) << 4;
        return from_half(b[0]) * float(scale - 32) * product_of_codes(x, b + 4 + group * 8, part % 2);
    }
};
