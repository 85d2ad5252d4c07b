// rms_norm: divides each stretch of a row by its root mean square and multiplies it
// with w plus an offset (Zhang and Sennrich 2019, arXiv:1910.07467). A threadgroup
// takes one stretch: a row, or a head of it. V as in rows.
//
// rms_norm_add does the same with x + residual, and has the sums as a result of its own.

struct RMSNormArgs { int length; float columns; float epsilon; float offset; }; // length of a stretch in Vs

// rms_norm_scale returns the factor of a stretch from the sum of its squares, of which
// each lane has a part.
static inline float rms_norm_scale(constant RMSNormArgs & args, float squares, threadgroup float * partial,
                                   ushort lane, ushort simdgroup, ushort simdgroups) {
    return rsqrt(group_sum(squares, partial, lane, simdgroup, simdgroups) / args.columns + args.epsilon);
}

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
    const ulong first = ulong(stretch) * args.length;
    float squares = 0.0f;
    for (int i = thread_index; i < args.length; i += threads) { squares += square(x[first + i]); }
    const float scale = rms_norm_scale(args, squares, partial, lane, simdgroup, simdgroups);
    for (int i = thread_index; i < args.length; i += threads) {
        y[first + i] = x[first + i] * scale * (w[i] + args.offset);
    }
}

template <typename V>
kernel void rms_norm_add(
        constant RMSNormArgs & args  [[buffer(0)]],
        device const V * x           [[buffer(1)]],
        device const V * residual    [[buffer(2)]],
        device const V * w           [[buffer(3)]],
        device V * sum               [[buffer(4)]],
        device V * y                 [[buffer(5)]],
        threadgroup float * partial  [[threadgroup(0)]],
        uint stretch                 [[threadgroup_position_in_grid]],
        ushort thread_index          [[thread_position_in_threadgroup]],
        ushort threads               [[threads_per_threadgroup]],
        ushort lane                  [[thread_index_in_simdgroup]],
        ushort simdgroup             [[simdgroup_index_in_threadgroup]],
        ushort simdgroups            [[simdgroups_per_threadgroup]]) {
    const ulong first = ulong(stretch) * args.length;
    float squares = 0.0f;
    for (int i = thread_index; i < args.length; i += threads) {
        const V v = x[first + i] + residual[first + i];
        sum[first + i] = v;
        squares += square(v);
    }
    const float scale = rms_norm_scale(args, squares, partial, lane, simdgroup, simdgroups);
    for (int i = thread_index; i < args.length; i += threads) {
        y[first + i] = sum[first + i] * scale * (w[i] + args.offset);
    }
}

template [[host_name("rms_norm_1")]] kernel decltype(rms_norm<float>) rms_norm<float>;
template [[host_name("rms_norm_4")]] kernel decltype(rms_norm<float4>) rms_norm<float4>;
template [[host_name("rms_norm_add_1")]] kernel decltype(rms_norm_add<float>) rms_norm_add<float>;
template [[host_name("rms_norm_add_4")]] kernel decltype(rms_norm_add<float4>) rms_norm_add<float4>;
