// slices: products of one row of x, after a norm of it where there is one. A warp has the
// same units of 16 bytes of every row of w, so what it needs of x stays in its registers, and
// nothing is waited for between rows: it reads the units of SOME rows while it multiplies
// those of the SOME before. The warps of a team have a row together. All blocks have equally
// many rows, and at the end add up what the warps found.
//
// UNITS, SOME, WARPS and NORMED are constants: units of a lane in a row, rows at a time, warps
// of a block, and whether x comes after a norm (1) of a sum (2).
//
// A type is a struct:
//
//     T::X       what a lane needs of x for a unit; T::of makes it of a Row
//     T::W       what it reads of w; T::read reads it
//     T::dot     their product, without the scale of the norm

#undef MSL_BOUNDS
#define MSL_BOUNDS __launch_bounds__(32 * own::WARPS, 1)

namespace own {

struct SliceArgs { // copied before use: the compiler would read them again after each result is written
    int in, stride, team, rows;   // team: warps that share a row; rows: of a block, of all weights one after the other
    int outs[3];                  // rows of each weight
    float columns, epsilon, offset; // of the norm
};

// Row is x: or x + residual, times the norm's weight. The norm's scale comes later.
struct Row {
    const float *x, *residual, *weight;
    float offset;
    float squares; // of what this lane took

    MSL_FN float plain(int i) const { return NORMED == 2 ? x[i] + residual[i] : x[i]; }
    MSL_FN float weighted(int i, float v) const { return NORMED ? v * (weight[i] + offset) : v; }
    MSL_FN float take(int i) {
        const float v = plain(i);
        if (NORMED) squares = fma(v, v, squares);
        return weighted(i, v);
    }
    template <int N> MSL_FN void take_many(int i, float *to) { // 4 at a time
#pragma unroll
        for (int n = 0; n < N; n += 4) {
            const float4 a = *(const float4 *) (x + i + n);
            float v[4] = {a.x, a.y, a.z, a.w};
            if (NORMED == 2) {
                const float4 b = *(const float4 *) (residual + i + n);
                v[0] += b.x; v[1] += b.y; v[2] += b.z; v[3] += b.w;
            }
            if (NORMED) {
                const float4 w = *(const float4 *) (weight + i + n);
                const float by[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
                for (int j = 0; j < 4; j++) {
                    squares = fma(v[j], v[j], squares);
                    v[j] = v[j] * (by[j] + offset);
                }
            }
#pragma unroll
            for (int j = 0; j < 4; j++) to[n + j] = v[j];
        }
    }
};

// Levels are integers of some values of x: 256·high + low, a signed and an unsigned byte.
template <int WORDS> struct Levels {
    unsigned high[WORDS], low[WORDS];

    MSL_FN void clear() {
#pragma unroll
        for (int i = 0; i < WORDS; i++) high[i] = low[i] = 0;
    }
    MSL_FN void put(int i, int q) { // i is a constant
        high[i / 4] |= (unsigned) (q >> 8 & 255) << (i % 4 * 8);
        low[i / 4] |= (unsigned) (q & 255) << (i % 4 * 8);
    }
};

// Scale turns values into integers. Infinities and NaN make all of them NaN.
struct Scale {
    float by, unit;
    template <int N> MSL_FN explicit Scale(const float (&v)[N]) {
        unsigned largest = 0; // of the magnitudes' bits, of which those of NaN are the largest
#pragma unroll
        for (int n = 0; n < N; n++) largest = max(largest, __float_as_uint(v[n]) & 0x7fffffffu);
        const float m = __uint_as_float(largest);
        by = m > 1e-30f ? 32512.0f / m : 0.0f;
        unit = largest >= 0x7f800000u ? __uint_as_float(0x7fc00000u) : m > 1e-30f ? m / 32512.0f : 0.0f;
    }
    MSL_FN int level(float v) const { return __float2int_rn(v * by); }
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
    struct X { float v[VALUES]; };
    struct W { Sixteen q; };
    static MSL_FN int units(int in) { return in / VALUES; }
    static MSL_FN X of(Row &row, int unit, bool real) {
        X x;
        if (real) row.template take_many<VALUES>(unit * VALUES, x.v);
        else
#pragma unroll
            for (int i = 0; i < VALUES; i++) x.v[i] = 0.0f;
        return x;
    }
    static MSL_FN W read(const uchar *row, int unit, bool real) { return W{real ? read16(row + (long) unit * 16) : none()}; }
    static MSL_FN float dot(const W &w, const X &x) {
        float sum = 0.0f;
#pragma unroll
        for (int c = 0; c < VALUES / 4; c++) {
            const float4 v = quad<Type>(w.q, c);
            sum = fma(v.x, x.v[4 * c], fma(v.y, x.v[4 * c + 1], fma(v.z, x.v[4 * c + 2], fma(v.w, x.v[4 * c + 3], sum))));
        }
        return sum;
    }
};

// Q8_0: a unit is 16 bytes wherever they lie among the blocks of 34. It has levels of one
// block or of two; x is 0 where it has a scale, and where it has the other block's levels.
struct SliceQ8_0 {
    struct X {
        Levels<4> of[2];
        float unit;
    };
    struct W {
        Sixteen q;
        unsigned scales[2]; // apart: to put them together would wait for them
    };
    static MSL_FN int units(int in) { return in / 256 * 17; }
    static MSL_FN X of(Row &row, int unit, bool real) {
        X x;
        x.of[0].clear();
        x.of[1].clear();
        float v[16];
        const int first = unit * 16 / 34;
#pragma unroll
        for (int i = 0; i < 16; i++) {
            const int at = unit * 16 + i, block = at / 34, offset = at - block * 34;
            v[i] = real && offset >= 2 ? row.take(block * 32 + offset - 2) : 0.0f;
        }
        const Scale scale(v);
#pragma unroll
        for (int i = 0; i < 16; i++) {
            const int level = scale.level(v[i]);
            const bool other = (unit * 16 + i) / 34 > first;
            x.of[0].put(i, other ? 0 : level);
            x.of[1].put(i, other ? level : 0);
        }
        x.unit = scale.unit;
        return x;
    }
    static MSL_FN W read(const uchar *row, int unit, bool real) {
        const int first = unit * 16 / 34, last = (unit * 16 + 15) / 34;
        return W{real ? read16(row + unit * 16) : none(), {read_two(row + first * 34), read_two(row + last * 34)}};
    }
    static MSL_FN float dot(const W &w, const X &x) {
        const unsigned q[4] = {w.q.a, w.q.b, w.q.c, w.q.d};
        float sum = 0.0f;
#pragma unroll
        for (int n = 0; n < 2; n++) {
            int level = 0;
#pragma unroll
            for (int i = 0; i < 4; i++) level = signed_dot(q[i], x.of[n].high[i], level);
            level *= 256;
#pragma unroll
            for (int i = 0; i < 4; i++) level = mixed_dot(q[i], x.of[n].low[i], level);
            sum = fma((float) level, lower_half(w.scales[n]), sum);
        }
        return sum * x.unit;
    }
};

// Q4_K, Q5_K: a unit is 16 of a superblock's 128 bytes of levels, with the superblock's head.
template <int FIFTH> struct SliceK {
    enum { BYTES = FIFTH ? 176 : 144, LEVELS = FIFTH ? 48 : 16 };
    struct X {
        Levels<4> of[2]; // of the lower and the upper half of bytes
        int sums[2];
        float unit;
    };
    struct W { Sixteen head, q, fifth; };
    static MSL_FN int units(int in) { return in / 32; }
    static MSL_FN X of(Row &row, int unit, bool real) {
        X x;
        float v[32];
        const int at = unit / 8 * 256 + unit % 8 / 2 * 64 + unit % 2 * 16;
        if (real) {
            row.take_many<16>(at, v);
            row.take_many<16>(at + 32, v + 16);
        } else {
#pragma unroll
            for (int i = 0; i < 32; i++) v[i] = 0.0f;
        }
        const Scale scale(v);
#pragma unroll
        for (int n = 0; n < 2; n++) {
            x.of[n].clear();
            x.sums[n] = 0;
#pragma unroll
            for (int i = 0; i < 16; i++) {
                const int level = scale.level(v[16 * n + i]);
                x.of[n].put(i, level);
                x.sums[n] += level;
            }
        }
        x.unit = scale.unit;
        return x;
    }
    static MSL_FN W read(const uchar *row, int unit, bool) {
        const uchar *block = row + (long) (unit / 8) * BYTES;
        return W{read_kept(block), read16(block + LEVELS + unit % 8 * 16), FIFTH ? read_kept(block + 16 + unit % 2 * 16) : none()};
    }
    static MSL_FN float dot(const W &w, const X &x, int unit) {
        const int run = unit % 8 / 2, shift = run % 2 * 16;
        const unsigned a = w.head.b >> shift, b = w.head.c >> shift, c = w.head.d >> shift;
        const bool later = run >= 2;
        const unsigned scales = later ? (c & 0x0f0f) | (a & 0xc0c0) >> 2 : a & 0x3f3f, mins = later ? (c >> 4 & 0x0f0f) | (b & 0xc0c0) >> 2 : b & 0x3f3f;
        const unsigned q[4] = {w.q.a, w.q.b, w.q.c, w.q.d}, f[4] = {w.fifth.a, w.fifth.b, w.fifth.c, w.fifth.d};
        int level[2] = {0, 0};
#pragma unroll
        for (int n = 0; n < 2; n++) {
            unsigned l[4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                l[i] = (n ? q[i] >> 4 : q[i]) & 0x0f0f0f0f;
                if (FIFTH) l[i] |= (f[i] >> (2 * run + n) & 0x01010101) << 4;
            }
#pragma unroll
            for (int i = 0; i < 4; i++) level[n] = signed_dot(l[i], x.of[n].high[i], level[n]);
            level[n] *= 256;
#pragma unroll
            for (int i = 0; i < 4; i++) level[n] = mixed_dot(l[i], x.of[n].low[i], level[n]);
        }
        const unsigned upper = scales >> 8 & 255, upper_min = mins >> 8 & 255;
        // of 32 levels of 31 at most, times 63, times 32,512: it fits
        const float sum = (float) (level[0] * (int) (scales & 255) + level[1] * (int) upper);
        const float least = (float) (x.sums[0] * (int) (mins & 255) + x.sums[1] * (int) upper_min);
        return fma(lower_half(w.head.a), sum, -upper_half(w.head.a) * least) * x.unit;
    }
};

template <typename Type> struct Slice;
template <> struct Slice<VecPlain<QuadF32>> : SlicePlain<VecPlain<QuadF32>, 4> {};
template <> struct Slice<VecPlain<QuadF16>> : SlicePlain<VecPlain<QuadF16>, 8> {};
template <> struct Slice<VecPlain<QuadBF16>> : SlicePlain<VecPlain<QuadBF16>, 8> {};
template <> struct Slice<VecQ8_0> : SliceQ8_0 {};
template <> struct Slice<VecQ4_K> : SliceK<0> {};
template <> struct Slice<VecQ5_K> : SliceK<1> {};

// dot has the unit only where a type needs it.
template <typename T> MSL_FN auto slice_dot(const typename T::W &w, const typename T::X &x, int unit, int) -> decltype(T::dot(w, x, unit)) { return T::dot(w, x, unit); }
template <typename T> MSL_FN float slice_dot(const typename T::W &w, const typename T::X &x, int, long) { return T::dot(w, x); }

// add_up adds each of N sums over all lanes. Sum i is in the lanes whose upper bits are i.
template <int N> MSL_FN float add_up(const float (&sums)[N], int lane) {
    if constexpr (N > 1) {
        const int across = 16; // each half of the lanes goes on with half of the sums
        float mine[N / 2];
#pragma unroll
        for (int i = 0; i < N / 2; i++) {
            const float kept = lane & across ? sums[i + N / 2] : sums[i], given = lane & across ? sums[i] : sums[i + N / 2];
            mine[i] = kept + __shfl_xor_sync(MSL_ALL, given, across);
        }
        if constexpr (N == 2) {
            float s = mine[0];
#pragma unroll
            for (int other = 8; other > 0; other /= 2) s += __shfl_xor_sync(MSL_ALL, s, other);
            return s;
        } else {
            float half[N / 4];
#pragma unroll
            for (int i = 0; i < N / 4; i++) {
                const float kept = lane & 8 ? mine[i + N / 4] : mine[i], given = lane & 8 ? mine[i] : mine[i + N / 4];
                half[i] = kept + __shfl_xor_sync(MSL_ALL, given, 8);
            }
            if constexpr (N == 4) {
                float s = half[0];
#pragma unroll
                for (int other = 4; other > 0; other /= 2) s += __shfl_xor_sync(MSL_ALL, s, other);
                return s;
            } else {
                const float kept = lane & 4 ? half[1] : half[0], given = lane & 4 ? half[0] : half[1];
                float s = kept + __shfl_xor_sync(MSL_ALL, given, 4);
                s += __shfl_xor_sync(MSL_ALL, s, 2);
                return s + __shfl_xor_sync(MSL_ALL, s, 1);
            }
        }
    } else {
        return simd_sum(sums[0]);
    }
}

// Weights are up to three, whose rows follow each other; or two with a gate, whose rows take turns.
struct Weights {
    const uchar *first, *second, *third; // the second and the third as if all rows began there
    int out0, out1, out2;
    long stride;

    MSL_FN Weights(const SliceArgs &args, const uchar *w0, const uchar *w1, const uchar *w2)
        : first(w0), second(w1), third(w2), out0(args.outs[0]), out1(args.outs[1]), out2(args.outs[2]), stride(args.stride) {
        if (FC_linear_gate) return;
        second -= out0 * stride;
        third -= (out0 + out1) * stride;
    }
    MSL_FN int total() const { return out0 + out1 + out2; }
    MSL_FN const uchar *row(int r) const {
        if (FC_linear_gate) return (r & 1 ? second : first) + (r >> 1) * stride;
        return (r < out0 ? first : r < out0 + out1 ? second : third) + r * stride;
    }
};

// Column is what a thread needs for the first value that it writes of the norm's results: a
// block writes some columns of these. It is read early, since reading takes long.
struct Column {
    int first, end;
    float plain, weight;

    MSL_FN Column(const Row &row, int in) : first(0), end(0), plain(0.0f), weight(0.0f) {
        if (!NORMED) return;
        const int each = (in + gridDim.x - 1) / gridDim.x;
        first = blockIdx.x * each + threadIdx.x;
        end = min(in, (int) (blockIdx.x + 1) * each);
        if (first >= end) return;
        plain = row.plain(first);
        weight = row.weight[first] + row.offset;
    }
};

// finish adds up what the warps found, after they have written it: parts are [team, rows], and
// squares the norm's, of the warps of a team.
MSL_FN void finish(const SliceArgs args, const Weights &weights, const Row &row, const Column &column, float *sum, float *normed, const float *bias0, const float *bias1, const float *bias2,
                   float *y0, float *y1, float *y2, const float *parts, const float *squares) {
    const int first = (int) blockIdx.x * args.rows, rows = min(args.rows, weights.total() - first);
    float scale = 1.0f;
    if (NORMED) {
        float total = 0.0f;
        for (int s = 0; s < args.team; s++) total += squares[s];
        scale = rsqrt(total / args.columns + args.epsilon);
        for (int i = column.first; i < column.end; i += 32 * WARPS) {
            const bool early = i == column.first;
            const float v = early ? column.plain : row.plain(i);
            if (NORMED == 2) sum[i] = v;
            normed[i] = v * scale * (early ? column.weight : row.weight[i] + row.offset);
        }
    }
    auto product = [&](int r) {
        float p = 0.0f;
        for (int s = 0; s < args.team; s++) p += parts[s * args.rows + r];
        return NORMED ? p * scale : p;
    };
    if (FC_linear_gate) {
        for (int i = threadIdx.x; i < rows / 2; i += 32 * WARPS) y0[first / 2 + i] = activate(product(2 * i)) * product(2 * i + 1);
        return;
    }
    for (int i = threadIdx.x; i < rows; i += 32 * WARPS) {
        int r = first + i;
        const bool second = r >= weights.out0, third = r >= weights.out0 + weights.out1;
        r -= third ? weights.out0 + weights.out1 : second ? weights.out0 : 0;
        const float *bias = third ? bias2 : second ? bias1 : bias0;
        (third ? y2 : second ? y1 : y0)[r] = activate(product(i) + linear_bias(bias, r));
    }
}

template <typename Type>
MSL_FN void slices(const SliceArgs args, const Weights &weights, Row row, float *sum, float *normed, const float *bias0, const float *bias1, const float *bias2,
                   float *y0, float *y1, float *y2) {
    typedef Slice<Type> T;
    typedef typename T::W W;
    typedef typename T::X X;
    __shared__ float squares[WARPS];
    float *parts = (float *) msl::shared(); // [team, rows]
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, team = warp / args.team, slice = warp % args.team, teams = WARPS / args.team;
    const int first = (int) blockIdx.x * args.rows, rows = min(args.rows, weights.total() - first);
    const int all = T::units(args.in);
    int unit[UNITS];
    bool real[UNITS];
#pragma unroll
    for (int c = 0; c < UNITS; c++) {
        unit[c] = (c * args.team + slice) * 32 + lane;
        real[c] = unit[c] < all;
        unit[c] = min(unit[c], all - 1);
    }
    auto read = [&](W (&w)[SOME][UNITS], int from) {
        if (from >= rows) return;
#pragma unroll
        for (int r = 0; r < SOME; r++) {
            const uchar *at = weights.row(first + min(from + r, rows - 1));
#pragma unroll
            for (int c = 0; c < UNITS; c++) w[r][c] = T::read(at, unit[c], real[c]);
        }
    };
    W a[SOME][UNITS], b[SOME][UNITS];
    int from = team < teams ? team * SOME : rows; // warps may be left over
    const int step = teams * SOME;
    read(a, from);
    msl::wait_for_last();
    const Column column(row, args.in);

    X x[UNITS];
#pragma unroll
    for (int c = 0; c < UNITS; c++) x[c] = T::of(row, unit[c], real[c]);
    if (NORMED) {
        const float of_warp = simd_sum(row.squares);
        if (lane == 0) squares[warp] = of_warp;
    }
    auto use = [&](const W (&w)[SOME][UNITS]) {
        float sums[SOME];
#pragma unroll
        for (int r = 0; r < SOME; r++) {
            sums[r] = 0.0f;
#pragma unroll
            for (int c = 0; c < UNITS; c++) sums[r] += slice_dot<T>(w[r][c], x[c], unit[c], 0);
        }
        const float s = add_up(sums, lane);
        const int r = from + lane / (32 / SOME);
        if (lane % (32 / SOME) == 0 && r < rows) parts[slice * args.rows + r] = s;
    };
    while (from < rows) {
        read(b, from + step);
        use(a);
        from += step;
        if (from >= rows) break;
        read(a, from + step);
        use(b);
        from += step;
    }
    __syncthreads();
    finish(args, weights, row, column, sum, normed, bias0, bias1, bias2, y0, y1, y2, parts, squares);
}

template <typename Type>
MSL_FN void slice(SliceArgs &args, const float *x, const uchar *w0, const uchar *w1, const uchar *w2, const float *bias0, const float *bias1, const float *bias2,
                  float *y0, float *y1, float *y2) {
    const Weights weights(args, w0, w1, w2);
    slices<Type>(args, weights, Row{x, nullptr, nullptr, 0.0f, 0.0f}, nullptr, nullptr, bias0, bias1, bias2, y0, y1, y2);
}

// sliced does so with the norm of x, or of x + residual, which become results, too.
template <typename Type>
MSL_FN void sliced(SliceArgs &args, const float *x, const float *residual, const float *weight, float *sum, float *normed, const uchar *w0, const uchar *w1, const uchar *w2,
                   float *y0, float *y1, float *y2) {
    const Weights weights(args, w0, w1, w2);
    slices<Type>(args, weights, Row{x, residual, weight, args.offset, 0.0f}, sum, normed, nullptr, nullptr, nullptr, y0, y1, y2);
}

} // namespace own
