// attention_vector: softmax(q·kᵀ)·v for a few rows at a time. A block takes up to four rows
// of a key and value head and all columns, 256 keys after the other: first all warps
// compute the scores of these, then a warp a row makes weights of them, then all warps
// add up the values. LANES lanes share a key, so that a warp reads several keys at once,
// and the reads of several steps are under way together.
//
// Rows, scores and results are those of attention.metal. Queries come from a struct:
//
//     value(place, column)   a column of a head; place counts heads, query by query
//     fetch(span, group)     what a block does before the kernel ahead has ended
//     prepare(span, group)   what else it does before it reads keys

#undef MSL_BOUNDS
#define MSL_BOUNDS __launch_bounds__(512, 1)

namespace own {

enum {
    VECTORS = (FC_attention_size + 3) / 4, // of four columns
    LANES = VECTORS >= 32 ? 16 : VECTORS >= 16 ? 8 : VECTORS >= 8 ? 4 : VECTORS >= 4 ? 2 : 1,
    OWN_VECTORS = (VECTORS + LANES - 1) / LANES, // of a lane
    AT_ONCE = 32 / LANES,                        // keys of a warp
    CHUNK = 256,                                 // keys
    HEAD_ROWS = FC_attention_rows > 0 ? FC_attention_rows : 1,
    PADDED = VECTORS * 4,
};

MSL_FN float4 times(float4 a, float b) { return float4(a.x * b, a.y * b, a.z * b, a.w * b); }

// key_or_value reads the vectors of a lane; those past the head's columns are zeros.
template <typename Cache> MSL_FN void key_or_value(const uchar *row, int head_column, int part, float4 (&v)[OWN_VECTORS]) {
#pragma unroll
    for (int i = 0; i < OWN_VECTORS; i++) {
        const int c = 4 * (part + i * LANES);
        v[i] = c < FC_attention_size ? attention_four<Cache>(row, head_column + c, head_column + FC_attention_size) : float4(0.0f);
    }
}

struct PlainQueries {
    enum { EARLY = 0 };
    const float *q;
    MSL_FN float value(ulong place, int column) const { return q[place * FC_attention_size + column]; }
    MSL_FN void fetch(const AttentionSpan &, uint3) const {}
    MSL_FN void prepare(const AttentionSpan &, uint3) const {}
};

template <typename Cache, typename Queries>
MSL_FN void attend_rows(AttentionArgs &args, const Queries &from, const uchar *keys, const uchar *values, const int *starts, const float *bias, float *out,
                        float *shared, uint3 group, uint3 groups, uint3 group_size, ushort index, ushort lane, ushort warp, ushort warps) {
    float *queries = shared;                     // [rows, PADDED], scaled
    float *scores = queries + HEAD_ROWS * PADDED; // [rows, CHUNK], then weights
    float *factors = scores + HEAD_ROWS * CHUNK;  // [rows, 4]: of the sums so far, largest score, total
    float *sums = factors + HEAD_ROWS * 4;        // [warps, rows, PADDED]
    if (Queries::EARLY) from.fetch(attention_span(args, starts, attention_row(args, group.y, (int) group.x * HEAD_ROWS).query, group.z), group);
    msl::wait_for_last();

    AttentionRow rows[HEAD_ROWS];
    AttentionSpan spans[HEAD_ROWS];
    int end = 0;
#pragma unroll
    for (int r = 0; r < HEAD_ROWS; r++) {
        rows[r] = attention_row(args, group.y, (int) group.x * HEAD_ROWS + r);
        spans[r] = attention_span(args, starts, rows[r].query, group.z);
        end = spans[r].to;
        const ulong place = (ulong) rows[r].query * args.heads + rows[r].head;
        for (int c = index; c < PADDED; c += group_size.x) queries[r * PADDED + c] = c < FC_attention_size ? from.value(place, c) * args.scale : 0.0f;
    }
    from.prepare(spans[0], group);
    __syncthreads();

    const int head_column = (int) group.y * FC_attention_size;
    const ulong row_bytes = Cache::bytes(args.heads / args.group * FC_attention_size);
    const int part = lane % LANES, place = warp * AT_ONCE + lane / LANES, step = warps * AT_ONCE;
    float4 sum[HEAD_ROWS][OWN_VECTORS];
#pragma unroll
    for (int r = 0; r < HEAD_ROWS; r++)
#pragma unroll
        for (int i = 0; i < OWN_VECTORS; i++) sum[r][i] = float4(0.0f);

    for (int first = spans[0].from; first < end; first += CHUNK) {
        const int count = min((int) CHUNK, end - first);
#pragma unroll 4
        for (int at = 0; at < count; at += step) { // the same number of times in all lanes, which shuffle
            const int k = at + place;
            float4 key[OWN_VECTORS];
            key_or_value<Cache>(keys + (first + min(k, count - 1)) * row_bytes, head_column, part, key);
            float product[HEAD_ROWS];
#pragma unroll
            for (int r = 0; r < HEAD_ROWS; r++) {
                product[r] = 0.0f;
#pragma unroll
                for (int i = 0; i < OWN_VECTORS; i++) {
                    const int c = 4 * (part + i * LANES);
                    if (c < PADDED) product[r] = multiply_add(*(const float4 *) (queries + r * PADDED + c), key[i], product[r]);
                }
#pragma unroll
                for (int other = LANES / 2; other > 0; other /= 2) product[r] += __shfl_xor_sync(MSL_ALL, product[r], other);
            }
#pragma unroll
            for (int r = 0; r < HEAD_ROWS; r++) {
                if (part == r % LANES && k < count) {
                    const bool seen = first + k >= spans[r].from && first + k < spans[r].to;
                    scores[r * CHUNK + k] = seen ? attention_score(args, bias, rows[r], first + k, product[r]) : -FLT_MAX;
                }
            }
        }
        __syncthreads();
#pragma unroll
        for (int r = 0; r < HEAD_ROWS; r++) {
            if (warp == r % warps) {
                const bool begun = first > spans[0].from;
                const float before = begun ? factors[r * 4 + 1] : -FLT_MAX;
                float here = -FLT_MAX;
                for (int k = lane; k < count; k += 32) here = max(here, scores[r * CHUNK + k]);
                const float highest = max(before, simd_max(here));
                float of_lane = 0.0f;
                for (int k = lane; k < count; k += 32) {
                    const bool seen = first + k >= spans[r].from && first + k < spans[r].to;
                    const float w = seen ? exp(scores[r * CHUNK + k] - highest) : 0.0f;
                    scores[r * CHUNK + k] = w;
                    of_lane += w;
                }
                const float less = exp(before - highest);
                const float all = (begun ? factors[r * 4 + 2] * less : 0.0f) + simd_sum(of_lane);
                __syncwarp();
                if (lane == 0) {
                    factors[r * 4] = less;
                    factors[r * 4 + 1] = highest;
                    factors[r * 4 + 2] = all;
                }
            }
        }
        __syncthreads();
#pragma unroll
        for (int r = 0; r < HEAD_ROWS; r++)
#pragma unroll
            for (int i = 0; i < OWN_VECTORS; i++) sum[r][i] = times(sum[r][i], factors[r * 4]);
#pragma unroll 4
        for (int k = place; k < count; k += step) {
            float4 value[OWN_VECTORS];
            key_or_value<Cache>(values + (first + k) * row_bytes, head_column, part, value);
#pragma unroll
            for (int r = 0; r < HEAD_ROWS; r++)
#pragma unroll
                for (int i = 0; i < OWN_VECTORS; i++) sum[r][i] = fma(float4(scores[r * CHUNK + k]), value[i], sum[r][i]);
        }
        __syncthreads(); // the weights have been read
    }

#pragma unroll
    for (int r = 0; r < HEAD_ROWS; r++)
#pragma unroll
        for (int i = 0; i < OWN_VECTORS; i++) {
            float4 v = sum[r][i];
#pragma unroll
            for (int other = LANES; other < 32; other *= 2) {
                v.x += __shfl_xor_sync(MSL_ALL, v.x, other);
                v.y += __shfl_xor_sync(MSL_ALL, v.y, other);
                v.z += __shfl_xor_sync(MSL_ALL, v.z, other);
                v.w += __shfl_xor_sync(MSL_ALL, v.w, other);
            }
            const int c = 4 * (part + i * LANES);
            if (lane < LANES && c < PADDED) *(float4 *) (sums + (warp * HEAD_ROWS + r) * PADDED + c) = v;
        }
    __syncthreads();
    for (int n = index; n < HEAD_ROWS * VECTORS; n += group_size.x) {
        const int r = n / VECTORS, c = n % VECTORS * 4;
        const AttentionRow row = attention_row(args, group.y, (int) group.x * HEAD_ROWS + r);
        if (!row.real) continue;
        float4 v = float4(0.0f);
        for (int w = 0; w < warps; w++) {
            const float4 of_warp = *(const float4 *) (sums + (w * HEAD_ROWS + r) * PADDED + c);
            v = float4(v.x + of_warp.x, v.y + of_warp.y, v.z + of_warp.z, v.w + of_warp.w);
        }
        const bool any = spans[0].from < end;
        const ulong place = attention_place(args, row, group.z);
        attention_put(out, place, c, times(v, FC_attention_split ? 1.0f : 1.0f / factors[r * 4 + 2]));
        if (FC_attention_split && c == 0) attention_put_total(args, out, groups.z, place, any ? factors[r * 4 + 1] : -FLT_MAX, any ? factors[r * 4 + 2] : 0.0f);
    }
}

template <typename Cache, int>
MSL_FN void attention_vector(AttentionArgs &args, const float *q, const uchar *keys, const uchar *values, const int *starts, const float *bias, float *out,
                             float *shared, uint3 group, uint3 groups, uint3 group_size, ushort index, ushort lane, ushort warp, ushort warps) {
    attend_rows<Cache>(args, PlainQueries{q}, keys, values, starts, bias, out, shared, group, groups, group_size, index, lane, warp, warps);
}

} // namespace own
