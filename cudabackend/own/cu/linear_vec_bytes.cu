// linear_vec for the types that most models have, by products of bytes, four at once. Each
// block of a launch first makes integers of x: each group of 32 values has a scale, and a
// value is 256·high + low, a signed and an unsigned byte. So x has 16 bits, and each
// product with levels is exact. A warp takes several groups of rows in turn, so that the
// integers serve for many.
//
// A type is a struct as in linear_vec.metal, whose load takes integers.

namespace own {

// Integers are x in shared memory.
struct Integers {
    unsigned *high, *low; // [in / 4], see word
    float *scales;        // [in / 32]
    float *sums;          // [in / 8], of the values that the integers stand for

    MSL_FN Integers(char *shared, int in) {
        high = (unsigned *) shared;
        low = high + word(in) + 4;
        scales = (float *) (low + word(in) + 4);
        sums = scales + in / 32;
    }

    // word returns the place of a word: every 256 bytes of values are 16 further, so that
    // parts of several blocks lie in different banks.
    static MSL_FN int word(int at) { return at / 4 + at / 256 * 4; }

    // fill converts x, of which a thread reads several pieces before it converts them.
    MSL_FN void fill(const float *x, int in, int index, int threads) const {
        enum { MANY = 4 };
        for (int first = index; first < (in / 8 + 31) / 32 * 32; first += MANY * threads) {
            float4 v[MANY][2];
#pragma unroll
            for (int n = 0; n < MANY; n++)
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    const int i = first + n * threads;
                    v[n][h] = i < in / 8 ? *(const float4 *) (x + 8 * i + 4 * h) : float4(0.0f);
                }
#pragma unroll
            for (int n = 0; n < MANY; n++) {
                if (first + n * threads < (in / 8 + 31) / 32 * 32) convert(v[n], first + n * threads, in);
            }
        }
    }

    // convert makes integers of eight values. Infinities and NaN become NaN, with all of
    // their group.
    MSL_FN void convert(const float4 (&f)[2], int i, int in) const {
        const float v[8] = {f[0].x, f[0].y, f[0].z, f[0].w, f[1].x, f[1].y, f[1].z, f[1].w};
        unsigned largest = 0; // of the magnitudes' bits, of which those of NaN are the largest
#pragma unroll
        for (int n = 0; n < 8; n++) largest = max(largest, __float_as_uint(v[n]) & 0x7fffffffu);
        largest = max(largest, __shfl_xor_sync(MSL_ALL, largest, 1));
        largest = max(largest, __shfl_xor_sync(MSL_ALL, largest, 2));
        const float m = __uint_as_float(largest);
        const float by = m > 1e-30f ? 32512.0f / m : 0.0f;
        const float scale = largest >= 0x7f800000u ? __uint_as_float(0x7fc00000u) : m > 1e-30f ? m / 32512.0f : 0.0f;
        int sum = 0;
        unsigned h[2] = {0, 0}, l[2] = {0, 0};
#pragma unroll
        for (int n = 0; n < 8; n++) {
            const int q = __float2int_rn(v[n] * by);
            sum += q;
            h[n / 4] |= (unsigned) (q >> 8 & 255) << (n % 4 * 8);
            l[n / 4] |= (unsigned) (q & 255) << (n % 4 * 8);
        }
        if (i < in / 8) {
            const int at = word(8 * i);
            high[at] = h[0];
            high[at + 1] = h[1];
            low[at] = l[0];
            low[at + 1] = l[1];
            sums[i] = (float) sum * scale;
            if (i % 4 == 0) scales[i / 4] = scale;
        }
    }
};

// Pair is eight bytes.
struct Pair { unsigned a, b; };

// Some are eight values of x.
struct Some {
    Pair high, low;
    float scale, sum;
};

MSL_FN Some some(const Integers &x, int at) { // a multiple of 8
    Some s;
    const int word = Integers::word(at);
    s.high = Pair{x.high[word], x.high[word + 1]};
    s.low = Pair{x.low[word], x.low[word + 1]};
    s.scale = x.scales[at / 32];
    s.sum = x.sums[at / 8];
    return s;
}

MSL_FN int signed_dot(unsigned a, unsigned b, int sum) {
    int d;
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(sum));
    return d;
}
MSL_FN int mixed_dot(unsigned a, unsigned b, int sum) { // a signed, b not
    int d;
    asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(sum));
    return d;
}

// of returns x·levels, of levels that are signed bytes.
MSL_FN float of(const Some &x, unsigned a, unsigned b) {
    const int high = signed_dot(b, x.high.b, signed_dot(a, x.high.a, 0));
    return (float) mixed_dot(b, x.low.b, mixed_dot(a, x.low.a, high * 256)) * x.scale;
}

// pair reads eight bytes at an even address.
MSL_FN Pair pair(const uchar *from) {
    const unsigned odd = (unsigned) (ulong) from & 2;
    const unsigned *at = (const unsigned *) (from - odd);
    const unsigned last = odd ? at[2] : 0;
    return Pair{__funnelshift_r(at[0], at[1], 8 * odd), __funnelshift_r(at[1], last, 8 * odd)};
}
MSL_FN Pair aligned_pair(const uchar *from) {
    const unsigned *at = (const unsigned *) from;
    return Pair{at[0], at[1]};
}

struct BytesQ8_0 {
    enum { VALUES = 32, BYTES = 34, PARTS = 4, ROWS = 4 };
    typedef Some X;
    static MSL_FN X load(const Integers &x, int at, int part) { return some(x, at + 8 * part); }
    static MSL_FN float dot(const uchar *w, const X &x, int part) {
        const Pair q = pair(w + 2 + 8 * part);
        return half_at(w, 0) * of(x, q.a, q.b);
    }
};

struct TwoStrips { Some low, high; };

struct BytesQ4_0 {
    enum { VALUES = 32, BYTES = 18, PARTS = 2, ROWS = 4 };
    typedef TwoStrips X;
    static MSL_FN X load(const Integers &x, int at, int part) { return X{some(x, at + 8 * part), some(x, at + 8 * part + 16)}; }
    static MSL_FN float dot(const uchar *w, const X &x, int part) {
        const Pair q = pair(w + 2 + 8 * part);
        const float sum = of(x.low, q.a & 0x0f0f0f0f, q.b & 0x0f0f0f0f) + of(x.high, q.a >> 4 & 0x0f0f0f0f, q.b >> 4 & 0x0f0f0f0f);
        return half_at(w, 0) * (sum - 8.0f * (x.low.sum + x.high.sum));
    }
};

struct FourStrips { Some s[4]; };

// The strips of a part of Q4_K and Q5_K: see linear_vec_superblocks.metal.
MSL_FN FourStrips strips_by_run(const Integers &x, int at, int part) {
    at += part / 4 * 64 + part % 4 * 8;
    return FourStrips{{some(x, at), some(x, at + 32), some(x, at + 128), some(x, at + 160)}};
}

// floor_and_scale applies scales and mins, of 6 bits each, to the products of the strips.
MSL_FN float floor_and_scale(const uchar *w, const float (&products)[4], const FourStrips &x, int part) {
    const unsigned *words = (const unsigned *) w;
    const int shift = part / 4 * 16;
    const unsigned a = words[1] >> shift, b = words[2] >> shift, c = words[3] >> shift;
    const unsigned scales[2] = {a & 0x3f3f, (c & 0x0f0f) | (a & 0xc0c0) >> 2}, mins[2] = {b & 0x3f3f, (c >> 4 & 0x0f0f) | (b & 0xc0c0) >> 2};
    float sum = 0.0f, lowest = 0.0f;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        sum = fma((float) (scales[i / 2] >> (i % 2 * 8) & 255), products[i], sum);
        lowest = fma((float) (mins[i / 2] >> (i % 2 * 8) & 255), x.s[i].sum, lowest);
    }
    return fma(half_at(w, 0), sum, -half_at(w, 2) * lowest);
}

struct BytesQ4_K {
    enum { VALUES = 256, BYTES = 144, PARTS = 8, ROWS = 4 };
    typedef FourStrips X;
    static MSL_FN X load(const Integers &x, int at, int part) { return strips_by_run(x, at, part); }
    static MSL_FN float dot(const uchar *w, const X &x, int part) {
        const uchar *levels = w + 16 + part / 4 * 32 + part % 4 * 8;
        const Pair q = aligned_pair(levels), r = aligned_pair(levels + 64);
        const float products[4] = {
            of(x.s[0], q.a & 0x0f0f0f0f, q.b & 0x0f0f0f0f), of(x.s[1], q.a >> 4 & 0x0f0f0f0f, q.b >> 4 & 0x0f0f0f0f),
            of(x.s[2], r.a & 0x0f0f0f0f, r.b & 0x0f0f0f0f), of(x.s[3], r.a >> 4 & 0x0f0f0f0f, r.b >> 4 & 0x0f0f0f0f)};
        return floor_and_scale(w, products, x, part);
    }
};

struct BytesQ5_K {
    enum { VALUES = 256, BYTES = 176, PARTS = 8, ROWS = 4 };
    typedef FourStrips X;
    static MSL_FN X load(const Integers &x, int at, int part) { return strips_by_run(x, at, part); }
    static MSL_FN float dot(const uchar *w, const X &x, int part) {
        const uchar *levels = w + 48 + part / 4 * 32 + part % 4 * 8;
        const Pair q = aligned_pair(levels), r = aligned_pair(levels + 64), fifth = aligned_pair(w + 16 + part % 4 * 8);
        const int bit = part / 4 * 2;
        const float products[4] = {strip(x.s[0], q, 0, fifth, bit), strip(x.s[1], q, 4, fifth, bit + 1), strip(x.s[2], r, 0, fifth, bit + 4), strip(x.s[3], r, 4, fifth, bit + 5)};
        return floor_and_scale(w, products, x, part);
    }
    static MSL_FN float strip(const Some &x, Pair q, int shift, Pair fifth, int bit) {
        return of(x, (q.a >> shift & 0x0f0f0f0f) | (fifth.a >> bit & 0x01010101) << 4, (q.b >> shift & 0x0f0f0f0f) | (fifth.b >> bit & 0x01010101) << 4);
    }
};

struct BytesQ6_K {
    enum { VALUES = 256, BYTES = 210, PARTS = 8, ROWS = 4 };
    typedef FourStrips X;
    static MSL_FN X load(const Integers &x, int at, int part) {
        at += part / 4 * 128 + part % 4 * 8;
        return X{{some(x, at), some(x, at + 32), some(x, at + 64), some(x, at + 96)}};
    }
    static MSL_FN float dot(const uchar *w, const X &x, int part) {
        const uchar *levels = w + part / 4 * 64 + part % 4 * 8;
        const Pair q = pair(levels), r = pair(levels + 32), upper = pair(w + 128 + part / 4 * 32 + part % 4 * 8);
        const signed char *scales = (const signed char *) w + 192 + part / 4 * 8 + part % 4 / 2;
        float sum = (float) scales[0] * strip(x.s[0], q, 0, upper, 0);
        sum = fma((float) scales[2], strip(x.s[1], r, 0, upper, 2), sum);
        sum = fma((float) scales[4], strip(x.s[2], q, 4, upper, 4), sum);
        sum = fma((float) scales[6], strip(x.s[3], r, 4, upper, 6), sum);
        return half_at(w, 208) * sum;
    }
    static MSL_FN float strip(const Some &x, Pair q, int shift, Pair upper, int bit) {
        const float v = of(x, (q.a >> shift & 0x0f0f0f0f) | (upper.a >> bit & 0x03030303) << 4, (q.b >> shift & 0x0f0f0f0f) | (upper.b >> bit & 0x03030303) << 4);
        return v - 32.0f * x.sum;
    }
};

// by_bytes is linear_vec for these types. Warps share nothing but x.
template <typename Type>
MSL_FN void by_bytes(const LinearArgs &args, const float *x, const uchar *w, const float *bias, float *y, const uchar *up,
                     char *shared, uint group, uint groups, ushort index, ushort lane, ushort warp, ushort warps) {
    typedef Pieces<Type> P;
    const int blocks = args.in / Type::VALUES, every = groups * warps * Type::ROWS;
    const Integers integers(shared, args.in);
    char *stages = shared + (4 * (2 * (Integers::word(args.in) + 4) + args.in / 32 + args.in / 8) + 15) / 16 * 16 + warp * (P::STAGES * P::ALL);

    Copier<Type> copier(w, up, args, lane);
    int copying = ((int) group * warps + warp) * Type::ROWS, at_block = 0; // what is copied next
    if (copying < args.out) copier.begin(copying, 0);
    auto copy = [&](int stage) {
        if (copying < args.out) {
            copier.next(stages + stage * P::ALL, at_block + P::TAKEN >= blocks, P::TAKEN);
            at_block += P::TAKEN;
            if (at_block >= blocks) {
                at_block = 0;
                copying += every;
                if (copying < args.out) copier.begin(copying, 0);
            }
        }
        copied();
    };
    int column = copying, stage = 0;
#pragma unroll
    for (int s = 0; s < P::STAGES - 1; s++) copy(s);
    msl::wait_for_last();
    integers.fill(x, args.in, index, 32 * warps);
    __syncthreads();

    const int part = lane % Type::PARTS, own_block = lane / Type::PARTS;
    for (; column < args.out; column += every) {
        float sums[P::ROWS];
        int offset[P::ROWS]; // of the first byte in a piece
#pragma unroll
        for (int i = 0; i < P::ROWS; i++) {
            sums[i] = 0.0f;
            offset[i] = i * P::UNITS * 16 + (int) (copier.place(column, i, 0) & 15);
        }
        for (int at = 0; at < blocks; at += P::TAKEN) {
            wait_for_copies<P::STAGES - 2>();
            __syncwarp();
            copy(stage == 0 ? P::STAGES - 1 : stage - 1);
            const uchar *piece = (const uchar *) stages + stage * P::ALL;
#pragma unroll
            for (int t = 0; t < P::TIMES; t++) {
                const int block = t * P::AT_ONCE + own_block;
                if (at + block < blocks) {
                    const typename Type::X v = Type::load(integers, (at + block) * Type::VALUES, part);
#pragma unroll
                    for (int i = 0; i < P::ROWS; i++) sums[i] += Type::dot(piece + offset[i] + block * Type::BYTES, v, part);
                }
            }
            stage = stage + 1 == P::STAGES ? 0 : stage + 1;
        }
        float sum = 0.0f, factor = 1.0f;
#pragma unroll
        for (int i = 0; i < P::ROWS; i++) {
            const float all = simd_sum(sums[i]);
            if (lane == i % Type::ROWS) (i < Type::ROWS ? sum : factor) = all;
        }
        if (lane < Type::ROWS && column + lane < args.out) {
            const float v = activate(sum + linear_bias(bias, column + lane));
            y[column + lane] = P::WEIGHTS > 1 ? v * factor : v;
        }
    }
}

// ByBytes tells which types have products of bytes.
template <typename Type> struct ByBytes { enum { HAS = 0 }; };
template <> struct ByBytes<VecQ8_0> { enum { HAS = 1 }; typedef BytesQ8_0 T; };
template <> struct ByBytes<VecQ4_0> { enum { HAS = 1 }; typedef BytesQ4_0 T; };
template <> struct ByBytes<VecQ4_K> { enum { HAS = 1 }; typedef BytesQ4_K T; };
template <> struct ByBytes<VecQ5_K> { enum { HAS = 1 }; typedef BytesQ5_K T; };
template <> struct ByBytes<VecQ6_K> { enum { HAS = 1 }; typedef BytesQ6_K T; };

// some_columns does what the host asks for: FC_linear_rows, which is 1 for products of bytes.
// Of several blocks, it is the one with a number.
template <typename Type>
MSL_FN void some_columns(const LinearArgs &args, const float *x, const uchar *w, const float *bias, float *y, const uchar *up,
                         char *shared, uint group, uint groups, ushort index, ushort lane, ushort warp, ushort warps) {
    if constexpr (ByBytes<Type>::HAS && FC_linear_rows != 0) {
        by_bytes<typename ByBytes<Type>::T>(args, x, w, bias, y, up, shared, group, groups, index, lane, warp, warps);
    } else {
        by_floats<Type>(args, x, w, bias, y, up, shared, group, index, lane, warp, warps);
    }
}

template <typename Type>
MSL_FN void linear_vec(LinearArgs &args, const float *x, const uchar *w, const float *bias, float *y, const uchar *up,
                       char *shared, uint group, ushort index, ushort lane, ushort warp, ushort warps) {
    some_columns<Type>(args, x, w, bias, y, up, shared, group, gridDim.x, index, lane, warp, warps);
}

// several is linear_vec of up to three weights, as of queries, keys and values: each has
// some of the launch's blocks.
struct SeveralArgs { LinearArgs of[3]; int blocks[3]; };

template <typename Type>
MSL_FN void several(SeveralArgs &args, const float *x, const uchar *w0, const uchar *w1, const uchar *w2, const float *bias0, const float *bias1, const float *bias2,
                    float *y0, float *y1, float *y2, char *shared, uint group, ushort index, ushort lane, ushort warp, ushort warps) {
    int n = 0, block = group;
    while (block >= args.blocks[n]) block -= args.blocks[n++];
    const uchar *w = n == 0 ? w0 : n == 1 ? w1 : w2;
    some_columns<Type>(args.of[n], x, w, n == 0 ? bias0 : n == 1 ? bias1 : bias2, n == 0 ? y0 : n == 1 ? y1 : y2, w, shared, block, args.blocks[n], index, lane, warp, warps);
}

} // namespace own
