// rope: pairs of columns of each head turned by angles that grow with the
// position (Su et al. 2021, arXiv:2104.09864). A lane takes a pair, or one of the
// columns that pass where fewer turn.

struct RoPEArgs { int columns; int head; int pairs; float magnitude; }; // columns of a row and of a head

constant int FC_rope_interleaved [[function_constant(53)]]; // pairs are neighbours, not halves apart

// turn gives cosine (x) and sine (y) of an angle of up to 2²² turns, taking whole
// turns off first: 2π comes in two parts of which the first, times a whole
// number and subtracted in one rounding, leaves an exact difference.
static inline float2 turn(float angle) {
    const float turns = rint(angle * 0.15915494309f);
    float rest = fma(-turns, 6.2831855f, angle);
    rest = fma(turns, 1.7484556e-7f, rest); // 6.2831855 is that much above 2π
    return float2(cos(rest), sin(rest));
}

kernel void rope(
        constant RoPEArgs & args      [[buffer(0)]],
        device const float * x        [[buffer(1)]],
        device const int * positions  [[buffer(2)]],
        constant float * frequencies  [[buffer(3)]],
        device float * y              [[buffer(4)]],
        uint2 group                   [[threadgroup_position_in_grid]], // row, stretch of it
        ushort lane                   [[thread_index_in_simdgroup]]) {
    const int item = int(group.y) * SIMD + lane;
    const int items = args.head - args.pairs; // of a head
    const int head = item / items;
    const int i = item % items;
    if (head * args.head >= args.columns) { return; }

    const ulong first = ulong(group.x) * args.columns + head * args.head;
    if (i >= args.pairs) {
        y[first + args.pairs + i] = x[first + args.pairs + i];
        return;
    }
    const ulong a = first + (FC_rope_interleaved ? 2 * i : i);
    const ulong b = a + (FC_rope_interleaved ? 1 : args.pairs);
    const float2 t = turn(float(positions[group.x]) * frequencies[i]) * args.magnitude;
    const float u = x[a];
    const float v = x[b];
    y[a] = u * t.x - v * t.y;
    y[b] = v * t.x + u * t.y;
}
