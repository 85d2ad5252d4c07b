// delta_rule: for each head and row S = decay·S + k·(β·(v - decay·Sᵀk))ᵀ and y = Sᵀq. The
// columns of a state do not depend on each other: a simdgroup takes one column of one
// head through all rows, N of its numbers in each lane.

struct DeltaRuleArgs {
    int rows; int heads; int key_heads; int size; int value; // size of a key, value: columns of a state
    int tiled; int log_rates; int fresh;                     // fresh: the state before is all zeros
    float epsilon;
};

// key_part returns number i of a query or key, 0 past the last.
static inline float key_part(device const float * x, int i, int size) { return i < size ? x[i] : 0.0f; }

template <int N>
kernel void delta_rule(
        constant DeltaRuleArgs & args  [[buffer(0)]],
        device const float * qkv       [[buffer(1)]],
        device const float * a         [[buffer(2)]],
        device const float * b         [[buffer(3)]],
        device const float * rates     [[buffer(4)]],
        device const float * shifts    [[buffer(5)]],
        device const float * from      [[buffer(6)]], // qkv where the state is all zeros
        device float * to              [[buffer(7)]],
        device float * y               [[buffer(8)]],
        uint2 at                       [[threadgroup_position_in_grid]], // columns, head
        ushort lane                    [[thread_index_in_simdgroup]],
        ushort simdgroup               [[simdgroup_index_in_threadgroup]],
        ushort simdgroups              [[simdgroups_per_threadgroup]]) {
    const int column = int(at.x) * simdgroups + simdgroup;
    if (column < args.value) {
        const int head = int(at.y);
        const int key = args.tiled != 0 ? head % args.key_heads : head / (args.heads / args.key_heads);
        const int keys = args.key_heads * args.size;
        const int across = args.heads * args.value;
        const ulong start = ulong(head) * args.size * args.value + column;
        const float rate = args.log_rates != 0 ? -exp(rates[head]) : rates[head];
        float s[N];
        for (int j = 0; j < N; j++) {
            const int i = lane + j * SIMD;
            s[j] = args.fresh == 0 && i < args.size ? from[start + ulong(i) * args.value] : 0.0f;
        }
        for (int row = 0; row < args.rows; row++) {
            device const float * x = qkv + ulong(row) * (2 * keys + across);
            float q[N];
            float k[N];
            float qq = 0.0f;
            float kk = 0.0f;
            float found = 0.0f;
            for (int j = 0; j < N; j++) {
                const int i = lane + j * SIMD;
                q[j] = key_part(x + key * args.size, i, args.size);
                k[j] = key_part(x + keys + key * args.size, i, args.size);
                qq = fma(q[j], q[j], qq);
                kk = fma(k[j], k[j], kk);
                found = fma(k[j], s[j], found);
            }
            const float by_q = rsqrt((simd_sum(qq) + args.epsilon) * float(args.size));
            const float by_k = rsqrt(simd_sum(kk) + args.epsilon);
            const float shifted = a[row * args.heads + head] + shifts[head];
            const float decay = exp(rate * ((shifted < 0.0f ? 0.0f : shifted) + log(1.0f + exp(-fabs(shifted)))));
            const float change = sigmoid(b[row * args.heads + head]) * (x[2 * keys + head * args.value + column] - decay * simd_sum(found) * by_k) * by_k;
            float sum = 0.0f;
            for (int j = 0; j < N; j++) {
                s[j] = fma(k[j], change, decay * s[j]);
                sum = fma(q[j], s[j], sum);
            }
            sum = simd_sum(sum) * by_q;
            if (lane == 0) { y[ulong(row) * across + head * args.value + column] = sum; }
        }
        for (int j = 0; j < N; j++) {
            const int i = lane + j * SIMD;
            if (i < args.size) { to[start + ulong(i) * args.value] = s[j]; }
        }
    }
}

template [[host_name("delta_rule_1")]] kernel decltype(delta_rule<1>) delta_rule<1>;
template [[host_name("delta_rule_2")]] kernel decltype(delta_rule<2>) delta_rule<2>;
template [[host_name("delta_rule_4")]] kernel decltype(delta_rule<4>) delta_rule<4>;
template [[host_name("delta_rule_8")]] kernel decltype(delta_rule<8>) delta_rule<8>;
