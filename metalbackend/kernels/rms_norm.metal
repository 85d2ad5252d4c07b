// rms_norm: divides each stretch of a row by its root mean square and multiplies it
// with w plus an offset (Zhang and Sennrich 2019, arXiv:1910.07467). A threadgroup
// takes one stretch: a row, or a head of it. V as in rows.
//
// With a residual, sum = x + residual is computed first and is a result as well. y may
// be the same memory as x or residual: only the lane that writes an element reads it,
// and it reads first.

struct RMSNormArgs { int length; float columns; float epsilon; float offset; }; // length of a stretch in Vs

constant int FC_rms_norm_residual [[function_constant(50)]];

template <typename V>
kernel void rms_norm(
        constant RMSNormArgs & args  [[buffer(0)]],
        device const V * x           [[buffer(1)]],
        device const V * residual    [[buffer(2)]], // x where there is none
        device const V * w           [[buffer(3)]],
        device V * sum               [[buffer(4)]], // y where there is no residual
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
        V v = x[first + i];
        if (FC_rms_norm_residual) {
            v += residual[first + i];
            sum[first + i] = v;
        }
        squares += square(v);
    }
    squares = group_sum(squares, partial, lane, simdgroup, simdgroups);
    const float scale = rsqrt(squares / args.columns + args.epsilon);
    for (int i = thread_index; i < args.length; i += threads) {
        const V v = FC_rms_norm_residual ? sum[first + i] : x[first + i];
        y[first + i] = v * scale * (w[i] + args.offset);
    }
}

template [[host_name("rms_norm_1")]] kernel decltype(rms_norm<float>) rms_norm<float>;
template [[host_name("rms_norm_4")]] kernel decltype(rms_norm<float4>) rms_norm<float4>;
