// What slices.cu needs of x and of w, for each type of w.
//
// Blocks of integers are multiplied with integers. The warps of a thread block make those of x
// together, once, and leave them in shared memory; a lane then keeps what it needs.

namespace own {

// Row is x: or x + residual, times the norm's weight. The norm's scale comes later.
struct Row {
    const float *x, *residual, *weight;
    float offset;
    float squares; // of what this lane took

    MSL_FN Row(const float *x, const float *residual, const float *weight, float offset) : x(x), residual(residual), weight(weight), offset(offset), squares(0.0f) {}
    MSL_FN float plain(int i) const { return NORMED == 2 ? x[i] + residual[i] : x[i]; }

    // take returns some values, four at a time. Those of the norm's weight come with them.
    template <int N> MSL_FN void take(int i, float (&v)[N], const float4 (&by)[N / 4]) {
#pragma unroll
        for (int n = 0; n < N / 4; n++) {
            const float4 a = *(const float4 *) (x + i + 4 * n);
            float f[4] = {a.x, a.y, a.z, a.w};
            if (NORMED == 2) {
                const float4 b = *(const float4 *) (residual + i + 4 * n);
                f[0] += b.x; f[1] += b.y; f[2] += b.z; f[3] += b.w;
            }
            const float w[4] = {by[n].x, by[n].y, by[n].z, by[n].w};
#pragma unroll
            for (int j = 0; j < 4; j++) {
                if (NORMED) squares = fma(f[j], f[j], squares);
                v[4 * n + j] = NORMED ? f[j] * (w[j] + offset) : f[j];
            }
        }
    }
    template <int N> MSL_FN void weights(int i, float4 (&by)[N]) const {
#pragma unroll
        for (int n = 0; n < N; n++) by[n] = NORMED ? *(const float4 *) (weight + i + 4 * n) : float4(0.0f);
    }
};

MSL_FN Sixteen none() { return Sixteen{0, 0, 0, 0}; }
MSL_FN Sixteen read_kept(const uchar *from) { // neighbours read it, too
    Sixteen v;
    asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.a), "=r"(v.b), "=r"(v.c), "=r"(v.d) : "l"(from));
    return v;
}
MSL_FN unsigned read_two(const uchar *from) {
    unsigned short v;
    asm volatile("ld.global.nc.u16 %0, [%1];" : "=h"(v) : "l"(from));
    return v;
}

// Plain numbers: a unit is 16 bytes.
template <typename Type, int VALUES> struct SlicePlain {
    enum { LEVELS = 0 };
    struct X { float v[VALUES]; };
    struct W { Sixteen q; };
    static MSL_FN int units(int in) { return in / VALUES; }
    static MSL_FN X of(Row &row, int unit, bool real) {
        X x;
        if (real) {
            float4 by[VALUES / 4];
            row.weights(unit * VALUES, by);
            row.take(unit * VALUES, x.v, by);
        } else {
#pragma unroll
            for (int i = 0; i < VALUES; i++) x.v[i] = 0.0f;
        }
        return x;
    }
    static MSL_FN W read(const uchar *row, int unit, bool real) { return W{real ? read16(row + (long) unit * 16) : none()}; }
    static MSL_FN float dot(const W &w, const X &x, int) {
        float sum = 0.0f;
#pragma unroll
        for (int c = 0; c < VALUES / 4; c++) {
            const float4 v = quad<Type>(w.q, c);
            sum = fma(v.x, x.v[4 * c], fma(v.y, x.v[4 * c + 1], fma(v.z, x.v[4 * c + 2], fma(v.w, x.v[4 * c + 3], sum))));
        }
        return sum;
    }
};

// Eight are eight values of x as integers: 256·high + low, a signed and an unsigned byte.
// GROUP lanes next to each other share a scale.
template <int GROUP> struct Eight {
    unsigned high[2], low[2];
    float unit;
    int sum;

    // Infinities and NaN make all values of a group NaN.
    MSL_FN explicit Eight(const float (&v)[8]) : sum(0) {
        unsigned largest = 0; // of the magnitudes' bits, of which those of NaN are the largest
#pragma unroll
        for (int n = 0; n < 8; n++) largest = max(largest, __float_as_uint(v[n]) & 0x7fffffffu);
#pragma unroll
        for (int other = 1; other < GROUP; other *= 2) largest = max(largest, __shfl_xor_sync(MSL_ALL, largest, other));
        const float m = __uint_as_float(largest);
        const float by = m > 1e-30f ? __fdividef(2032.0f, m * 0.0625f) : 0.0f; // rounded somehow, as levels are; by more than 2 to the 126 it divides to 0
        unit = largest >= 0x7f800000u ? __uint_as_float(0x7fc00000u) : m > 1e-30f ? m * (1.0f / 32512.0f) : 0.0f;
        high[0] = high[1] = low[0] = low[1] = 0;
#pragma unroll
        for (int n = 0; n < 8; n++) {
            const int q = __float2int_rn(v[n] * by);
            sum += q;
            high[n / 4] |= (unsigned) (q >> 8 & 255) << (n % 4 * 8);
            low[n / 4] |= (unsigned) (q & 255) << (n % 4 * 8);
        }
    }
};

// Words are 16 bytes in shared memory.
MSL_FN Sixteen shared16(const unsigned *from) { return *(const Sixteen *) from; }
MSL_FN void put_words(unsigned (&to)[4], Sixteen from) {
    to[0] = from.a;
    to[1] = from.b;
    to[2] = from.c;
    to[3] = from.d;
}

// Q8_0: a unit is 16 bytes wherever they lie among the blocks of 34. It has levels of one
// block or of two; x is 0 where it has a scale, and where it has the other block's levels.
struct SliceQ8_0 {
    enum { LEVELS = 1, BLOCK = 34 };
    struct X {
        unsigned high[2][4], low[2][4];
        float unit[2];
    };
    struct W {
        Sixteen q;
        unsigned scales[2]; // apart: to put them together would wait for them
    };
    static MSL_FN int units(int in) { return in / 256 * 17; }

    // Levels in shared memory lie as those of a row of w do, high and low apart. Scales follow.
    static MSL_FN void put(const float (&v)[8], unsigned *levels, int at, int in) {
        const Eight<4> e(v);
        const int block = at / 32, part = at % 32 / 8, bytes = in / 32 * BLOCK;
        unsigned short *high = (unsigned short *) levels + (block * BLOCK + 2 + 8 * part) / 2, *low = high + bytes / 2;
#pragma unroll
        for (int i = 0; i < 2; i++) {
            high[2 * i] = (unsigned short) e.high[i];
            high[2 * i + 1] = (unsigned short) (e.high[i] >> 16);
            low[2 * i] = (unsigned short) e.low[i];
            low[2 * i + 1] = (unsigned short) (e.low[i] >> 16);
        }
        if (part == 0) {
            high[-1] = low[-1] = 0; // where w has its scale
            ((float *) levels)[2 * bytes / 4 + block] = e.unit;
        }
    }
    static MSL_FN X of(const unsigned *levels, int in, int unit, bool real) {
        const int bytes = in / 32 * BLOCK, first = unit * 16 / BLOCK, last = (unit * 16 + 15) / BLOCK, ours = (first + 1) * BLOCK - unit * 16; // bytes of the first block
        X x;
        unsigned high[4], low[4];
        put_words(high, shared16(levels + unit * 4));
        put_words(low, shared16(levels + bytes / 4 + unit * 4));
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int left = ours - 4 * i;
            const unsigned mask = !real || left <= 0 ? 0u : left >= 4 ? ~0u : (1u << 8 * left) - 1u, other = real ? ~mask : 0u;
            x.high[0][i] = high[i] & mask;
            x.low[0][i] = low[i] & mask;
            x.high[1][i] = high[i] & other;
            x.low[1][i] = low[i] & other;
        }
        const float *scales = (const float *) levels + 2 * bytes / 4;
        x.unit[0] = scales[first];
        x.unit[1] = scales[last];
        return x;
    }
    static MSL_FN W read(const uchar *row, int unit, bool real) {
        const int first = unit * 16 / BLOCK, last = (unit * 16 + 15) / BLOCK;
        return W{real ? read16(row + unit * 16) : none(), {read_two(row + first * BLOCK), read_two(row + last * BLOCK)}};
    }
    static MSL_FN float dot(const W &w, const X &x, int) {
        const unsigned q[4] = {w.q.a, w.q.b, w.q.c, w.q.d};
        float sum = 0.0f;
#pragma unroll
        for (int n = 0; n < 2; n++) {
            int high = 0, low = 0;
#pragma unroll
            for (int i = 0; i < 4; i++) {
                high = signed_dot(q[i], x.high[n][i], high);
                low = mixed_dot(q[i], x.low[n][i], low);
            }
            sum = fma((float) (high * 256 + low), lower_half(w.scales[n]) * x.unit[n], sum);
        }
        return sum;
    }
};

MSL_FN int unsigned_dot(unsigned a, unsigned b, int sum) {
    int d;
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(sum));
    return d;
}

// Q4_K, Q5_K: a unit is a run of 32 bytes of levels, the halves of 64 values, with the superblock's head.
template <int FIFTH> struct SliceK {
    enum { LEVELS = 1, BYTES = FIFTH ? 176 : 144, FIRST = FIFTH ? 48 : 16, RUN = 36 }; // RUN: words of 64 values in shared memory
    struct X {
        unsigned high[2][8], low[2][8]; // of the lower and the upper halves of bytes
        int sums[2];
        float unit;
    };
    struct W { Sixteen head, q[2], fifth[1 + FIFTH]; };
    static MSL_FN int units(int in) { return in / 64; }

    // Levels in shared memory: for each run 16 words of high bytes, 16 of low ones, two sums, and the scale.
    static MSL_FN void put(const float (&v)[8], unsigned *levels, int at, int) {
        Eight<8> e(v);
        unsigned *run = levels + at / 64 * RUN, *to = run + at % 64 / 4;
        to[0] = e.high[0];
        to[1] = e.high[1];
        to[16] = e.low[0];
        to[17] = e.low[1];
        e.sum += __shfl_xor_sync(MSL_ALL, e.sum, 1);
        e.sum += __shfl_xor_sync(MSL_ALL, e.sum, 2);
        if (at % 32 == 0) run[32 + at % 64 / 32] = e.sum;
        if (at % 64 == 0) run[34] = __float_as_uint(e.unit);
    }
    static MSL_FN X of(const unsigned *levels, int, int unit, bool real) {
        const unsigned *run = levels + unit * RUN;
        X x;
#pragma unroll
        for (int i = 0; i < 8; i++) {
            unsigned (&to)[8] = i < 4 ? x.high[i / 2] : x.low[i / 2 - 2];
            const Sixteen s = shared16(run + 4 * i);
            to[i % 2 * 4] = s.a;
            to[i % 2 * 4 + 1] = s.b;
            to[i % 2 * 4 + 2] = s.c;
            to[i % 2 * 4 + 3] = s.d;
        }
        const Sixteen s = shared16(run + 32);
        x.sums[0] = (int) s.a;
        x.sums[1] = (int) s.b;
        x.unit = real ? __uint_as_float(s.c) : 0.0f; // a lane without a unit has the last one's
        if (!real) {
#pragma unroll
            for (int n = 0; n < 2; n++) {
                x.sums[n] = 0;
#pragma unroll
                for (int i = 0; i < 8; i++) x.high[n][i] = x.low[n][i] = 0;
            }
        }
        return x;
    }
    static MSL_FN W read(const uchar *row, int unit, bool) {
        const uchar *block = row + (long) (unit / 4) * BYTES, *levels = block + FIRST + unit % 4 * 32;
        W w;
        w.head = read_kept(block);
        w.q[0] = read16(levels);
        w.q[1] = read16(levels + 16);
#pragma unroll
        for (int i = 0; i < 2 * FIFTH; i++) w.fifth[i] = read_kept(block + 16 + 16 * i);
        return w;
    }
    static MSL_FN float dot(const W &w, const X &x, int unit) {
        const int run = unit % 4, shift = run % 2 * 16;
        const unsigned a = w.head.b >> shift, b = w.head.c >> shift, c = w.head.d >> shift;
        const bool later = run >= 2;
        const unsigned scales = later ? (c & 0x0f0f) | (a & 0xc0c0) >> 2 : a & 0x3f3f, mins = later ? (c >> 4 & 0x0f0f) | (b & 0xc0c0) >> 2 : b & 0x3f3f;
        int high[2] = {0, 0}, low[2] = {0, 0};
#pragma unroll
        for (int i = 0; i < 8; i++) {
            const unsigned q = word(w.q[i / 4], i % 4), f = FIFTH ? word(w.fifth[FIFTH * (i / 4)], i % 4) >> (2 * run) : 0;
            // the upper halves stay where they are, 16 times as large, if there is no fifth bit
            const unsigned first = q & 0x0f0f0f0f | (f & 0x01010101) << 4, second = FIFTH ? q >> 4 & 0x0f0f0f0f | (f & 0x02020202) << 3 : q & 0xf0f0f0f0;
            high[0] = mixed_dot(x.high[0][i], first, high[0]);
            low[0] = unsigned_dot(x.low[0][i], first, low[0]);
            high[1] = mixed_dot(x.high[1][i], second, high[1]);
            low[1] = unsigned_dot(x.low[1][i], second, low[1]);
        }
        const int lower = high[0] * 256 + low[0], upper = FIFTH ? high[1] * 256 + low[1] : (high[1] * 256 + low[1]) >> 4;
        const int scale[2] = {(int) (scales & 255), (int) (scales >> 8 & 255)};
        // 32 levels of 15 at most, times 63, times 32,512, twice: it fits, and with 31 once
        const float sum = FIFTH ? (float) (lower * scale[0]) + (float) (upper * scale[1]) : (float) (lower * scale[0] + upper * scale[1]);
        const float least = (float) (x.sums[0] * (int) (mins & 255) + x.sums[1] * (int) (mins >> 8 & 255));
        return fma(lower_half(w.head.a), sum, -upper_half(w.head.a) * least) * x.unit;
    }
    static MSL_FN unsigned word(const Sixteen &s, int i) { return i == 0 ? s.a : i == 1 ? s.b : i == 2 ? s.c : s.d; }
};

template <typename Type> struct Slice;
template <> struct Slice<VecPlain<QuadF32>> : SlicePlain<VecPlain<QuadF32>, 4> {};
template <> struct Slice<VecPlain<QuadF16>> : SlicePlain<VecPlain<QuadF16>, 8> {};
template <> struct Slice<VecPlain<QuadBF16>> : SlicePlain<VecPlain<QuadBF16>, 8> {};
template <> struct Slice<VecQ8_0> : SliceQ8_0 {};
template <> struct Slice<VecQ4_K> : SliceK<0> {};
template <> struct Slice<VecQ5_K> : SliceK<1> {};

} // namespace own
