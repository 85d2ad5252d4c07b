// disentangled: attention whose scores know the distance of two rows, softmax(scale·(q·k +
// q·a + k·b))·v with the rows a and b of two tables that belong to the distance. A simdgroup
// takes one query of one head. Each lane has a key of 32, with a running maximum over these
// (Milakov and Gimelshein 2018, arXiv:1805.02867), and every 32nd column of the values, N of
// them.

struct DisentangledArgs {
    int texts; int heads; int size; int reach;
    int for_queries; int for_keys; // whether there is such a table
    float scale;
};

template <int N>
kernel void disentangled(
        constant DisentangledArgs & args    [[buffer(0)]],
        device const float * q              [[buffer(1)]],
        device const float * k              [[buffer(2)]],
        device const float * v              [[buffer(3)]],
        device const int * starts           [[buffer(4)]],
        device const int * distances        [[buffer(5)]], // the tables' row for each distance, 0 at reach
        device const float * for_queries    [[buffer(6)]],
        device const float * for_keys       [[buffer(7)]],
        device float * y                    [[buffer(8)]],
        threadgroup float * weights         [[threadgroup(0)]], // of 32 keys; then the query
        uint2 at                            [[threadgroup_position_in_grid]], // query, head
        ushort lane                         [[thread_index_in_simdgroup]]) {
    const int row = at.x;
    int text = 0;
    int past = args.texts; // the query lies in texts text..past-1
    while (past - text > 1) {
        const int middle = (text + past) / 2;
        if (starts[middle] <= row) { text = middle; } else { past = middle; }
    }
    const int first = starts[text];
    const int end = starts[text + 1];
    const int across = args.heads * args.size;
    const int column = int(at.y) * args.size;
    threadgroup float * query = weights + SIMD;
    for (int c = lane; c < args.size; c += SIMD) { query[c] = q[ulong(row) * across + column + c]; }
    simdgroup_barrier(mem_flags::mem_threadgroup);

    float top = -FLT_MAX;
    float total = 0.0f;
    float sum[N];
    for (int i = 0; i < N; i++) { sum[i] = 0.0f; }
    for (int from = first; from < end; from += SIMD) {
        const int key = from + lane;
        float s = -FLT_MAX;
        if (key < end) {
            device const float * keys = k + ulong(key) * across + column;
            const ulong place = ulong(distances[args.reach + row - key]) * across + column;
            float found = 0.0f;
            for (int c = 0; c < args.size; c++) { found = fma(query[c], keys[c], found); }
            if (args.for_queries != 0) {
                for (int c = 0; c < args.size; c++) { found = fma(query[c], for_queries[place + c], found); }
            }
            if (args.for_keys != 0) {
                for (int c = 0; c < args.size; c++) { found = fma(keys[c], for_keys[place + c], found); }
            }
            s = found * args.scale;
        }
        const float highest = max(top, simd_max(s));
        const float less = exp(top - highest);
        const float w = key < end ? exp(s - highest) : 0.0f;
        top = highest;
        total = total * less + w;
        weights[lane] = w;
        simdgroup_barrier(mem_flags::mem_threadgroup);
        for (int i = 0; i < N; i++) {
            const int c = lane + i * SIMD;
            if (c < args.size) {
                float more = sum[i] * less;
                for (int j = from; j < min(from + SIMD, end); j++) { more = fma(weights[j - from], v[ulong(j) * across + column + c], more); }
                sum[i] = more;
            }
        }
        simdgroup_barrier(mem_flags::mem_threadgroup); // all lanes have read the weights
    }
    const float by = 1.0f / simd_sum(total);
    for (int i = 0; i < N; i++) {
        const int c = lane + i * SIMD;
        if (c < args.size) { y[ulong(row) * across + column + c] = sum[i] * by; }
    }
}

template [[host_name("disentangled_128")]] kernel decltype(disentangled<4>) disentangled<4>;
template [[host_name("disentangled_256")]] kernel decltype(disentangled<8>) disentangled<8>;
