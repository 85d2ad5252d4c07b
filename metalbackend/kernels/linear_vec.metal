// linear_vec: one row of x. A threadgroup computes ROWS neighbouring values of y:
// its threads walk along ROWS rows of w side by side, each with its own part of
// every so many blocks, for which it holds the values of x in registers.

// What linear_vec has to know of a type: how many values and bytes a block has,
// how many threads share one, in how many rows at once; load, which fetches the
// values of x that belong to a part of a block and brings them into the form that
// dot wants, and dot, the product of that part of a block with them.
//
// Levels stay where they lie in 16-bit words: a mask takes the place of shifts,
// and x is scaled down by load to make up for it.

constexpr constant float BYTE = 1.0f / 256.0f;  // for levels in the upper byte of a word
constexpr constant float NIBBLE = 1.0f / 16.0f; // in the upper half of a byte

// masked are the levels that two words hold under a mask for each byte.
static inline float4 masked(ushort a, ushort b, ushort low, ushort high) {
    return float4(float(a & low), float(a & high), float(b & low), float(b & high));
}

static inline float sum_of(float4 a, float4 b) { return ((a.x + a.y) + (a.z + a.w)) + ((b.x + b.y) + (b.z + b.w)); }

// ---- plain types: a block is a vector of four values

template <typename Quad>
struct VecPlain {
    enum { VALUES = 4, BYTES = Quad::bytes, PARTS = 1, ROWS = 4 };
    typedef float4 X;
    static inline X load(device const float * x, int) { return *(device const float4 *) x; }
    static inline float dot(device const uchar * w, thread const X & x, int) { return multiply_add(Quad::load(w), x, 0.0f); }
};

// ---- blocks of 32 values

struct Eight { // neighbouring values
    float4 a, b;
};

struct VecQ8_0 {
    enum { VALUES = 32, BYTES = 34, PARTS = 4, ROWS = 4 };
    typedef Eight X;
    static inline X load(device const float * x, int part) {
        device const float4 * v = (device const float4 *) (x + part * 8);
        X r;
        r.a = v[0];
        r.b = v[1];
        return r;
    }
    static inline float dot(device const uchar * w, thread const X & x, int part) {
        device const ushort * b = (device const ushort *) w;
        device const ushort * q = b + 1 + part * 4;
        return from_half(b[0]) * multiply_add(levels(q[2], q[3]), x.b, multiply_add(levels(q[0], q[1]), x.a, 0.0f));
    }
    static inline float4 levels(ushort a, ushort b) {
        return float4(float(char(a & 0xff)), float(char(a >> 8)), float(char(b & 0xff)), float(char(b >> 8)));
    }
};

struct Sixteen { // the values of 8 bytes: a, b of the lower halves, c, d of the upper ones
    float4 a, b, c, d;
    float offset; // -8 times their sum
};

struct VecQ4_0 {
    enum { VALUES = 32, BYTES = 18, PARTS = 2, ROWS = 4 };
    typedef Sixteen X;
    static inline X load(device const float * x, int part) {
        const float4 low = float4(1.0f, BYTE, 1.0f, BYTE);
        const float4 high = low * NIBBLE;
        device const float4 * v = (device const float4 *) (x + part * 8);
        X r;
        r.offset = -8.0f * (sum_of(v[0], v[1]) + sum_of(v[4], v[5]));
        r.a = v[0] * low;
        r.b = v[1] * low;
        r.c = v[4] * high;
        r.d = v[5] * high;
        return r;
    }
    static inline float dot(device const uchar * w, thread const X & x, int part) {
        device const ushort * b = (device const ushort *) w;
        device const ushort * q = b + 1 + part * 4;
        float s = multiply_add(masked(q[0], q[1], 0x000f, 0x0f00), x.a, x.offset);
        s = multiply_add(masked(q[2], q[3], 0x000f, 0x0f00), x.b, s);
        s = multiply_add(masked(q[0], q[1], 0x00f0, 0xf000), x.c, s);
        s = multiply_add(masked(q[2], q[3], 0x00f0, 0xf000), x.d, s);
        return from_half(b[0]) * s;
    }
};

// ---- blocks of 256 values: a part are 8 neighbouring values of 4 strips of 32

struct Strips {
    float4 a[4], b[4];
    float sum[4]; // of what was loaded
};

static inline void load_strip(device const float * x, int i, float4 scale, thread Strips & s) {
    device const float4 * v = (device const float4 *) x;
    s.sum[i] = sum_of(v[0], v[1]);
    s.a[i] = v[0] * scale;
    s.b[i] = v[1] * scale;
}

// Q4_K and Q5_K hold strips 2r and 2r+1 in run r of 32 bytes. Part p takes the
// strips of runs p/4 and p/4 + 2: these have their scales in the same places of
// the same words.
static inline Strips load_runs(device const float * x, int part, float4 low, float4 high) {
    device const float * v = x + part / 4 * 64 + part % 4 * 8;
    Strips s;
    load_strip(v, 0, low, s);
    load_strip(v + 32, 1, high, s);
    load_strip(v + 128, 2, low, s);
    load_strip(v + 160, 3, high, s);
    return s;
}

// scaled puts the products of the four strips with their levels together with the
// scales and lowest values of block b (see unpackScales in package quant).
static inline float scaled(device const ushort * b, float4 product, thread const Strips & x, int part) {
    device const ushort * s = b + 2 + part / 4;
    const ushort scale0 = s[0] & 0x3f3f;
    const ushort scale1 = (s[4] & 0x0f0f) | ((s[0] & 0xc0c0) >> 2);
    const ushort min0 = s[2] & 0x3f3f;
    const ushort min1 = ((s[4] >> 4) & 0x0f0f) | ((s[2] & 0xc0c0) >> 2);
    const float4 by_byte = float4(1.0f, BYTE, 1.0f, BYTE);
    const float sum = multiply_add(masked(scale0, scale1, 0x00ff, 0xff00), product * by_byte, 0.0f);
    const float lowest = multiply_add(masked(min0, min1, 0x00ff, 0xff00), float4(x.sum[0], x.sum[1], x.sum[2], x.sum[3]) * by_byte, 0.0f);
    return fma(from_half(b[0]), sum, -from_half(b[1]) * lowest);
}

struct VecQ4_K {
    enum { VALUES = 256, BYTES = 144, PARTS = 8, ROWS = 2 };
    typedef Strips X;
    static inline X load(device const float * x, int part) {
        const float4 low = float4(1.0f, BYTE, 1.0f, BYTE);
        return load_runs(x, part, low, low * NIBBLE);
    }
    static inline float dot(device const uchar * w, thread const X & x, int part) {
        device const ushort * b = (device const ushort *) w;
        device const ushort * q = b + 8 + part / 4 * 16 + part % 4 * 4;
        device const ushort * r = q + 32;
        return scaled(b, float4(strip(q, 0x000f, 0x0f00, x, 0), strip(q, 0x00f0, 0xf000, x, 1),
                                strip(r, 0x000f, 0x0f00, x, 2), strip(r, 0x00f0, 0xf000, x, 3)), x, part);
    }
    static inline float strip(device const ushort * q, ushort low, ushort high, thread const X & x, int i) {
        return multiply_add(masked(q[2], q[3], low, high), x.b[i], multiply_add(masked(q[0], q[1], low, high), x.a[i], 0.0f));
    }
};

struct VecQ5_K {
    enum { VALUES = 256, BYTES = 176, PARTS = 8, ROWS = 2 };
    typedef Strips X;
    static inline X load(device const float * x, int part) {
        const float4 scale = float4(1.0f, BYTE, 1.0f, BYTE);
        return load_runs(x, part, scale, scale);
    }
    static inline float dot(device const uchar * w, thread const X & x, int part) {
        device const ushort * b = (device const ushort *) w;
        device const ushort * q = b + 24 + part / 4 * 16 + part % 4 * 4;
        device const ushort * fifth = b + 8 + part % 4 * 4;
        const int bit = part / 4 * 2;
        return scaled(b, float4(strip(q, 0, fifth, bit, x, 0), strip(q, 4, fifth, bit + 1, x, 1),
                                strip(q + 32, 0, fifth, bit + 4, x, 2), strip(q + 32, 4, fifth, bit + 5, x, 3)), x, part);
    }
    static inline float strip(device const ushort * q, int shift, device const ushort * fifth, int bit, thread const X & x, int i) {
        const float s = multiply_add(levels(q, shift, fifth, bit), x.a[i], 0.0f);
        return multiply_add(levels(q + 2, shift, fifth + 2, bit), x.b[i], s);
    }
    static inline float4 levels(device const ushort * q, int shift, device const ushort * fifth, int bit) {
        return masked(((q[0] >> shift) & 0x0f0f) | (((fifth[0] >> bit) & 0x0101) << 4),
                      ((q[1] >> shift) & 0x0f0f) | (((fifth[1] >> bit) & 0x0101) << 4), 0x00ff, 0xff00);
    }
};

// Q6_K has strips 0 to 3 in one half of a block and 4 to 7 in the other.
struct VecQ6_K {
    enum { VALUES = 256, BYTES = 210, PARTS = 8, ROWS = 2 };
    typedef Strips X;
    static inline X load(device const float * x, int part) {
        const float4 scale = float4(1.0f, BYTE, 1.0f, BYTE);
        device const float * v = x + part / 4 * 128 + part % 4 * 8;
        Strips s;
        for (int i = 0; i < 4; i++) { load_strip(v + 32 * i, i, scale, s); }
        return s;
    }
    static inline float dot(device const uchar * w, thread const X & x, int part) {
        device const ushort * b = (device const ushort *) w;
        device const ushort * q = b + part / 4 * 32 + part % 4 * 4;
        device const ushort * upper = b + 64 + part / 4 * 16 + part % 4 * 4;
        device const char * scale = (device const char *) (b + 96) + part / 4 * 8 + part % 4 / 2;
        float s = float(scale[0]) * strip(q, 0, upper, 0, x, 0);
        s = fma(float(scale[2]), strip(q + 16, 0, upper, 2, x, 1), s);
        s = fma(float(scale[4]), strip(q, 4, upper, 4, x, 2), s);
        s = fma(float(scale[6]), strip(q + 16, 4, upper, 6, x, 3), s);
        return from_half(b[104]) * s;
    }
    static inline float strip(device const ushort * q, int shift, device const ushort * upper, int bits, thread const X & x, int i) {
        const float s = multiply_add(levels(q, shift, upper, bits), x.a[i], -32.0f * x.sum[i]);
        return multiply_add(levels(q + 2, shift, upper + 2, bits), x.b[i], s);
    }
    static inline float4 levels(device const ushort * q, int shift, device const ushort * upper, int bits) {
        return masked(((q[0] >> shift) & 0x0f0f) | (((upper[0] >> bits) & 0x0303) << 4),
                      ((q[1] >> shift) & 0x0f0f) | (((upper[1] >> bits) & 0x0303) << 4), 0x00ff, 0xff00);
    }
};

// ---- the kernel

// linear_vec_sums leaves the sums of the threadgroup's rows of w in its memory,
// one for every simdgroup.
template <typename Type>
static inline void linear_vec_sums(constant LinearArgs & args, device const float * x, device const uchar * w, int first,
                                   threadgroup float * sums, ushort index, ushort lane, ushort simdgroup, ushort simdgroups) {
    const int part = index % Type::PARTS;
    const int last = min(int(Type::ROWS), args.out - first) - 1; // rows after it are computed twice and not kept
    const int stride = args.stride;
    w += (ulong) first * stride;
    float sum[Type::ROWS];
    for (int i = 0; i < Type::ROWS; i++) { sum[i] = 0.0f; }
    for (int block = index / Type::PARTS; block < args.in / Type::VALUES; block += simdgroups * (SIMD / Type::PARTS)) {
        const typename Type::X v = Type::load(x + block * Type::VALUES, part);
        #pragma unroll
        for (int i = 0; i < Type::ROWS; i++) {
            sum[i] += Type::dot(w + min(i, last) * stride + block * Type::BYTES, v, part);
        }
    }
    #pragma unroll
    for (int i = 0; i < Type::ROWS; i++) { linear_share(sum[i], sums + simdgroup * Type::ROWS + i, lane); }
}

template <typename Type>
kernel void linear_vec(
        constant LinearArgs & args [[buffer(0)]],
        device const float * x     [[buffer(1)]],
        device const uchar * w     [[buffer(2)]],
        device const float * bias  [[buffer(3)]], // x where there is none
        device float * y           [[buffer(4)]],
        device const uchar * up    [[buffer(5)]], // w where there is no gate
        threadgroup float * sums   [[threadgroup(0)]], // two times ROWS for every simdgroup
        uint   group      [[threadgroup_position_in_grid]],
        ushort index      [[thread_index_in_threadgroup]],
        ushort lane       [[thread_index_in_simdgroup]],
        ushort simdgroup  [[simdgroup_index_in_threadgroup]],
        ushort simdgroups [[simdgroups_per_threadgroup]]) {
    const int first = int(group) * Type::ROWS;
    threadgroup float * ups = sums + simdgroups * Type::ROWS;
    linear_vec_sums<Type>(args, x, w, first, sums, index, lane, simdgroup, simdgroups);
    if (FC_linear_gate != 0) { linear_vec_sums<Type>(args, x, up, first, ups, index, lane, simdgroup, simdgroups); }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (index < Type::ROWS && first + index < args.out) {
        float v = activate(linear_total(sums, index, Type::ROWS, simdgroups) + linear_bias(bias, first + index));
        if (FC_linear_gate != 0) { v *= linear_total(ups, index, Type::ROWS, simdgroups); }
        y[first + index] = v;
    }
}

template [[host_name("linear_vec_f32")]]  kernel decltype(linear_vec<VecPlain<QuadF32>>)  linear_vec<VecPlain<QuadF32>>;
template [[host_name("linear_vec_f16")]]  kernel decltype(linear_vec<VecPlain<QuadF16>>)  linear_vec<VecPlain<QuadF16>>;
template [[host_name("linear_vec_bf16")]] kernel decltype(linear_vec<VecPlain<QuadBF16>>) linear_vec<VecPlain<QuadBF16>>;
template [[host_name("linear_vec_q8_0")]] kernel decltype(linear_vec<VecQ8_0>)            linear_vec<VecQ8_0>;
template [[host_name("linear_vec_q4_0")]] kernel decltype(linear_vec<VecQ4_0>)            linear_vec<VecQ4_0>;
template [[host_name("linear_vec_q4_k")]] kernel decltype(linear_vec<VecQ4_K>)            linear_vec<VecQ4_K>;
template [[host_name("linear_vec_q5_k")]] kernel decltype(linear_vec<VecQ5_K>)            linear_vec<VecQ5_K>;
template [[host_name("linear_vec_q6_k")]] kernel decltype(linear_vec<VecQ6_K>)            linear_vec<VecQ6_K>;
