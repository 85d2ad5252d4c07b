// attention_matrix: softmax(q·kᵀ)·v for eight rows at a time, by 8×8 matrices. A
// threadgroup of 4 simdgroups takes eight rows of a key and value head, and 32 keys
// in each step. Each simdgroup computes the scores of eight of these keys, the
// weights of two rows (with a running maximum, Dao et al. 2022, arXiv:2205.14135),
// and every fourth 8 columns of the result, up to C times.
//
// Keys and values are loaded as matrices straight from the cache. Blocks of Q8_0 and
// the last rows go through threadgroup memory, 256 values at a time, with zeros past
// the end: a weight of 0 times what lies there could be NaN.

constexpr constant int MATRIX_ROWS = 8;
constexpr constant int MATRIX_SIMDGROUPS = 4;
constexpr constant int MATRIX_THREADS = SIMD * MATRIX_SIMDGROUPS;
constexpr constant int STAGE = 256; // values of a stage, 8·32

typedef simdgroup_matrix<float, 8, 8> Matrix;

// stage copies eight values of a row of keys or values.
template <typename Cache, typename T>
static inline void stage(threadgroup T * to, device const uchar * row, int column, bool real) {
    const float4 a = real ? Cache::four(row, column) : float4(0.0f);
    const float4 b = real ? Cache::four(row, column + 4) : float4(0.0f);
    to[0] = T(a.x);
    to[1] = T(a.y);
    to[2] = T(a.z);
    to[3] = T(a.w);
    to[4] = T(b.x);
    to[5] = T(b.y);
    to[6] = T(b.z);
    to[7] = T(b.w);
}

// T is the type of matrices of keys and values: that of the cache, or float for Q8_0.
template <typename Cache, typename T, int C>
kernel void attention_matrix(
        constant AttentionArgs & args  [[buffer(0)]],
        device const float * q         [[buffer(1)]],
        device const uchar * keys      [[buffer(2)]],
        device const uchar * values    [[buffer(3)]],
        device const int * starts      [[buffer(4)]],
        device const float * bias      [[buffer(5)]],
        device float * out             [[buffer(6)]],
        threadgroup float * queries    [[threadgroup(0)]], // [8, size], scaled; the results at the end
        threadgroup float * weights    [[threadgroup(1)]], // two of [8, 32], used in turn: scores, then weights
        threadgroup float * factors    [[threadgroup(2)]], // two of [8, 8], used in turn: the factors of the sums so far, as a diagonal
        threadgroup T * stages         [[threadgroup(3)]], // [4, 256]
        uint3 group                    [[threadgroup_position_in_grid]], // rows, key and value head, range
        uint3 groups                   [[threadgroups_per_grid]],
        ushort index                   [[thread_index_in_threadgroup]],
        ushort lane                    [[thread_index_in_simdgroup]],
        ushort simdgroup               [[simdgroup_index_in_threadgroup]]) {
    const int size = FC_attention_size;
    const int columns = args.heads / args.group * size; // of keys and values
    const int head_column = int(group.y) * size;
    const ulong row_bytes = Cache::bytes(columns);
    const int first_row = int(group.x) * MATRIX_ROWS;
    const int range = group.z;

    for (int e = 4 * index; e < MATRIX_ROWS * size; e += 4 * MATRIX_THREADS) {
        const AttentionRow row = attention_row(args, group.y, first_row + e / size);
        const ulong from = ((ulong) row.query * args.heads + row.head) * size + e % size;
        *(threadgroup float4 *) (queries + e) = *(device const float4 *) (q + from) * args.scale;
    }
    for (int e = index; e < 2 * 64; e += MATRIX_THREADS) { factors[e] = 0.0f; }
    threadgroup_barrier(mem_flags::mem_threadgroup);

    const int begin = attention_span(args, starts, attention_row(args, group.y, first_row).query, range).from;
    const int end = attention_span(args, starts, attention_row(args, group.y, first_row + MATRIX_ROWS - 1).query, range).to;

    // the two rows whose weights this simdgroup computes
    AttentionRow rows[2];
    AttentionSpan spans[2];
    float top[2];
    float total[2]; // of this lane's keys
    #pragma unroll
    for (int r = 0; r < 2; r++) {
        rows[r] = attention_row(args, group.y, first_row + 2 * simdgroup + r);
        spans[r] = attention_span(args, starts, rows[r].query, range);
        top[r] = -FLT_MAX;
        total[r] = 0.0f;
    }
    Matrix sums[C];
    #pragma unroll
    for (int i = 0; i < C; i++) { sums[i] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f); }
    threadgroup T * staged = stages + simdgroup * STAGE;

    for (int key = begin, turn = 0; key < end; key += SIMD, turn ^= 1) {
        threadgroup float * weight = weights + turn * MATRIX_ROWS * SIMD;
        threadgroup float * factor = factors + turn * 64;

        // scores of eight keys
        const int own = key + 8 * simdgroup;
        Matrix score = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
        if (own < end) {
            device const uchar * row = keys + own * row_bytes;
            const bool direct = Cache::direct && own + 8 <= args.keys;
            for (int c = 0; c < size; c += SIMD) {
                if (!direct) { // a lane copies eight columns of a key
                    const int k = lane / 4;
                    const int at = c + lane % 4 * 8;
                    simdgroup_barrier(mem_flags::mem_threadgroup); // all lanes have read what this replaces
                    stage<Cache>(staged + k * SIMD + at - c, row + k * row_bytes, head_column + at, own + k < args.keys && at < size);
                    simdgroup_barrier(mem_flags::mem_threadgroup);
                }
                for (int i = c; i < min(c + SIMD, size); i += 8) {
                    Matrix x;
                    simdgroup_matrix<T, 8, 8> k;
                    simdgroup_load(x, queries + i, size);
                    if (direct) {
                        simdgroup_load(k, (device const T *) row + head_column + i, columns, ulong2(0, 0), true);
                    } else {
                        simdgroup_load(k, staged + i - c, SIMD, ulong2(0, 0), true);
                    }
                    simdgroup_multiply_accumulate(score, x, k, score);
                }
            }
        }
        simdgroup_store(score, weight + 8 * simdgroup, SIMD);
        threadgroup_barrier(mem_flags::mem_threadgroup);

        // weights of two rows, one key for each lane
        #pragma unroll
        for (int r = 0; r < 2; r++) {
            const int at = key + lane;
            const bool seen = at >= spans[r].from && at < spans[r].to;
            threadgroup float * w = weight + (2 * simdgroup + r) * SIMD + lane;
            const float s = seen ? attention_score(args, bias, rows[r], at, *w) : -FLT_MAX;
            const float highest = max(top[r], simd_max(s));
            const float less = exp(top[r] - highest);
            const float e = seen ? exp(s - highest) : 0.0f;
            *w = e;
            total[r] = total[r] * less + e;
            top[r] = highest;
            if (lane == 0) { factor[(2 * simdgroup + r) * 9] = less; }
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);

        // sums of values, eight columns at a time
        Matrix less;
        simdgroup_load(less, factor, 8);
        const bool direct = Cache::direct && key + SIMD <= args.keys;
        #pragma unroll
        for (int i = 0; i < C; i++) {
            const int column = 8 * (simdgroup + MATRIX_SIMDGROUPS * i);
            if (column < size) {
                Matrix sum = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
                simdgroup_multiply_accumulate(sum, less, sums[i], sum);
                if (!direct) { // a lane copies eight columns of a key
                    simdgroup_barrier(mem_flags::mem_threadgroup);
                    stage<Cache>(staged + lane * 8, values + (key + lane) * row_bytes, head_column + column, key + lane < args.keys);
                    simdgroup_barrier(mem_flags::mem_threadgroup);
                }
                for (int k = 0; k < SIMD && key + k < end; k += 8) {
                    Matrix w;
                    simdgroup_matrix<T, 8, 8> v;
                    simdgroup_load(w, weight + k, SIMD);
                    if (direct) {
                        simdgroup_load(v, (device const T *) (values + (key + k) * row_bytes) + head_column + column, columns);
                    } else {
                        simdgroup_load(v, staged + k * 8, 8);
                    }
                    simdgroup_multiply_accumulate(sum, w, v, sum);
                }
                sums[i] = sum;
            }
        }
    }

    #pragma unroll
    for (int i = 0; i < C; i++) {
        const int column = 8 * (simdgroup + MATRIX_SIMDGROUPS * i);
        if (column < size) { simdgroup_store(sums[i], queries + column, size); }
    }
    threadgroup float * totals = factors + 2 * 64; // [8]
    #pragma unroll
    for (int r = 0; r < 2; r++) {
        const float all = simd_sum(total[r]);
        if (lane == 0) {
            totals[2 * simdgroup + r] = all;
            if (FC_attention_split && rows[r].real) {
                attention_put_total(args, out, groups.z, attention_place(args, rows[r], range), top[r], all);
            }
        }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int e = 4 * index; e < MATRIX_ROWS * size; e += 4 * MATRIX_THREADS) {
        const AttentionRow row = attention_row(args, group.y, first_row + e / size);
        if (row.real) {
            const float by = FC_attention_split ? 1.0f : 1.0f / totals[e / size];
            attention_put(out, attention_place(args, row, range), e % size, *(threadgroup const float4 *) (queries + e) * by);
        }
    }
}

template [[host_name("attention_matrix_64_f32")]]   kernel decltype(attention_matrix<CacheF32, float, 2>)  attention_matrix<CacheF32, float, 2>;
template [[host_name("attention_matrix_128_f32")]]  kernel decltype(attention_matrix<CacheF32, float, 4>)  attention_matrix<CacheF32, float, 4>;
template [[host_name("attention_matrix_256_f32")]]  kernel decltype(attention_matrix<CacheF32, float, 8>)  attention_matrix<CacheF32, float, 8>;
template [[host_name("attention_matrix_64_f16")]]   kernel decltype(attention_matrix<CacheF16, half, 2>)   attention_matrix<CacheF16, half, 2>;
template [[host_name("attention_matrix_128_f16")]]  kernel decltype(attention_matrix<CacheF16, half, 4>)   attention_matrix<CacheF16, half, 4>;
template [[host_name("attention_matrix_256_f16")]]  kernel decltype(attention_matrix<CacheF16, half, 8>)   attention_matrix<CacheF16, half, 8>;
template [[host_name("attention_matrix_64_q8_0")]]  kernel decltype(attention_matrix<CacheQ8_0, float, 2>) attention_matrix<CacheQ8_0, float, 2>;
template [[host_name("attention_matrix_128_q8_0")]] kernel decltype(attention_matrix<CacheQ8_0, float, 4>) attention_matrix<CacheQ8_0, float, 4>;
template [[host_name("attention_matrix_256_q8_0")]] kernel decltype(attention_matrix<CacheQ8_0, float, 8>) attention_matrix<CacheQ8_0, float, 8>;
