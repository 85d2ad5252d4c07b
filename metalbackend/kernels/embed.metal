// embed: row i of y is row ids[i] of a table of any weight type. A lane takes 16
// columns, as many as decode returns.

struct EmbedArgs { int columns; uint row_bytes; };

template <typename T>
kernel void embed(
        constant EmbedArgs & args   [[buffer(0)]],
        device const uchar * table  [[buffer(1)]],
        device const int * ids      [[buffer(2)]],
        device float * y            [[buffer(3)]],
        uint2 group                 [[threadgroup_position_in_grid]], // row, stretch of it
        ushort lane                 [[thread_index_in_simdgroup]]) {
    const int first = (int(group.y) * SIMD + lane) * 16;
    const int count = min(16, args.columns - first);
    if (count > 0) {
        float values[16];
        T::decode(table + ulong(ids[group.x]) * args.row_bytes, first, count, values);
        device float * out = y + ulong(group.x) * args.columns + first;
        for (int i = 0; i < count; i++) { out[i] = values[i]; }
    }
}
