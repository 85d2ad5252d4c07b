// rope: turns pairs of columns of each head by angles that grow with the position
// (Su et al. 2021, arXiv:2104.09864). Columns after the pairs are copied. A lane takes
// one column of the result.

struct RoPEArgs { int columns; int head; int pairs; float magnitude; }; // columns of a row and of a head

constant int FC_rope_interleaved [[function_constant(53)]]; // pairs are neighbours, not halves apart

// turn returns cosine (x) and sine (y) of an angle of up to 2²² turns. It subtracts
// whole turns first. 2π is split into two parts: subtracting a whole multiple of the
// first, in one rounding, is exact.
static inline float2 turn(float angle) {
    const float turns = rint(angle * 0.15915494309f);
    float rest = fma(-turns, 6.2831855f, angle);
    rest = fma(turns, 1.7484556e-7f, rest); // 6.2831855 is that much above 2π
    return float2(cos(rest), sin(rest));
}

// rotated returns one column of a row of x, turned.
static inline float rotated(constant RoPEArgs & args, device const float * row, int column, int position, constant float * frequencies) {
    const int c = column % args.head;
    const float v = row[column];
    if (c >= 2 * args.pairs) { return v; }
    const bool second = FC_rope_interleaved ? c % 2 == 1 : c >= args.pairs;
    const int pair = FC_rope_interleaved ? c / 2 : (second ? c - args.pairs : c);
    const int apart = FC_rope_interleaved ? 1 : args.pairs;
    const float2 t = turn(float(position) * frequencies[pair]) * args.magnitude;
    const float other = row[second ? column - apart : column + apart];
    return second ? v * t.x + other * t.y : v * t.x - other * t.y;
}

kernel void rope(
        constant RoPEArgs & args      [[buffer(0)]],
        device const float * x        [[buffer(1)]],
        device const int * positions  [[buffer(2)]],
        constant float * frequencies  [[buffer(3)]],
        device float * y              [[buffer(4)]],
        uint2 group                   [[threadgroup_position_in_grid]], // row, stretch of it
        ushort lane                   [[thread_index_in_simdgroup]]) {
    const int column = int(group.y) * SIMD + lane;
    const ulong first = ulong(group.x) * args.columns;
    if (column < args.columns) { y[first + column] = rotated(args, x + first, column, positions[group.x], frequencies); }
}
