// linear_vec for the types in blocks of 32 values (see blocks.metal). With levels of 4
// and 5 bits, part 0 has bytes 0 to 7 of the 16 bytes of lower bits, part 1 bytes 8 to
// 15. The lower halves of the bytes hold 8 values, the upper halves those 16 further on.

struct Halves {
    Eight low, high;
};

static inline Halves halves(device const float * x, int part, float4 low, float4 high) {
    Halves h;
    h.low = eight(x + part * 8, low);
    h.high = eight(x + part * 8 + 16, high);
    return h;
}

// Levels of four bits are used where they are.

static inline Halves halves4(device const float * x, int part) { return halves(x, part, by_byte(), by_byte() * NIBBLE); }

static inline float product4(thread const Halves & x, device const ushort * levels, int part) {
    const Words q = words(levels + part * 4);
    return product(x.high, q, 0x00f0, 0xf000, product(x.low, q, 0x000f, 0x0f00, 0.0f));
}

struct VecQ4_0 {
    enum { VALUES = Q4_0::block, BYTES = Q4_0::bytes, PARTS = 2, ROWS = 4 };
    typedef Halves X;
    static inline X load(device const float * x, int part) { return halves4(x, part); }
    static inline float dot(device const uchar * w, thread const X & x, int part) {
        device const ushort * b = (device const ushort *) w;
        return from_half(b[0]) * (product4(x, b + 1, part) - 8.0f * (x.low.sum + x.high.sum));
    }
};

struct VecQ4_1 {
    enum { VALUES = Q4_1::block, BYTES = Q4_1::bytes, PARTS = 2, ROWS = 4 };
    typedef Halves X;
    static inline X load(device const float * x, int part) { return halves4(x, part); }
    static inline float dot(device const uchar * w, thread const X & x, int part) {
        device const ushort * b = (device const ushort *) w;
        return fma(from_half(b[0]), product4(x, b + 2, part), from_half(b[1]) * (x.low.sum + x.high.sum));
    }
};

// Levels of five bits are joined: the fifth bit of each is in one of two words.

static inline Halves halves5(device const float * x, int part) { return halves(x, part, by_byte(), by_byte()); }

// spread moves each of eight bits to the lowest bit of its own byte.
static inline Words spread(int bits) {
    Words w;
    w.a = (bits & 1) | ((bits & 2) << 7);
    w.b = ((bits >> 2) & 1) | ((bits & 8) << 5);
    w.c = ((bits >> 4) & 1) | ((bits & 32) << 3);
    w.d = ((bits >> 6) & 1) | ((bits & 128) << 1);
    return w;
}

static inline float product5(thread const Halves & x, device const ushort * fifth, device const ushort * levels, int part) {
    const Words q = words(levels + part * 4);
    const Words low = joined(q, 0, 0x0f0f, spread(fifth[0] >> (part * 8)), 0, 0x0101, 4);
    const Words high = joined(q, 4, 0x0f0f, spread(fifth[1] >> (part * 8)), 0, 0x0101, 4);
    return product(x.high, high, 0x00ff, 0xff00, product(x.low, low, 0x00ff, 0xff00, 0.0f));
}

struct VecQ5_0 {
    enum { VALUES = Q5_0::block, BYTES = Q5_0::bytes, PARTS = 2, ROWS = 4 };
    typedef Halves X;
    static inline X load(device const float * x, int part) { return halves5(x, part); }
    static inline float dot(device const uchar * w, thread const X & x, int part) {
        device const ushort * b = (device const ushort *) w;
        return from_half(b[0]) * (product5(x, b + 1, b + 3, part) - 16.0f * (x.low.sum + x.high.sum));
    }
};

struct VecQ5_1 {
    enum { VALUES = Q5_1::block, BYTES = Q5_1::bytes, PARTS = 2, ROWS = 4 };
    typedef Halves X;
    static inline X load(device const float * x, int part) { return halves5(x, part); }
    static inline float dot(device const uchar * w, thread const X & x, int part) {
        device const ushort * b = (device const ushort *) w;
        return fma(from_half(b[0]), product5(x, b + 2, b + 4, part), from_half(b[1]) * (x.low.sum + x.high.sum));
    }
};

// Codes are looked up.

static inline float4 codes(ushort a, ushort b, int shift) {
    return float4(float(CODES[(a >> shift) & 15]), float(CODES[(a >> (shift + 8)) & 15]),
                  float(CODES[(b >> shift) & 15]), float(CODES[(b >> (shift + 8)) & 15]));
}

static inline Halves halves_of_codes(device const float * x, int part) { return halves(x, part, float4(1.0f), float4(1.0f)); }

static inline float product_of_codes(thread const Halves & x, device const ushort * levels, int part) {
    const Words q = words(levels + part * 4);
    const float s = multiply_add(codes(q.a, q.b, 0), x.low.a, multiply_add(codes(q.c, q.d, 0), x.low.b, 0.0f));
    return multiply_add(codes(q.a, q.b, 4), x.high.a, multiply_add(codes(q.c, q.d, 4), x.high.b, s));
}

struct VecIQ4_NL {
    enum { VALUES = IQ4_NL::block, BYTES = IQ4_NL::bytes, PARTS = 2, ROWS = 4 };
    typedef Halves X;
    static inline X load(device const float * x, int part) { return halves_of_codes(x, part); }
    static inline float dot(device const uchar * w, thread const X & x, int part) {
        device const ushort * b = (device const ushort *) w;
        return from_half(b[0]) * product_of_codes(x, b + 1, part);
    }
};

// Blocks of MXFP4 lie at any address, so their levels are read byte by byte.
struct VecMXFP4 {
    enum { VALUES = MXFP4::block, BYTES = MXFP4::bytes, PARTS = 2, ROWS = 4 };
    typedef Halves X;
    static inline X load(device const float * x, int part) { return halves_of_codes(x, part); }
    static inline float dot(device const uchar * w, thread const X & x, int part) {
        device const uchar * q = w + 1 + part * 8;
        const float s = multiply_add(levels(q, 0), x.low.a, multiply_add(levels(q + 4, 0), x.low.b, 0.0f));
        return MXFP4::scale(w[0]) * multiply_add(levels(q, 4), x.high.a, multiply_add(levels(q + 4, 4), x.high.b, s));
    }
    static inline float4 levels(device const uchar * q, int shift) {
        return float4(float(HALVES[(q[0] >> shift) & 15]), float(HALVES[(q[1] >> shift) & 15]),
                      float(HALVES[(q[2] >> shift) & 15]), float(HALVES[(q[3] >> shift) & 15]));
    }
};

// Levels of Q8_0 are signed bytes; a part has 8 of them.
struct VecQ8_0 {
    enum { VALUES = Q8_0::block, BYTES = Q8_0::bytes, PARTS = 4, ROWS = 4 };
    typedef Eight X;
    static inline X load(device const float * x, int part) { return eight(x + part * 8, float4(1.0f)); }
    static inline float dot(device const uchar * w, thread const X & x, int part) {
        device const ushort * b = (device const ushort *) w;
        const Words q = words(b + 1 + part * 4);
        return from_half(b[0]) * multiply_add(levels(q.c, q.d), x.b, multiply_add(levels(q.a, q.b), x.a, 0.0f));
    }
    static inline float4 levels(ushort a, ushort b) {
        return float4(float(char(a & 0xff)), float(char(a >> 8)), float(char(b & 0xff)), float(char(b >> 8)));
    }
};
