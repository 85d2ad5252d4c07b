// attention_vector: softmax(q·kᵀ)·v for a few rows at a time, by dot products. A
// threadgroup takes up to four rows of a key and value head, which share the keys and
// values it reads. Its simdgroups take 32 keys in turn, each with a running maximum
// (Milakov and Gimelshein 2018, arXiv:1805.02867).
//
// Eight lanes compute the scores of a key, each from every eighth vector of four
// columns. In the sum of values a lane has V vectors of four columns; where a row has
// few vectors, several lanes share a vector and divide the keys. Heads with more than
// 128·V columns take several threadgroups, which all compute the same scores.
//
// Scores and sums are arrays in registers, which need constant indexes: loops over
// rows have constant bounds, and the number of rows is tested inside.

constexpr constant int VECTOR_ROWS = 4;
constexpr constant int VECTOR_LANES = COLLECTED;            // that share a key
constexpr constant int VECTOR_KEYS = SIMD / VECTOR_LANES;   // that a simdgroup reads side by side

template <typename Cache, int V>
kernel void attention_vector(
        constant AttentionArgs & args  [[buffer(0)]],
        device const float * q         [[buffer(1)]],
        device const uchar * keys      [[buffer(2)]],
        device const uchar * values    [[buffer(3)]],
        device const int * starts      [[buffer(4)]],
        device const float * bias      [[buffer(5)]],
        device float * out             [[buffer(6)]],
        threadgroup float * queries    [[threadgroup(0)]], // [rows, size up to a multiple of 16], scaled; then weights and sums
        uint3 group                    [[threadgroup_position_in_grid]], // rows and columns, key and value head, range
        uint3 groups                   [[threadgroups_per_grid]],
        uint3 group_size               [[threads_per_threadgroup]],
        ushort index                   [[thread_index_in_threadgroup]],
        ushort lane                    [[thread_index_in_simdgroup]],
        ushort simdgroup               [[simdgroup_index_in_threadgroup]],
        ushort simdgroups              [[simdgroups_per_threadgroup]]) {
    const int size = FC_attention_size;
    const int padded = (size + 15) / 16 * 16;
    const int stretches = (size + 128 * V - 1) / (128 * V);
    const int first_column = int(group.x) % stretches * 128 * V;
    const int first_row = int(group.x) / stretches * FC_attention_rows;
    const int range = group.z;
    // [simdgroups, rows, 32]; at the end the largest score and the total of each row
    threadgroup float * weights = queries + FC_attention_rows * padded;
    // [simdgroups, rows, V, 32]
    threadgroup float4 * sums = (threadgroup float4 *) (weights + simdgroups * FC_attention_rows * SIMD);

    AttentionRow rows[VECTOR_ROWS];
    AttentionSpan spans[VECTOR_ROWS];
    int end = 0;
    #pragma unroll
    for (int r = 0; r < VECTOR_ROWS; r++) {
        if (r < FC_attention_rows) {
            rows[r] = attention_row(args, group.y, first_row + r);
            spans[r] = attention_span(args, starts, rows[r].query, range);
            end = spans[r].to;
            device const float * from = q + ((ulong) rows[r].query * args.heads + rows[r].head) * size;
            for (int c = index; c < padded; c += group_size.x) {
                queries[r * padded + c] = c < size ? from[c] * args.scale : 0.0f;
            }
        }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);

    const int head_column = int(group.y) * size;
    const ulong row_bytes = Cache::bytes(args.heads / args.group * size);

    // the share of a lane in scores: key 4·i + key_lane, for i up to 7
    const int key_lane = lane / VECTOR_LANES;
    const int part = lane % VECTOR_LANES;
    const int own_key = VECTOR_KEYS * part + key_lane; // the key whose sum it collects

    // and in values: every wide-th vector, every phases-th key
    const int vectors = (min(size - first_column, 128 * V) + 3) / 4;
    const int wide = min(vectors, SIMD);
    const int phases = SIMD / wide;
    const int vector = lane % wide;
    const int phase = lane / wide;

    float top[VECTOR_ROWS];
    float total[VECTOR_ROWS]; // of this lane's keys
    float4 sum[VECTOR_ROWS][V];
    #pragma unroll
    for (int r = 0; r < VECTOR_ROWS; r++) {
        top[r] = -FLT_MAX;
        total[r] = 0.0f;
        #pragma unroll
        for (int i = 0; i < V; i++) { sum[r][i] = float4(0.0f); }
    }
    threadgroup float * weight = weights + simdgroup * FC_attention_rows * SIMD;

    for (int key = spans[0].from + simdgroup * SIMD; key < end; key += simdgroups * SIMD) {
        float product[VECTOR_ROWS][VECTOR_LANES];
        #pragma unroll
        for (int r = 0; r < VECTOR_ROWS; r++) {
            #pragma unroll
            for (int i = 0; i < VECTOR_LANES; i++) { product[r][i] = 0.0f; }
        }
        for (int c = 4 * part; c < size; c += 4 * VECTOR_LANES) {
            float4 query[VECTOR_ROWS];
            #pragma unroll
            for (int r = 0; r < VECTOR_ROWS; r++) {
                if (r < FC_attention_rows) { query[r] = *(threadgroup const float4 *) (queries + r * padded + c); }
            }
            #pragma unroll
            for (int i = 0; i < VECTOR_LANES; i++) {
                const int at = min(key + VECTOR_KEYS * i + key_lane, end - 1); // past the end the last key again, with no weight
                const float4 k = attention_four<Cache>(keys + at * row_bytes, head_column + c, head_column + size);
                #pragma unroll
                for (int r = 0; r < VECTOR_ROWS; r++) {
                    if (r < FC_attention_rows) { product[r][i] += dot(query[r], k); }
                }
            }
        }
        #pragma unroll
        for (int r = 0; r < VECTOR_ROWS; r++) {
            if (r < FC_attention_rows) {
                const int at = key + own_key;
                const bool seen = at >= spans[r].from && at < spans[r].to;
                float s = collect(product[r], part);
                s = seen ? attention_score(args, bias, rows[r], at, s) : -FLT_MAX;
                const float highest = max(top[r], simd_max(s));
                const float less = exp(top[r] - highest);
                const float w = seen ? exp(s - highest) : 0.0f;
                top[r] = highest;
                total[r] = total[r] * less + w;
                weight[r * SIMD + own_key] = w;
                #pragma unroll
                for (int i = 0; i < V; i++) { sum[r][i] = sum[r][i] * less; }
            }
        }
        simdgroup_barrier(mem_flags::mem_threadgroup);
        if (phase < phases) {
            for (int k = phase; k < min(SIMD, end - key); k += phases) {
                device const uchar * row = values + (key + k) * row_bytes;
                #pragma unroll
                for (int i = 0; i < V; i++) {
                    if (vector + i * SIMD < vectors) {
                        const int column = head_column + first_column + 4 * (vector + i * SIMD);
                        const float4 v = attention_four<Cache>(row, column, head_column + size);
                        #pragma unroll
                        for (int r = 0; r < VECTOR_ROWS; r++) {
                            if (r < FC_attention_rows) { sum[r][i] = fma(float4(weight[r * SIMD + k]), v, sum[r][i]); }
                        }
                    }
                }
            }
        }
        simdgroup_barrier(mem_flags::mem_threadgroup); // all lanes have read the weights
    }

    // all simdgroups store their sums, and one simdgroup merges each row
    #pragma unroll
    for (int r = 0; r < VECTOR_ROWS; r++) {
        if (r < FC_attention_rows) {
            const float of_simdgroup = simd_sum(total[r]);
            #pragma unroll
            for (int i = 0; i < V; i++) { sums[((simdgroup * FC_attention_rows + r) * V + i) * SIMD + lane] = sum[r][i]; }
            if (lane == 0) {
                weight[r * SIMD] = top[r];
                weight[r * SIMD + 1] = of_simdgroup;
            }
        }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    #pragma unroll
    for (int r = 0; r < VECTOR_ROWS; r++) {
        if (r < FC_attention_rows && simdgroup == r % simdgroups && rows[r].real) {
            float highest = -FLT_MAX;
            for (int g = 0; g < simdgroups; g++) { highest = max(highest, weights[(g * FC_attention_rows + r) * SIMD]); }
            float all = 0.0f;
            float4 merged[V];
            #pragma unroll
            for (int i = 0; i < V; i++) { merged[i] = float4(0.0f); }
            for (int g = 0; g < simdgroups; g++) {
                const int from = (g * FC_attention_rows + r) * SIMD;
                const float less = exp(weights[from] - highest);
                all = fma(less, weights[from + 1], all);
                #pragma unroll
                for (int i = 0; i < V; i++) {
                    for (int p = 0; p < phases; p++) {
                        merged[i] = fma(float4(less), sums[from * V + i * SIMD + p * wide + vector], merged[i]);
                    }
                }
            }
            const ulong place = attention_place(args, rows[r], range);
            const float by = FC_attention_split ? 1.0f : 1.0f / all;
            #pragma unroll
            for (int i = 0; i < V; i++) {
                if (phase == 0 && vector + i * SIMD < vectors) {
                    attention_put(out, place, first_column + 4 * (vector + i * SIMD), merged[i] * by);
                }
            }
            if (FC_attention_split && lane == 0 && first_column == 0) {
                attention_put_total(args, out, groups.z, place, highest, all);
            }
        }
    }
}

template [[host_name("attention_vector_128_f32")]]  kernel decltype(attention_vector<CacheF32, 1>)  attention_vector<CacheF32, 1>;
template [[host_name("attention_vector_256_f32")]]  kernel decltype(attention_vector<CacheF32, 2>)  attention_vector<CacheF32, 2>;
template [[host_name("attention_vector_128_f16")]]  kernel decltype(attention_vector<CacheF16, 1>)  attention_vector<CacheF16, 1>;
template [[host_name("attention_vector_256_f16")]]  kernel decltype(attention_vector<CacheF16, 2>)  attention_vector<CacheF16, 2>;
template [[host_name("attention_vector_128_q8_0")]] kernel decltype(attention_vector<CacheQ8_0, 1>) attention_vector<CacheQ8_0, 1>;
template [[host_name("attention_vector_256_q8_0")]] kernel decltype(attention_vector<CacheQ8_0, 2>) attention_vector<CacheQ8_0, 2>;
