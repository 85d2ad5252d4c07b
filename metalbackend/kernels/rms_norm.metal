// rms_norm: each stretch of a row divided by its root mean square, times w plus
// an offset (Zhang and Sennrich 2019, arXiv:1910.07467). A threadgroup takes one
// stretch: a row, or a head of it. V as in rows.

struct RMSNormArgs { int length; float columns; float epsilon; float offset; }; // length of a stretch in Vs

template <typename V>
kernel void rms_norm(
        constant RMSNormArgs & args  [[buffer(0)]],
        device const V * x           [[buffer(1)]],
        device const V * w           [[buffer(2)]],
        device V * y                 [[buffer(3)]],
        threadgroup float * partial  [[threadgroup(0)]],
        uint stretch                 [[threadgroup_position_in_grid]],
        ushort thread_index          [[thread_position_in_threadgroup]],
        ushort threads               [[threads_per_threadgroup]],
        ushort lane                  [[thread_index_in_simdgroup]],
        ushort simdgroup             [[simdgroup_index_in_threadgroup]],
        ushort simdgroups            [[simdgroups_per_threadgroup]]) {
    x += ulong(stretch) * args.length;
    y += ulong(stretch) * args.length;
    float squares = 0.0f;
    for (int i = thread_index; i < args.length; i += threads) { squares += square(x[i]); }
    squares = group_sum(squares, partial, lane, simdgroup, simdgroups);
    const float scale = rsqrt(squares / args.columns + args.epsilon);
    for (int i = thread_index; i < args.length; i += threads) { y[i] = x[i] * scale * (w[i] + args.offset); }
}

template [[host_name("rms_norm_1")]] kernel decltype(rms_norm<float>) rms_norm<float>;
template [[host_name("rms_norm_4")]] kernel decltype(rms_norm<float4>) rms_norm<float4>;

// add_rms_norm: sum = x + residual and y = rms_norm(sum), of which later
// operations need both. y may lie where x or residual do, row on row: a lane has
// read both at a place before it writes there, and no other lane reads it.
template <typename V>
kernel void add_rms_norm(
        constant RMSNormArgs & args  [[buffer(0)]],
        device const V * x           [[buffer(1)]],
        device const V * residual    [[buffer(2)]],
        device const V * w           [[buffer(3)]],
        device V * sum               [[buffer(4)]],
        device V * y                 [[buffer(5)]],
        threadgroup float * partial  [[threadgroup(0)]],
        uint row                     [[threadgroup_position_in_grid]],
        ushort thread_index          [[thread_position_in_threadgroup]],
        ushort threads               [[threads_per_threadgroup]],
        ushort lane                  [[thread_index_in_simdgroup]],
        ushort simdgroup             [[simdgroup_index_in_threadgroup]],
        ushort simdgroups            [[simdgroups_per_threadgroup]]) {
    const ulong first = ulong(row) * args.length;
    float squares = 0.0f;
    for (int i = thread_index; i < args.length; i += threads) {
        const V v = x[first + i] + residual[first + i];
        sum[first + i] = v;
        squares += square(v);
    }
    squares = group_sum(squares, partial, lane, simdgroup, simdgroups);
    const float scale = rsqrt(squares / args.columns + args.epsilon);
    for (int i = thread_index; i < args.length; i += threads) {
        y[first + i] = sum[first + i] * scale * (w[i] + args.offset); // the same lane wrote the sum
    }
}

template [[host_name("add_rms_norm_1")]] kernel decltype(add_rms_norm<float>) add_rms_norm<float>;
template [[host_name("add_rms_norm_4")]] kernel decltype(add_rms_norm<float4>) add_rms_norm<float4>;
