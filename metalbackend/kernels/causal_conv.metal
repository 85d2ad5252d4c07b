// causal_conv: y = activation(Σ_j w[j]·(the row width-1-j before)), column by column.
// A lane takes one value of y, or behind the rows one of the state that is written:
// the last width-1 rows. Rows before the first are in the state that is read.

struct CausalConvArgs { int rows; int columns; int width; int fresh; }; // fresh: that state is all zeros

// conv_row returns column c of row i, which is negative in the state.
static inline float conv_row(constant CausalConvArgs & args, device const float * x, device const float * from, int i, int c) {
    if (i >= 0) { return x[ulong(i) * args.columns + c]; }
    if (args.fresh != 0) { return 0.0f; }
    return from[ulong(args.width - 1 + i) * args.columns + c];
}

kernel void causal_conv(
        constant CausalConvArgs & args  [[buffer(0)]],
        device const float * x          [[buffer(1)]],
        device const float * w          [[buffer(2)]],
        device const float * from       [[buffer(3)]], // x where the state is all zeros
        device float * to               [[buffer(4)]],
        device float * y                [[buffer(5)]],
        uint2 at                        [[thread_position_in_grid]]) { // column, row
    const int c = int(at.x);
    const int row = int(at.y);
    if (c < args.columns) {
        if (row < args.rows) {
            float sum = 0.0f;
            for (int j = 0; j < args.width; j++) {
                sum = fma(w[ulong(c) * args.width + j], conv_row(args, x, from, row - (args.width - 1) + j, c), sum);
            }
            y[ulong(row) * args.columns + c] = activate(sum);
        } else if (row < args.rows + args.width - 1) {
            to[ulong(row - args.rows) * args.columns + c] = conv_row(args, x, from, row - (args.width - 1), c);
        }
    }
}
