// l2_normalize: each row divided by its Euclidean norm, at least 1e-12. A
// threadgroup takes one row. V as in rows.

struct L2NormalizeArgs { int length; }; // of a row, in Vs

template <typename V>
kernel void l2_normalize(
        constant L2NormalizeArgs & args  [[buffer(0)]],
        device const V * x               [[buffer(1)]],
        device V * y                     [[buffer(2)]],
        threadgroup float * partial      [[threadgroup(0)]],
        uint row                         [[threadgroup_position_in_grid]],
        ushort thread_index              [[thread_position_in_threadgroup]],
        ushort threads                   [[threads_per_threadgroup]],
        ushort lane                      [[thread_index_in_simdgroup]],
        ushort simdgroup                 [[simdgroup_index_in_threadgroup]],
        ushort simdgroups                [[simdgroups_per_threadgroup]]) {
    x += ulong(row) * args.length;
    y += ulong(row) * args.length;
    float squares = 0.0f;
    for (int i = thread_index; i < args.length; i += threads) { squares += square(x[i]); }
    squares = group_sum(squares, partial, lane, simdgroup, simdgroups);
    const float norm = max(sqrt(squares), 1e-12f);
    for (int i = thread_index; i < args.length; i += threads) { y[i] = x[i] / norm; }
}

template [[host_name("l2_normalize_1")]] kernel decltype(l2_normalize<float>) l2_normalize<float>;
template [[host_name("l2_normalize_4")]] kernel decltype(l2_normalize<float4>) l2_normalize<float4>;
