// attention_matrix: softmax(q·kᵀ)·v for 8·R rows at a time, by 8×8 matrices. A
// threadgroup of 4 simdgroups takes 8·R rows of a key and value head, and 32 keys in
// each step. Each simdgroup computes the scores of eight of these keys, the weights of
// 2·R rows (with a running maximum, Dao et al. 2022, arXiv:2205.14135), and every
// fourth 8 columns of the result, up to C times.
//
// Keys and values are loaded as matrices straight from the cache, once for all rows.
// Blocks of Q8_0 and the last rows go through threadgroup memory, 256 values at a
// time, with zeros past the end: a weight of 0 times what lies there could be NaN.
//
// Matrices are arrays in registers: loops over them are unrolled, and have constant
// bounds with the test inside.

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
template <typename Cache, typename T, int C, int R>
kernel void attention_matrix(
        constant AttentionArgs & args  [[buffer(0)]],
        device const float * q         [[buffer(1)]],
        device const uchar * keys      [[buffer(2)]],
        device const uchar * values    [[buffer(3)]],
        device const int * starts      [[buffer(4)]],
        device const float * bias      [[buffer(5)]],
        device float * out             [[buffer(6)]],
        threadgroup float * queries    [[threadgroup(0)]], // [8·R, size], scaled; the results at the end; then the other parts
        uint3 group                    [[threadgroup_position_in_grid]], // rows, key and value head, range
        uint3 groups                   [[threadgroups_per_grid]],
        ushort index                   [[thread_index_in_threadgroup]],
        ushort lane                    [[thread_index_in_simdgroup]],
        ushort simdgroup               [[simdgroup_index_in_threadgroup]]) {
    const int tile = 8 * R; // rows
    const int size = FC_attention_size;
    const int columns = args.heads / args.group * size; // of keys and values
    const int head_column = int(group.y) * size;
    const ulong row_bytes = Cache::bytes(columns);
    const int first_row = int(group.x) * tile;
    const int range = group.z;
    threadgroup float * weights = queries + tile * size;      // two of [8·R, 32], used in turn: scores, then weights
    threadgroup float * factors = weights + 2 * tile * SIMD;  // two of [R, 8, 8], used in turn: the factors of the sums so far, as diagonals
    threadgroup float * totals = factors + 2 * R * 64;        // [8·R]
    threadgroup T * stages = (threadgroup T *) (totals + tile); // [4, 256]

    for (int e = 4 * index; e < tile * size; e += 4 * MATRIX_THREADS) {
        const AttentionRow row = attention_row(args, group.y, first_row + e / size);
        const ulong from = ((ulong) row.query * args.heads + row.head) * size + e % size;
        *(threadgroup float4 *) (queries + e) = *(device const float4 *) (q + from) * args.scale;
    }
    for (int e = index; e < 2 * R * 64; e += MATRIX_THREADS) { factors[e] = 0.0f; }
    threadgroup_barrier(mem_flags::mem_threadgroup);

    const int begin = attention_span(args, starts, attention_row(args, group.y, first_row).query, range).from;
    const int end = attention_span(args, starts, attention_row(args, group.y, first_row + tile - 1).query, range).to;

    // the rows whose weights this simdgroup computes
    const int own_row = 2 * R * simdgroup;
    AttentionRow rows[2 * R];
    AttentionSpan spans[2 * R];
    float top[2 * R];
    float total[2 * R]; // of this lane's keys
    #pragma unroll
    for (int r = 0; r < 2 * R; r++) {
        rows[r] = attention_row(args, group.y, first_row + own_row + r);
        spans[r] = attention_span(args, starts, rows[r].query, range);
        top[r] = -FLT_MAX;
        total[r] = 0.0f;
    }
    Matrix sums[C][R];
    #pragma unroll
    for (int i = 0; i < C; i++) {
        #pragma unroll
        for (int r = 0; r < R; r++) { sums[i][r] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f); }
    }
    threadgroup T * staged = stages + simdgroup * STAGE;

    for (int key = begin, turn = 0; key < end; key += SIMD, turn ^= 1) {
        threadgroup float * weight = weights + turn * tile * SIMD;
        threadgroup float * factor = factors + turn * R * 64;

        // scores of eight keys
        const int own = key + 8 * simdgroup;
        Matrix score[R];
        #pragma unroll
        for (int r = 0; r < R; r++) { score[r] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f); }
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
                #pragma unroll
                for (int i = 0; i < SIMD; i += 8) {
                    if (c + i < size) {
                        simdgroup_matrix<T, 8, 8> k;
                        if (direct) {
                            simdgroup_load(k, (device const T *) row + head_column + c + i, columns, ulong2(0, 0), true);
                        } else {
                            simdgroup_load(k, staged + i, SIMD, ulong2(0, 0), true);
                        }
                        #pragma unroll
                        for (int r = 0; r < R; r++) {
                            Matrix x;
                            simdgroup_load(x, queries + 8 * r * size + c + i, size);
                            simdgroup_multiply_accumulate(score[r], x, k, score[r]);
                        }
                    }
                }
            }
        }
        #pragma unroll
        for (int r = 0; r < R; r++) { simdgroup_store(score[r], weight + 8 * r * SIMD + 8 * simdgroup, SIMD); }
        threadgroup_barrier(mem_flags::mem_threadgroup);

        // weights of the own rows, one key for each lane
        #pragma unroll
        for (int r = 0; r < 2 * R; r++) {
            const int at = key + lane;
            const bool seen = at >= spans[r].from && at < spans[r].to;
            threadgroup float * w = weight + (own_row + r) * SIMD + lane;
            const float s = seen ? attention_score(args, bias, rows[r], at, *w) : -FLT_MAX;
            const float highest = max(top[r], simd_max(s));
            const float less = exp(top[r] - highest);
            const float e = seen ? exp(s - highest) : 0.0f;
            *w = e;
            total[r] = total[r] * less + e;
            top[r] = highest;
            if (lane == 0) { factor[(own_row + r) * 8 + (own_row + r) % 8] = less; }
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);

        // sums of values, eight columns at a time
        Matrix less[R];
        Matrix w[4][R];
        #pragma unroll
        for (int r = 0; r < R; r++) {
            simdgroup_load(less[r], factor + 64 * r, 8);
            #pragma unroll
            for (int k = 0; k < 4; k++) { simdgroup_load(w[k][r], weight + 8 * r * SIMD + 8 * k, SIMD); }
        }
        const bool direct = Cache::direct && key + SIMD <= args.keys;
        #pragma unroll
        for (int i = 0; i < C; i++) {
            const int column = 8 * (simdgroup + MATRIX_SIMDGROUPS * i);
            if (column < size) {
                Matrix sum[R];
                #pragma unroll
                for (int r = 0; r < R; r++) {
                    sum[r] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
                    simdgroup_multiply_accumulate(sum[r], less[r], sums[i][r], sum[r]);
                }
                if (!direct) { // a lane copies eight columns of a key
                    simdgroup_barrier(mem_flags::mem_threadgroup);
                    stage<Cache>(staged + lane * 8, values + (key + lane) * row_bytes, head_column + column, key + lane < args.keys);
                    simdgroup_barrier(mem_flags::mem_threadgroup);
                }
                #pragma unroll
                for (int k = 0; k < 4; k++) {
                    if (key + 8 * k < end) {
                        simdgroup_matrix<T, 8, 8> v;
                        if (direct) {
                            simdgroup_load(v, (device const T *) (values + (key + 8 * k) * row_bytes) + head_column + column, columns);
                        } else {
                            simdgroup_load(v, staged + 64 * k, 8);
                        }
                        #pragma unroll
                        for (int r = 0; r < R; r++) { simdgroup_multiply_accumulate(sum[r], w[k][r], v, sum[r]); }
                    }
                }
                #pragma unroll
                for (int r = 0; r < R; r++) { sums[i][r] = sum[r]; }
            }
        }
    }

    #pragma unroll
    for (int i = 0; i < C; i++) {
        const int column = 8 * (simdgroup + MATRIX_SIMDGROUPS * i);
        if (column < size) {
            #pragma unroll
            for (int r = 0; r < R; r++) { simdgroup_store(sums[i][r], queries + 8 * r * size + column, size); }
        }
    }
    #pragma unroll
    for (int r = 0; r < 2 * R; r++) {
        const float all = simd_sum(total[r]);
        if (lane == 0) {
            totals[own_row + r] = all;
            if (FC_attention_split && rows[r].real) {
                attention_put_total(args, out, groups.z, attention_place(args, rows[r], range), top[r], all);
            }
        }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int e = 4 * index; e < tile * size; e += 4 * MATRIX_THREADS) {
        const AttentionRow row = attention_row(args, group.y, first_row + e / size);
        if (row.real) {
            const float by = FC_attention_split ? 1.0f : 1.0f / totals[e / size];
            attention_put(out, attention_place(args, row, range), e % size, *(threadgroup const float4 *) (queries + e) * by);
        }
    }
}

template [[host_name("attention_matrix_64_f32")]] kernel decltype(attention_matrix<CacheF32, float, 2, 2>) attention_matrix<CacheF32, float, 2, 2>;
template [[host_name("attention_matrix_128_f32")]] kernel decltype(attention_matrix<CacheF32, float, 4, 2>) attention_matrix<CacheF32, float, 4, 2>;
template [[host_name("attention_matrix_256_f32")]] kernel decltype(attention_matrix<CacheF32, float, 8, 2>) attention_matrix<CacheF32, float, 8, 2>;
template [[host_name("attention_matrix_512_f32")]] kernel decltype(attention_matrix<CacheF32, float, 16, 1>) attention_matrix<CacheF32, float, 16, 1>;
template [[host_name("attention_matrix_64_f16")]] kernel decltype(attention_matrix<CacheF16, half, 2, 2>) attention_matrix<CacheF16, half, 2, 2>;
template [[host_name("attention_matrix_128_f16")]] kernel decltype(attention_matrix<CacheF16, half, 4, 2>) attention_matrix<CacheF16, half, 4, 2>;
template [[host_name("attention_matrix_256_f16")]] kernel decltype(attention_matrix<CacheF16, half, 8, 2>) attention_matrix<CacheF16, half, 8, 2>;
template [[host_name("attention_matrix_512_f16")]] kernel decltype(attention_matrix<CacheF16, half, 16, 1>) attention_matrix<CacheF16, half, 16, 1>;
template [[host_name("attention_matrix_64_q8_0")]] kernel decltype(attention_matrix<CacheQ8_0, float, 2, 2>) attention_matrix<CacheQ8_0, float, 2, 2>;
template [[host_name("attention_matrix_128_q8_0")]] kernel decltype(attention_matrix<CacheQ8_0, float, 4, 2>) attention_matrix<CacheQ8_0, float, 4, 2>;
template [[host_name("attention_matrix_256_q8_0")]] kernel decltype(attention_matrix<CacheQ8_0, float, 8, 2>) attention_matrix<CacheQ8_0, float, 8, 2>;
template [[host_name("attention_matrix_512_q8_0")]] kernel decltype(attention_matrix<CacheQ8_0, float, 16, 1>) attention_matrix<CacheQ8_0, float, 16, 1>;
