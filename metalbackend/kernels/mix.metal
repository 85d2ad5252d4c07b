// mix: adds up the slots of each row, each times its weight (engine.Graph.Mix). A lane
// takes four neighbouring values.

struct MixArgs { uint n; int cols; int slots; };

kernel void mix(
        constant MixArgs & args      [[buffer(0)]],
        device const float * x       [[buffer(1)]], // [rows, slots·cols]
        device const float * routes  [[buffer(2)]], // [rows, 2·slots]
        device float * y             [[buffer(3)]], // [rows, cols]
        uint i                       [[thread_position_in_grid]]) {
    for (uint j = 4 * i; j < min(4 * i + 4, args.n); j++) {
        const int row = int(j / uint(args.cols));
        const int col = int(j % uint(args.cols));
        device const float * weight = routes + (ulong) row * 2 * args.slots + args.slots;
        device const float * from = x + (ulong) row * args.slots * args.cols + col;
        float sum = 0.0f;
        for (int s = 0; s < args.slots; s++) { sum = fma(weight[s], from[(ulong) s * args.cols], sum); }
        y[j] = sum;
    }
}
