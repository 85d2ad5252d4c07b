// attention_matrix: softmax(q·kᵀ)·v for many rows, over a cache of halves, on the tensor
// cores. A block of 4 warps takes 64 rows of a key and value head, and 64 keys in each
// step; a warp has 16 of the rows. Keys and values of the next step are copied meanwhile.
//
// The tensor cores take halves: q and the weights are the sums of two halves each, so
// that only the cache's own type costs digits. Before, each row of q is multiplied with
// a power of two that brings its largest value to the upper end of what a half holds.
//
// Keys and values in F32 come as sums of two halves, as pack makes them: two matrices, and
// behind them the unit of each row. Those of the values become part of the weights.
//
// Rows, scores and results are those of attention.metal.

#undef MSL_BOUNDS
#define MSL_BOUNDS __launch_bounds__(128, FC_attention_size > 0 && FC_attention_size <= 64 ? 4 : 2)

namespace own {

enum {
    SIZE = FC_attention_size > 0 ? FC_attention_size : 16, // columns of a head, a multiple of 16
    STRIDE = SIZE + 8,                                     // halves of a line; eight lines lie in different banks
    ROWS = 64, THREADS = 128,
    PIECES = SIZE / 8, // of 16 bytes, of a line
};

// Tile says what of the keys and values comes at a time: so much that all cards since Ampere
// have room for it.
template <typename Cache> struct Tile { enum { PARTS = 1, KEYS = SIZE > 96 ? 32 : 64 }; };
template <> struct Tile<CacheF32> { enum { PARTS = 2, KEYS = SIZE > 48 ? 32 : 64 }; };

MSL_FN void copy4(float *to, const float *from, int bytes) {
    const unsigned at = (unsigned) __cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" : : "r"(at), "l"(from), "r"(bytes) : "memory");
}

struct Four { unsigned a, b, c, d; };

MSL_FN void copy16(half *to, const uchar *from, int bytes) { // zeros past the bytes
    const unsigned at = (unsigned) __cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(at), "l"(from), "r"(bytes) : "memory");
}

MSL_FN Four four_matrices(const half *from) { // 8x8 each, of which this lane names a row
    const unsigned at = (unsigned) __cvta_generic_to_shared(from);
    Four f;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(f.a), "=r"(f.b), "=r"(f.c), "=r"(f.d) : "r"(at) : "memory");
    return f;
}

MSL_FN Four four_transposed(const half *from) {
    const unsigned at = (unsigned) __cvta_generic_to_shared(from);
    Four f;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(f.a), "=r"(f.b), "=r"(f.c), "=r"(f.d) : "r"(at) : "memory");
    return f;
}

MSL_FN void multiply(float (&sum)[4], const Four &a, unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]) : "r"(a.a), "r"(a.b), "r"(a.c), "r"(a.d), "r"(b0), "r"(b1));
}

MSL_FN unsigned two_halves(float a, float b) { return half(a).v | (unsigned) half(b).v << 16; }
MSL_FN float less_half(float a) { return a - float(half(a)); } // what a half leaves

// pack_queries puts the rows of a block into shared memory as two halves each. A warp
// takes its own rows, of which it reads as many at once as registers hold. It returns the
// units of the two whose results this lane has.
MSL_FN void pack_queries(AttentionArgs &args, const float *q, half *queries, int kv_head, int first_row, int warp, int lane, float (&units)[2]) {
    enum { PIECES = (SIZE + 31) / 32, TOGETHER = SIZE > 64 ? 4 : 8 };
#pragma unroll 1
    for (int first = 0; first < 16; first += TOGETHER) {
        float v[TOGETHER][PIECES];
#pragma unroll
        for (int r = 0; r < TOGETHER; r++) {
            const AttentionRow row = attention_row(args, kv_head, first_row + first + r);
            const float *from = q + ((ulong) row.query * args.heads + row.head) * SIZE;
#pragma unroll
            for (int i = 0; i < PIECES; i++) v[r][i] = lane + 32 * i < SIZE ? from[lane + 32 * i] * args.scale : 0.0f;
        }
#pragma unroll
        for (int r = 0; r < TOGETHER; r++) {
            float m = 0.0f;
#pragma unroll
            for (int i = 0; i < PIECES; i++) m = fabsf(v[r][i]) < FLT_MAX ? max(m, fabsf(v[r][i])) : m;
            const int exponent = max((int) (__float_as_uint(simd_max(m)) >> 23) - 127, -100);
            const float scale = power_of_two(14 - exponent);
            if (first + r == lane / 4) units[0] = power_of_two(exponent - 14);
            if (first + r == lane / 4 + 8) units[1] = power_of_two(exponent - 14);
            half *to = queries + (16 * warp + first + r) * STRIDE;
#pragma unroll
            for (int i = 0; i < PIECES; i++) {
                const int c = lane + 32 * i;
                if (c < SIZE) {
                    const float scaled = v[r][i] * scale;
                    to[c] = half(scaled);
                    to[ROWS * STRIDE + c] = half(fabsf(scaled) < FLT_MAX ? less_half(scaled) : 0.0f);
                }
            }
        }
    }
}

template <typename Cache, typename T, int, int>
MSL_FN void attention_matrix(AttentionArgs &args, const float *q, const uchar *keys, const uchar *values, const int *starts,
                             const float *bias, float *out, float *shared, uint3 group, uint3 groups, ushort index, ushort lane, ushort warp) {
    half *queries = (half *) shared;                  // [2, ROWS, STRIDE]
    enum { PARTS = Tile<Cache>::PARTS, KEYS = Tile<Cache>::KEYS, LINES = 2 * PARTS * KEYS };
    half *tiles = queries + 2 * ROWS * STRIDE;        // [2, keys and values, PARTS, KEYS, STRIDE]
    __shared__ float key_units[2][KEYS], value_units[2][KEYS];
    const float LARGE = 1024.0f;                      // of the weights, so that small ones keep their digits as halves
    msl::wait_for_last();
    const int kv_head = group.y, range = group.z, first_row = (int) group.x * ROWS + 16 * warp;
    const ulong row_bytes = 2ul * (args.heads / args.group) * SIZE, head = 2ul * kv_head * SIZE, matrix = args.keys * row_bytes;
    const int begin = attention_span(args, starts, attention_row(args, kv_head, (int) group.x * ROWS).query, range).from;
    const int end = attention_span(args, starts, attention_row(args, kv_head, (int) group.x * ROWS + ROWS - 1).query, range).to;

    auto copy = [&](int key, int turn) {
        if (key < end) {
#pragma unroll 4
            for (int i = index; i < LINES * PIECES; i += THREADS) {
                const int line = i / PIECES, piece = i % PIECES, k = key + line % KEYS;
                const uchar *from = (line < PARTS * KEYS ? keys : values) + line / KEYS % PARTS * matrix + head + piece * 16;
                copy16(tiles + (turn * LINES + line) * STRIDE + 8 * piece, k < end ? from + k * row_bytes : from, k < end ? 16 : 0);
            }
            if (PARTS > 1 && index < 2 * KEYS) {
                const int k = key + index % KEYS;
                const float *from = (const float *) ((index < KEYS ? keys : values) + PARTS * matrix);
                copy4((index < KEYS ? key_units : value_units)[turn] + index % KEYS, from + (k < end ? k : 0), k < end ? 4 : 0);
            }
        }
        asm volatile("cp.async.commit_group;" : : : "memory");
    };
    copy(begin, 0);

    AttentionRow rows[2];
    AttentionSpan spans[2];
    float units[2], top[2], total[2];
#pragma unroll
    for (int r = 0; r < 2; r++) {
        rows[r] = attention_row(args, kv_head, first_row + lane / 4 + 8 * r);
        spans[r] = attention_span(args, starts, rows[r].query, range);
        units[r] = total[r] = 0.0f;
        top[r] = -FLT_MAX;
    }
    pack_queries(args, q, queries, kv_head, first_row, warp, lane, units);
    float sums[SIZE / 8][4];
#pragma unroll
    for (int j = 0; j < SIZE / 8; j++)
#pragma unroll
        for (int n = 0; n < 4; n++) sums[j][n] = 0.0f;

    float value_unit = 0.0f; // of the sums
    for (int key = begin, turn = 0; key < end; key += KEYS, turn ^= 1) {
        copy(key + KEYS, turn ^ 1);
        asm volatile("cp.async.wait_group 1;" : : : "memory");
        __syncthreads(); // the copies of all are there
        const half *k_tile = tiles + turn * LINES * STRIDE, *v_tile = k_tile + PARTS * KEYS * STRIDE;

        float score[KEYS / 8][4];
#pragma unroll
        for (int j = 0; j < KEYS / 8; j++)
#pragma unroll
            for (int n = 0; n < 4; n++) score[j][n] = 0.0f;
#pragma unroll
        for (int c = 0; c < SIZE / 16; c++) {
            Four x[2];
#pragma unroll
            for (int p = 0; p < 2; p++) x[p] = four_matrices(queries + (p * ROWS + 16 * warp + (lane & 15)) * STRIDE + 16 * c + (lane >> 4) * 8);
#pragma unroll
            for (int j = 0; j < KEYS / 16; j++) {
#pragma unroll
                for (int n = PARTS - 1; n >= 0; n--) {
                    const Four k = four_matrices(k_tile + (n * KEYS + 16 * j + (lane & 7) + (lane >> 4) * 8) * STRIDE + 16 * c + (lane >> 3 & 1) * 8);
#pragma unroll
                    for (int p = 1; p >= 0; p--) {
                        if (p > 0 && n > 0) continue; // too small to matter
                        multiply(score[2 * j], x[p], k.a, k.b);
                        multiply(score[2 * j + 1], x[p], k.c, k.d);
                    }
                }
            }
        }

        float grown = 1.0f; // of the values' unit
        if (PARTS > 1) {
            float unit = 0.0f;
            for (int i = lane; i < KEYS; i += 32) unit = max(unit, value_units[turn][i]);
            unit = max(value_unit, simd_max(unit));
            grown = value_unit / unit;
            value_unit = unit;
        }
        const float larger = PARTS > 1 ? LARGE / value_unit : LARGE; // units are powers of two
        float less[2];
#pragma unroll
        for (int r = 0; r < 2; r++) {
            float highest = top[r];
#pragma unroll
            for (int j = 0; j < KEYS / 8; j++)
#pragma unroll
                for (int n = 0; n < 2; n++) {
                    const int at = key + 8 * j + lane % 4 * 2 + n;
                    const bool seen = at >= spans[r].from && at < spans[r].to;
                    float &s = score[j][2 * r + n];
                    s = seen ? attention_score(args, bias, rows[r], at, s * units[r] * (PARTS > 1 ? key_units[turn][at - key] : 1.0f)) : -FLT_MAX;
                    highest = max(highest, s);
                }
            highest = max(highest, __shfl_xor_sync(MSL_ALL, highest, 1));
            highest = max(highest, __shfl_xor_sync(MSL_ALL, highest, 2));
            less[r] = exp(top[r] - highest);
            total[r] *= less[r];
            top[r] = highest;
#pragma unroll
            for (int j = 0; j < KEYS / 8; j++)
#pragma unroll
                for (int n = 0; n < 2; n++) {
                    const int at = key + 8 * j + lane % 4 * 2 + n;
                    const bool seen = at >= spans[r].from && at < spans[r].to;
                    float &s = score[j][2 * r + n];
                    s = seen ? exp(s - highest) : 0.0f;
                    total[r] += s;
                    s *= PARTS > 1 ? value_units[turn][at - key] * larger : LARGE;
                }
        }
#pragma unroll
        for (int j = 0; j < SIZE / 8; j++)
#pragma unroll
            for (int n = 0; n < 4; n++) sums[j][n] *= less[n / 2] * grown;

#pragma unroll
        for (int k = 0; k < KEYS / 16; k++) {
            Four w[2]; // the weights of 16 keys
            const float *a = score[2 * k], *b = score[2 * k + 1];
            w[0] = Four{two_halves(a[0], a[1]), two_halves(a[2], a[3]), two_halves(b[0], b[1]), two_halves(b[2], b[3])};
            w[1] = Four{two_halves(less_half(a[0]), less_half(a[1])), two_halves(less_half(a[2]), less_half(a[3])),
                        two_halves(less_half(b[0]), less_half(b[1])), two_halves(less_half(b[2]), less_half(b[3]))};
#pragma unroll
            for (int j = 0; j < SIZE / 16; j++) {
#pragma unroll
                for (int n = PARTS - 1; n >= 0; n--) {
                    const Four v = four_transposed(v_tile + (n * KEYS + 16 * k + (lane & 15)) * STRIDE + 16 * j + (lane >> 4) * 8);
#pragma unroll
                    for (int p = 1; p >= 0; p--) {
                        if (p > 0 && n > 0) continue;
                        multiply(sums[2 * j], w[p], v.a, v.b);
                        multiply(sums[2 * j + 1], w[p], v.c, v.d);
                    }
                }
            }
        }
        __syncthreads(); // the tile has been read
    }

#pragma unroll
    for (int r = 0; r < 2; r++) {
        total[r] += __shfl_xor_sync(MSL_ALL, total[r], 1);
        total[r] += __shfl_xor_sync(MSL_ALL, total[r], 2);
        if (!rows[r].real) continue;
        const ulong place = attention_place(args, rows[r], range);
        const float unit = PARTS > 1 ? value_unit / LARGE : 1.0f / LARGE, by = FC_attention_split ? unit : unit / total[r];
        float *to = out + place * SIZE + lane % 4 * 2;
#pragma unroll
        for (int j = 0; j < SIZE / 8; j++) *(float2 *) (to + 8 * j) = float2(sums[j][2 * r] * by, sums[j][2 * r + 1] * by);
        if (FC_attention_split && lane % 4 == 0) attention_put_total(args, out, groups.z, place, top[r], total[r]);
    }
}

} // namespace own
