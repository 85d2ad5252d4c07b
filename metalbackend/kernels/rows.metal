// rows: row i of y is row indexes[i] of x. V is float4 where the length of a row is a
// multiple of 4, so that all rows begin at multiples of 16 bytes; else it is float.

struct RowsArgs { int length; }; // of a row, in Vs

template <typename V>
kernel void rows(
        constant RowsArgs & args    [[buffer(0)]],
        device const V * x          [[buffer(1)]],
        device const int * indexes  [[buffer(2)]],
        device V * y                [[buffer(3)]],
        uint2 group                 [[threadgroup_position_in_grid]], // row, stretch of it
        ushort lane                 [[thread_index_in_simdgroup]]) {
    const int i = int(group.y) * SIMD + lane;
    if (i < args.length) {
        y[ulong(group.x) * args.length + i] = x[ulong(indexes[group.x]) * args.length + i];
    }
}

template [[host_name("rows_1")]] kernel decltype(rows<float>) rows<float>;
template [[host_name("rows_4")]] kernel decltype(rows<float4>) rows<float4>;
