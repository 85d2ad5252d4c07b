// linear_few: up to 8 rows of x in one pass over w, any type. A simdgroup computes
// eight neighbouring columns of y, or all simdgroups of a threadgroup share the sums
// of these. Eight lanes share two of the columns: each decodes 16 values of both rows
// of w at a time and multiplies them with every row of x. So all lanes at the same
// place of their eight read the same x.

constexpr constant int FEW_ROWS = 8;    // of x
constexpr constant int FEW_COLUMNS = 8; // of y, of a simdgroup
constexpr constant int FEW_LANES = COLLECTED; // that share two columns
constexpr constant int FEW_SUMS = FEW_ROWS * FEW_COLUMNS;

struct FewSums { float first, second; }; // of one row of x with two rows of w

// linear_few_sums returns the sums of a lane's two columns, the second one right after
// column, with row lane % 8 of x. A lane takes 16 values of each row of w from first
// on, then those step further.
template <typename Type>
static inline FewSums linear_few_sums(constant LinearArgs & args, device const float * x, device const uchar * w, int column,
                                      int first, int step, ushort lane) {
    const int in = args.in;
    device const uchar * w0 = w + (ulong) min(column, args.out - 1) * args.stride; // past the end the last row again
    device const uchar * w1 = w + (ulong) min(column + 1, args.out - 1) * args.stride;
    float sum0[FEW_ROWS];
    float sum1[FEW_ROWS];
    #pragma unroll
    for (int row = 0; row < FEW_ROWS; row++) {
        sum0[row] = 0.0f;
        sum1[row] = 0.0f;
    }
    for (int at = first; at < in; at += step) {
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
                    sum0[row] = multiply_add(float4(a[i], a[i + 1], a[i + 2], a[i + 3]), v, sum0[row]);
                    sum1[row] = multiply_add(float4(b[i], b[i + 1], b[i + 2], b[i + 3]), v, sum1[row]);
                }
            }
        }
    }
    FewSums sums;
    sums.first = collect(sum0, lane % FEW_LANES);
    sums.second = collect(sum1, lane % FEW_LANES);
    return sums;
}

// linear_few_total adds up what the simdgroups stored of a lane's sums.
static inline FewSums linear_few_total(threadgroup const float * shared, ushort lane, ushort simdgroups) {
    FewSums sums;
    sums.first = linear_total(shared, 2 * lane, FEW_SUMS, simdgroups);
    sums.second = linear_total(shared, 2 * lane + 1, FEW_SUMS, simdgroups);
    return sums;
}

template <typename Type>
kernel void linear_few(
        constant LinearArgs & args [[buffer(0)]],
        device const float * x     [[buffer(1)]],
        device const uchar * w     [[buffer(2)]],
        device const float * bias  [[buffer(3)]], // x where there is none
        device float * y           [[buffer(4)]],
        device const uchar * up    [[buffer(5)]], // w where there is no gate
        threadgroup float * shared [[threadgroup(0)]], // FEW_SUMS for every simdgroup, twice as many with a gate; unused where each has its own
        uint   group      [[threadgroup_position_in_grid]],
        ushort lane       [[thread_index_in_simdgroup]],
        ushort simdgroup  [[simdgroup_index_in_threadgroup]],
        ushort simdgroups [[simdgroups_per_threadgroup]]) {
    const bool own = FC_linear_own != 0;
    const int column = (own ? int(group) * simdgroups + simdgroup : int(group)) * FEW_COLUMNS + lane / FEW_LANES * 2;
    const int row = lane % FEW_LANES;
    const int first = ((own ? 0 : simdgroup * FEW_LANES) + row) * 16;
    const int step = (own ? 1 : simdgroups) * FEW_LANES * 16;
    FewSums sums = linear_few_sums<Type>(args, x, w, column, first, step, lane);
    FewSums ups;
    ups.first = 1.0f;
    ups.second = 1.0f;
    if (FC_linear_gate != 0) { ups = linear_few_sums<Type>(args, x, up, column, first, step, lane); }
    if (!own) {
        threadgroup float * share = shared + simdgroup * FEW_SUMS + 2 * lane;
        share[0] = sums.first;
        share[1] = sums.second;
        if (FC_linear_gate != 0) {
            share[simdgroups * FEW_SUMS] = ups.first;
            share[simdgroups * FEW_SUMS + 1] = ups.second;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        if (simdgroup > 0) { return; }
        sums = linear_few_total(shared, lane, simdgroups);
        if (FC_linear_gate != 0) { ups = linear_few_total(shared + simdgroups * FEW_SUMS, lane, simdgroups); }
    }
    if (row < FC_linear_rows && column < args.out) {
        device float * to = y + row * args.out + column;
        to[0] = activate(sums.first + linear_bias(bias, column)) * ups.first;
        if (column + 1 < args.out) { to[1] = activate(sums.second + linear_bias(bias, column + 1)) * ups.second; }
    }
}
