// experts: the product of each row of x with the weights of its experts, any type
// (engine.Graph.Experts). A simdgroup computes two neighbouring columns of one slot; its
// lanes take 16 values of x at a time.

struct ExpertsArgs {
    int in;
    int out;    // of one expert
    int stride; // bytes of a row of w
    int slots;  // of a row
    int share;  // slots that share a row of x: all of a row, or 1
};

template <typename Type>
kernel void experts(
        constant ExpertsArgs & args  [[buffer(0)]],
        device const float * x       [[buffer(1)]],
        device const uchar * w       [[buffer(2)]], // [experts·out, in]
        device const float * bias    [[buffer(3)]], // [experts, out]; x where there is none
        device const float * routes  [[buffer(4)]], // [rows, 2·slots]
        device float * y             [[buffer(5)]], // [rows·slots, out]
        uint3 group                  [[threadgroup_position_in_grid]], // columns, slot
        ushort lane                  [[thread_index_in_simdgroup]],
        ushort simdgroup             [[simdgroup_index_in_threadgroup]],
        ushort simdgroups            [[simdgroups_per_threadgroup]]) {
    const int slot = int(group.y);
    const int expert = int(routes[(ulong) (slot / args.slots) * 2 * args.slots + slot % args.slots]);
    const int first = (int(group.x) * simdgroups + simdgroup) * 2;
    const int a_column = min(first, args.out - 1); // past the last column it again, not stored
    const int b_column = min(first + 1, args.out - 1);
    device const uchar * a_row = w + ((ulong) expert * args.out + a_column) * args.stride;
    device const uchar * b_row = w + ((ulong) expert * args.out + b_column) * args.stride;
    device const float * from = x + (ulong) (slot / args.share) * args.in;
    float a_sum = 0.0f;
    float b_sum = 0.0f;
    for (int at = lane * 16; at < args.in; at += SIMD * 16) {
        float a[16];
        float b[16];
        Type::decode(a_row, at, args.in - at, a);
        Type::decode(b_row, at, args.in - at, b);
        #pragma unroll
        for (int i = 0; i < 16; i += 4) {
            const float4 v = linear_x(from, at + i, args.in);
            a_sum = multiply_add(float4(a[i], a[i + 1], a[i + 2], a[i + 3]), v, a_sum);
            b_sum = multiply_add(float4(b[i], b[i + 1], b[i + 2], b[i + 3]), v, b_sum);
        }
    }
    a_sum = simd_sum(a_sum);
    b_sum = simd_sum(b_sum);
    device float * to = y + (ulong) slot * args.out;
    if (lane == 0 && first < args.out) { to[first] = a_sum + linear_bias(bias, expert * args.out + first); }
    if (lane == 1 && first + 1 < args.out) { to[first + 1] = b_sum + linear_bias(bias, expert * args.out + first + 1); }
}
