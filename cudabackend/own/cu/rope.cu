// rope: turns pairs of columns, as rope.metal does, in larger blocks.

namespace own {

MSL_FN void rope(RoPEArgs &args, const float *x, const int *positions, float *frequencies, float *y, uint2 group, ushort) {
    msl::wait_for_last();
    const int column = (int) (group.y * blockDim.x + threadIdx.x);
    const ulong first = (ulong) group.x * args.columns;
    if (column < args.columns) y[first + column] = rotated(args, x + first, column, positions[group.x], frequencies);
}

} // namespace own
