// attend: what one new token does with its heads, together: the queries are rotated, the key
// and the value go to the caches, the key rotated, and then attention_vector. All blocks of a
// key and value head write its part of the new rows, to the same bits: each reads what it wrote.
// Queries that are rotated are a result, too.
//
// TURNED is a constant: there is a rotation.

namespace own {

struct AttendArgs { // those of the kernels that it stands in for
    AttentionArgs attention;
    CacheArgs cache;
    RoPEArgs rotation;
};

// own_column returns the first column that this thread puts into a cache. Keys and values
// begin with other warps than queries, so that their memory is read at the same time.
MSL_FN int own_column(int behind) { return (int) (threadIdx.x + behind * ((FC_attention_size + 31) / 32 * 32 * (blockDim.x - 1) % blockDim.x)) % (int) blockDim.x; }

// put writes columns of one head, from this thread's first on, to a row of a cache, whose head
// begins with head_column.
template <typename T, typename Value> MSL_FN void put_plain(T *row, int head_column, int first, Value value) {
    for (int c = first; c < FC_attention_size; c += blockDim.x) row[head_column + c] = T(value(c));
}
template <typename Value> MSL_FN void put(CacheF32, uchar *row, int head_column, int first, Value value) { put_plain((float *) row, head_column, first, value); }
template <typename Value> MSL_FN void put(CacheF16, uchar *row, int head_column, int first, Value value) { put_plain((half *) row, head_column, first, value); }
template <typename Value> MSL_FN void put(CacheQ8_0, uchar *row, int head_column, int first, Value value) { // as cache_q8_0 does
    for (int c = first; c < FC_attention_size; c += blockDim.x) { // a multiple of 32, and so all lanes or none
        uchar *to = row + (head_column + c) / 32 * 34;
        const float x = value(c);
        const float d = as_type<float>(simd_max(as_type<uint>(x) & 0x7fffffffu)) / 127.0f;
        const float level = x * (d < 1.2e-38f ? 0.0f : 1.0f / d);
        const int whole = int(level);
        to[2 + c % 32] = uchar(whole + int(2.0f * (level - float(whole))));
        if (c % 32 == 0) *(half *) to = half(d);
    }
}

enum { FETCHED = 512 }; // rows
MSL_FN void fetch_line(const void *at) { asm volatile("prefetch.global.L2 [%0];" : : "l"(at)); }

template <typename Cache> struct NewQueries {
    enum { EARLY = 1 };
    AttendArgs &args;
    const float *q, *k, *v;
    uchar *keys, *values;
    const int *positions;
    float *frequencies, *turned;

    MSL_FN float turn(const float *row, int column) const { return TURNED ? rotated(args.rotation, row, column, positions[0], frequencies) : row[column]; }
    MSL_FN float value(ulong place, int column) const {
        const int at = (int) place * FC_attention_size + column;
        const float y = turn(q, at);
        if (TURNED && blockIdx.z == 0) turned[at] = y;
        return y;
    }
    // fetch brings the rows of earlier tokens, and the angles, to the second cache, which has no
    // other copy of them that could be older. The kernel ahead may still be writing the new row.
    MSL_FN void fetch(const AttentionSpan &span, uint3 group) const {
        enum { SPAN = 128 };
        const ulong row_bytes = Cache::bytes(args.cache.columns), first = Cache::bytes((int) group.y * FC_attention_size);
        const int pieces = (int) (Cache::bytes(FC_attention_size) + 2 * SPAN - 1) / SPAN, rows = min(span.to, (int) args.cache.past) - span.from;
        for (int i = threadIdx.x; i < min(rows, (int) FETCHED) * pieces * 2; i += blockDim.x) {
            const uchar *at = (i & 1 ? values : keys) + (span.from + i / 2 / pieces) * row_bytes + first + min(i / 2 % pieces * SPAN, (int) Cache::bytes(FC_attention_size) - 1);
            fetch_line(at);
        }
        if (TURNED) {
            if (threadIdx.x == 0) fetch_line(positions);
            for (int i = threadIdx.x * (SPAN / 4); i < args.rotation.pairs; i += blockDim.x * (SPAN / 4)) fetch_line(frequencies + i);
        }
    }
    MSL_FN void prepare(const AttentionSpan &span, uint3 group) const {
        if (span.to != args.cache.past + 1) return; // of another range of keys
        const int head = (int) group.y * FC_attention_size;
        const ulong row = args.cache.past * Cache::bytes(args.cache.columns);
        put(Cache(), keys + row, head, own_column(1), [&](int c) { return turn(k, head + c); });
        put(Cache(), values + row, head, own_column(2), [&](int c) { return v[head + c]; });
    }
};

template <typename Cache, int>
MSL_FN void attend(AttendArgs &args, const float *q, uchar *keys, uchar *values, const int *starts, const float *bias, float *out, const float *k, const float *v,
                   const int *positions, float *frequencies, float *turned, float *shared, uint3 group, uint3 groups, uint3 group_size,
                   ushort index, ushort lane, ushort warp, ushort warps) {
    attend_rows<Cache>(args.attention, NewQueries<Cache>{args, q, k, v, keys, values, positions, frequencies, turned}, keys, values, starts, bias, out,
                       shared, group, groups, group_size, index, lane, warp, warps);
}

} // namespace own
