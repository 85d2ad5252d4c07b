// linear_few: up to 8 rows of x in one pass over w, any type. A threadgroup computes
// two neighbouring columns of y. A thread decodes 16 values of both rows of w at a
// time and multiplies them with every row of x.

constexpr constant int FEW_ROWS = 8;    // of x
constexpr constant int FEW_COLUMNS = 2; // of y
constexpr constant int FEW_SUMS = FEW_ROWS * FEW_COLUMNS;

// linear_few_sums stores the sums of the threadgroup's columns in its memory, for
// every simdgroup its own, those of a column side by side.
template <typename Type>
static inline void linear_few_sums(constant LinearArgs & args, device const float * x, device const uchar * w, int first,
                                   threadgroup float * sums, ushort index, ushort lane, ushort simdgroup, ushort simdgroups) {
    const int in = args.in;
    device const uchar * w0 = w + (ulong) first * args.stride;
    device const uchar * w1 = w + (ulong) min(first + 1, args.out - 1) * args.stride; // the last row again if out is odd
    float sum[FEW_SUMS];
    for (int i = 0; i < FEW_SUMS; i++) { sum[i] = 0.0f; }
    for (int at = index * 16; at < in; at += simdgroups * (SIMD * 16)) {
        float a[16];
        float b[16];
        Type::decode(w0, at, in - at, a);
        Type::decode(w1, at, in - at, b);
        #pragma unroll
        for (int row = 0; row < FEW_ROWS; row++) {
            if (row < FC_linear_rows) {
                device const float * xr = x + row * in;
                #pragma unroll
                for (int i = 0; i < 16; i += 4) {
                    const float4 v = linear_x(xr, at + i, in);
                    sum[row] = multiply_add(float4(a[i], a[i + 1], a[i + 2], a[i + 3]), v, sum[row]);
                    sum[FEW_ROWS + row] = multiply_add(float4(b[i], b[i + 1], b[i + 2], b[i + 3]), v, sum[FEW_ROWS + row]);
                }
            }
        }
    }
    #pragma unroll
    for (int i = 0; i < FEW_SUMS; i++) {
        if (i % FEW_ROWS < FC_linear_rows) { linear_share(sum[i], sums + simdgroup * FEW_SUMS + i, lane); }
    }
}

template <typename Type>
kernel void linear_few(
        constant LinearArgs & args [[buffer(0)]],
        device const float * x     [[buffer(1)]],
        device const uchar * w     [[buffer(2)]],
        device const float * bias  [[buffer(3)]], // x where there is none
        device float * y           [[buffer(4)]],
        device const uchar * up    [[buffer(5)]], // w where there is no gate
        threadgroup float * sums   [[threadgroup(0)]], // FEW_SUMS for every simdgroup, twice as many with a gate
        uint   group      [[threadgroup_position_in_grid]],
        ushort index      [[thread_index_in_threadgroup]],
        ushort lane       [[thread_index_in_simdgroup]],
        ushort simdgroup  [[simdgroup_index_in_threadgroup]],
        ushort simdgroups [[simdgroups_per_threadgroup]]) {
    const int first = int(group) * FEW_COLUMNS;
    threadgroup float * ups = sums + simdgroups * FEW_SUMS;
    linear_few_sums<Type>(args, x, w, first, sums, index, lane, simdgroup, simdgroups);
    if (FC_linear_gate != 0) { linear_few_sums<Type>(args, x, up, first, ups, index, lane, simdgroup, simdgroups); }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const int row = index / FEW_COLUMNS;
    const int column = index % FEW_COLUMNS;
    if (row < FC_linear_rows && first + column < args.out) {
        const int i = column * FEW_ROWS + row;
        float v = activate(linear_total(sums, i, FEW_SUMS, simdgroups) + linear_bias(bias, first + column));
        if (FC_linear_gate != 0) { v *= linear_total(ups, i, FEW_SUMS, simdgroups); }
        y[row * args.out + first + column] = v;
    }
}
