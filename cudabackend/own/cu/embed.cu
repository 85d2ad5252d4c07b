// embed: rows of a table, as embed.metal does; a lane puts four of its 16 columns at a time.

namespace own {

template <typename Type>
MSL_FN void embed(EmbedArgs &args, const uchar *table, const int *ids, float *y, uint2 group, ushort lane) {
    msl::wait_for_last();
    const int first = ((int) group.y * 32 + lane) * 16, count = min(16, args.columns - first);
    if (count <= 0) return;
    float values[16];
    Type::decode(table + (ulong) ids[group.x] * args.row_bytes, first, count, values);
    float *to = y + (ulong) group.x * args.columns + first;
    if (args.columns % 4 == 0) {
#pragma unroll
        for (int i = 0; i < 16; i += 4)
            if (i < count) *(float4 *) (to + i) = float4(values[i], values[i + 1], values[i + 2], values[i + 3]);
    } else {
        for (int i = 0; i < count; i++) to[i] = values[i];
    }
}

} // namespace own
