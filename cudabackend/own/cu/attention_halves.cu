// attention_halves: attention_matrix over queries, keys and values that their products left as
// halves (Halves of product_outputs.cu): within their texts, as of encoders. All of it is one
// half, since what was rounded on its way to the products has no more digits.
//
// Scores and weights are powers of two, so that a weight is one instruction.

namespace own {

struct AttentionHalvesArgs { AttentionArgs attention; int block; }; // block: columns that share a unit

const float LOG2E = 1.44269504f;

MSL_FN float power(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// text_of returns which text a row belongs to. All lanes ask for the same row.
MSL_FN int text_of(const AttentionArgs &args, const int *starts, int row, int lane) {
    int text = 0, texts = args.texts; // it is one of so many, from that one on
    while (texts > 1) {
        const int apart = (texts + 31) / 32, at = text + lane * apart;
        const bool begun = lane * apart < texts && starts[at] <= row;
        const int before = apart * (__popc(__ballot_sync(MSL_ALL, begun)) - 1);
        text += before;
        texts = min(apart, texts - before);
    }
    return text;
}

// Texts are those of a block's rows, or the first of them: a lane has a start.
struct Texts {
    int first, start, count; // count: of those that begin behind the first, up to a row

    MSL_FN Texts(const AttentionArgs &args, const int *starts, int first_row, int last_row, int lane) : first(text_of(args, starts, first_row, lane)) {
        start = starts[min(first + lane, args.texts)];
        count = __popc(__ballot_sync(MSL_ALL, lane > 0 && first + lane < args.texts && start <= last_row));
    }

    // span returns the keys that a row of the block sees.
    MSL_FN AttentionSpan span(const AttentionArgs &args, const int *starts, int row) const {
        int from = __shfl_sync(MSL_ALL, start, 0), to = __shfl_sync(MSL_ALL, start, 1);
        for (int n = 1; n <= count; n++) {
            const int next = __shfl_sync(MSL_ALL, start, n), behind = n < 31 ? __shfl_sync(MSL_ALL, start, n + 1) : starts[min(first + 32, args.texts)];
            if (next <= row) {
                from = next;
                to = behind;
            }
        }
        if (count == 31) { // there may be more
            for (int text = first + 32; text < args.texts && starts[text] <= row; text++) {
                from = starts[text];
                to = starts[text + 1];
            }
        }
        return AttentionSpan{max(from, row - args.window), min(to, row + args.after + 1)};
    }
};

template <typename Cache, typename T, int, int>
MSL_FN void attention_halves(AttentionHalvesArgs &all, const half *q, const half *keys, const half *values, const int *starts, const float *bias, float *out,
                             float *shared, uint3 group, uint3 groups, ushort index, ushort lane, ushort warp) {
    enum { KEYS = SIZE > 96 ? 32 : 64, LINES = 2 * KEYS };
    AttentionArgs &args = all.attention;
    half *queries = (half *) shared;            // [ROWS, STRIDE]
    half *tiles = queries + ROWS * STRIDE;      // [2, keys and values, KEYS, STRIDE]
    __shared__ float key_units[2][KEYS], value_units[2][KEYS];
    const float LARGE = 1024.0f;                // of the weights, so that small ones keep their digits as halves
    msl::wait_for_last();
    const int kv_head = group.y, first_row = (int) group.x * ROWS + 16 * warp, q_columns = args.heads * SIZE, columns = q_columns / args.group;
    const int first_query = attention_row(args, kv_head, (int) group.x * ROWS).query, last_query = attention_row(args, kv_head, (int) group.x * ROWS + ROWS - 1).query;
    const Texts texts(args, starts, first_query, last_query, lane);
    const int begin = texts.span(args, starts, first_query).from, end = texts.span(args, starts, last_query).to;
    const long key_unit = (long) (kv_head * SIZE / all.block) * args.keys;
    const float *all_key_units = (const float *) (keys + (long) args.keys * columns) + key_unit, *all_value_units = (const float *) (values + (long) args.keys * columns) + key_unit;

    auto copy = [&](int key, int turn) {
        if (key < end) {
#pragma unroll 4
            for (int i = index; i < LINES * PIECES; i += THREADS) {
                const int line = i / PIECES, piece = i % PIECES, k = key + line % KEYS;
                const half *from = (line < KEYS ? keys : values) + kv_head * SIZE + piece * 8;
                copy16(tiles + (turn * LINES + line) * STRIDE + 8 * piece, (const uchar *) (k < end ? from + (long) k * columns : from), k < end ? 16 : 0);
            }
            if (index < 2 * KEYS) {
                const int k = key + index % KEYS;
                copy4((index < KEYS ? key_units : value_units)[turn] + index % KEYS, (index < KEYS ? all_key_units : all_value_units) + (k < end ? k : 0), k < end ? 4 : 0);
            }
        }
        asm volatile("cp.async.commit_group;" : : : "memory");
    };
#pragma unroll 4
    for (int i = index; i < ROWS * PIECES; i += THREADS) {
        const AttentionRow row = attention_row(args, kv_head, (int) group.x * ROWS + i / PIECES);
        copy16(queries + i / PIECES * STRIDE + 8 * (i % PIECES), (const uchar *) (q + (long) row.query * q_columns + row.head * SIZE + 8 * (i % PIECES)), 16);
    }
    copy(begin, 0);

    const bool plain = FC_attention_cap == 0 && FC_attention_bias == NO_BIAS;
    AttentionRow rows[2];
    AttentionSpan spans[2];
    float units[2], top[2], total[2];
#pragma unroll
    for (int r = 0; r < 2; r++) {
        rows[r] = attention_row(args, kv_head, first_row + lane / 4 + 8 * r);
        spans[r] = texts.span(args, starts, rows[r].query);
        const float unit = ((const float *) (q + (long) args.queries * q_columns))[(long) (rows[r].head * SIZE / all.block) * args.queries + rows[r].query];
        units[r] = unit * args.scale * (plain ? LOG2E : 1.0f);
        total[r] = 0.0f;
        top[r] = -FLT_MAX;
    }
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
        const half *k_tile = tiles + turn * LINES * STRIDE, *v_tile = k_tile + KEYS * STRIDE;

        float score[KEYS / 8][4];
#pragma unroll
        for (int j = 0; j < KEYS / 8; j++)
#pragma unroll
            for (int n = 0; n < 4; n++) score[j][n] = 0.0f;
#pragma unroll
        for (int c = 0; c < SIZE / 16; c++) {
            const Four x = four_matrices(queries + (16 * warp + (lane & 15)) * STRIDE + 16 * c + (lane >> 4) * 8);
#pragma unroll
            for (int j = 0; j < KEYS / 16; j++) {
                const Four k = four_matrices(k_tile + (16 * j + (lane & 7) + (lane >> 4) * 8) * STRIDE + 16 * c + (lane >> 3 & 1) * 8);
                multiply(score[2 * j], x, k.a, k.b);
                multiply(score[2 * j + 1], x, k.c, k.d);
            }
        }

        float unit = 0.0f;
        for (int i = lane; i < KEYS; i += 32) unit = max(unit, value_units[turn][i]);
        unit = max(value_unit, simd_max(unit));
        const float grown = value_unit * reciprocal(unit), larger = LARGE * reciprocal(unit); // units are powers of two
        value_unit = unit;
        const bool whole = __all_sync(MSL_ALL, max(spans[0].from, spans[1].from) <= key && min(spans[0].to, spans[1].to) >= key + KEYS);
        float less[2];
#pragma unroll
        for (int r = 0; r < 2; r++) {
            float highest = top[r];
            // scores computes the scores of what a row sees: all of the keys, or some
            auto scores = [&](auto sees) {
#pragma unroll
                for (int j = 0; j < KEYS / 8; j++) {
                    const float2 by = *(const float2 *) (key_units[turn] + 8 * j + lane % 4 * 2);
#pragma unroll
                    for (int n = 0; n < 2; n++) {
                        const int at = key + 8 * j + lane % 4 * 2 + n;
                        float &s = score[j][2 * r + n];
                        s *= units[r] * (n == 0 ? by.x : by.y);
                        if (!plain) s = attention_score(args, bias, rows[r], at, s) * LOG2E;
                        s = sees(at) ? s : -FLT_MAX;
                        highest = max(highest, s);
                    }
                }
            };
            if (whole) {
                scores([](int) { return true; });
            } else {
                scores([&](int at) { return at >= spans[r].from && at < spans[r].to; });
            }
            highest = max(highest, __shfl_xor_sync(MSL_ALL, highest, 1));
            highest = max(highest, __shfl_xor_sync(MSL_ALL, highest, 2));
            less[r] = power(top[r] - highest);
            total[r] *= less[r];
            top[r] = highest;
            const float least = highest == -FLT_MAX ? 0.0f : highest; // where a row sees none, all weights are 0
#pragma unroll
            for (int j = 0; j < KEYS / 8; j++) {
                const float2 by = *(const float2 *) (value_units[turn] + 8 * j + lane % 4 * 2);
#pragma unroll
                for (int n = 0; n < 2; n++) {
                    float &s = score[j][2 * r + n];
                    s = power(s - least);
                    total[r] += s;
                    s *= (n == 0 ? by.x : by.y) * larger;
                }
            }
        }
#pragma unroll
        for (int j = 0; j < SIZE / 8; j++)
#pragma unroll
            for (int n = 0; n < 4; n++) sums[j][n] *= less[n / 2] * grown;

#pragma unroll
        for (int k = 0; k < KEYS / 16; k++) {
            const float *a = score[2 * k], *b = score[2 * k + 1]; // the weights of 16 keys
            const Four w{halves_of(a[0], a[1]), halves_of(a[2], a[3]), halves_of(b[0], b[1]), halves_of(b[2], b[3])};
#pragma unroll
            for (int j = 0; j < SIZE / 16; j++) {
                const Four v = four_transposed(v_tile + (16 * k + (lane & 15)) * STRIDE + 16 * j + (lane >> 4) * 8);
                multiply(sums[2 * j], w, v.a, v.b);
                multiply(sums[2 * j + 1], w, v.c, v.d);
            }
        }
        __syncthreads(); // the tile has been read
    }

#pragma unroll
    for (int r = 0; r < 2; r++) {
        total[r] += __shfl_xor_sync(MSL_ALL, total[r], 1);
        total[r] += __shfl_xor_sync(MSL_ALL, total[r], 2);
        if (!rows[r].real) continue;
        const float by = value_unit / LARGE / total[r];
        float *to = out + attention_place(args, rows[r], 0) * SIZE + lane % 4 * 2;
#pragma unroll
        for (int j = 0; j < SIZE / 8; j++) *(float2 *) (to + 8 * j) = float2(sums[j][2 * r] * by, sums[j][2 * r + 1] * by);
    }
}

} // namespace own
