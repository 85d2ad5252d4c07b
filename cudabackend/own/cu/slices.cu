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
//     T::X       what a lane needs of x for a unit; T::of makes it of a Row, or of levels
//     T::LEVELS  whether x becomes levels, in shared memory; T::put makes those of eight values
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
// block writes some columns of these. It is read early, since reading takes long: the weight
// before the kernel ahead has ended.
struct Column {
    int first, end;
    float plain, weight;

    MSL_FN Column(const Row &row, int in) : first(0), end(0), plain(0.0f), weight(0.0f) {
        if (!NORMED) return;
        const int each = (in + gridDim.x - 1) / gridDim.x;
        first = blockIdx.x * each + threadIdx.x;
        end = min(in, (int) (blockIdx.x + 1) * each);
        if (first < end) weight = row.weight[first]; // not yet used: to add to it would wait for it
    }
    MSL_FN void read(const Row &row) {
        if (first < end) plain = row.plain(first);
    }
};

// Levels makes integers of x. All warps do so together, for values of the norm's weight are
// read before the kernel ahead has ended.
template <typename T> struct Levels {
    enum { EIGHTS = NORMED ? 2 : 4, STEP = 8 * 32 * WARPS }; // EIGHTS: of a thread at a time
    float4 weights[2]; // for the first eight

    MSL_FN Levels(const Row &row, int in) {
        weights[0] = weights[1] = float4(0.0f);
        if (NORMED && at(0) < in) row.weights(at(0), weights);
    }
    static MSL_FN int at(int n) { return 8 * threadIdx.x + n * STEP; } // a warp's values lie in x or behind it
    MSL_FN void make(Row &row, unsigned *to, int in) const {
#pragma unroll 1
        for (int first = 0; at(first) < in; first += EIGHTS) {
            float v[EIGHTS][8];
#pragma unroll
            for (int n = 0; n < EIGHTS; n++) {
                float4 by[2] = {weights[0], weights[1]};
                if (at(first + n) >= in) break;
                if (first + n > 0) row.weights(at(first + n), by);
                row.take(at(first + n), v[n], by);
            }
#pragma unroll
            for (int n = 0; n < EIGHTS; n++) {
                if (at(first + n) >= in) break;
                T::put(v[n], to, at(first + n), in);
            }
        }
    }
};

// finish adds up what the warps found, after they have written it: parts are [team, rows], and
// squares the norm's, of so many warps.
MSL_FN void finish(const SliceArgs args, const Weights &weights, const Row &row, const Column &column, float *sum, float *normed, const float *bias0, const float *bias1, const float *bias2,
                   float *y0, float *y1, float *y2, const float *parts, const float *squares, int squared) {
    const int first = (int) blockIdx.x * args.rows, rows = min(args.rows, weights.total() - first);
    float scale = 1.0f;
    if (NORMED) {
        float total = 0.0f;
        for (int s = 0; s < squared; s++) total += squares[s];
        scale = rsqrt(total / args.columns + args.epsilon);
        for (int i = column.first; i < column.end; i += 32 * WARPS) {
            const bool early = i == column.first;
            const float v = early ? column.plain : row.plain(i);
            if (NORMED == 2) sum[i] = v;
            normed[i] = v * scale * ((early ? column.weight : row.weight[i]) + row.offset);
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
    unsigned *levels = (unsigned *) msl::shared();
    float *parts = (float *) (levels + (T::LEVELS ? args.in / 256 * 144 : 0)); // [team, rows]
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
    Column column(row, args.in);
    const Levels<T> making(row, T::LEVELS ? args.in : 0);
    msl::wait_for_last();
    column.read(row);

    X x[UNITS];
    if constexpr (T::LEVELS) {
        making.make(row, levels, args.in);
        __syncthreads();
#pragma unroll
        for (int c = 0; c < UNITS; c++) x[c] = T::of(levels, args.in, unit[c], real[c]);
    } else {
#pragma unroll
        for (int c = 0; c < UNITS; c++) x[c] = T::of(row, unit[c], real[c]);
    }
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
            for (int c = 0; c < UNITS; c++) sums[r] += T::dot(w[r][c], x[c], unit[c]);
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
    finish(args, weights, row, column, sum, normed, bias0, bias1, bias2, y0, y1, y2, parts, squares, T::LEVELS ? (int) WARPS : args.team);
}

template <typename Type>
MSL_FN void slice(SliceArgs &args, const float *x, const uchar *w0, const uchar *w1, const uchar *w2, const float *bias0, const float *bias1, const float *bias2,
                  float *y0, float *y1, float *y2) {
    const Weights weights(args, w0, w1, w2);
    slices<Type>(args, weights, Row(x, nullptr, nullptr, 0.0f), nullptr, nullptr, bias0, bias1, bias2, y0, y1, y2);
}

// sliced does so with the norm of x, or of x + residual, which become results, too.
template <typename Type>
MSL_FN void sliced(SliceArgs &args, const float *x, const float *residual, const float *weight, float *sum, float *normed, const uchar *w0, const uchar *w1, const uchar *w2,
                   float *y0, float *y1, float *y2) {
    const Weights weights(args, w0, w1, w2);
    slices<Type>(args, weights, Row(x, residual, weight, args.offset), sum, normed, nullptr, nullptr, nullptr, y0, y1, y2);
}

} // namespace own
