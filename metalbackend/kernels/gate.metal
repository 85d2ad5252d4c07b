// gate: y = activation(gate)·(up + shift), or activation(gate) alone, four values a lane as in add.

struct GateArgs { uint n; int alone; float limit; float shift; };

// gated returns one value. With a limit, x is bounded from above and up on both sides.
static inline float gated(constant GateArgs & args, float x, float up) {
    if (args.alone != 0) { return activate(x); }
    if (args.limit > 0.0f) {
        x = x > args.limit ? args.limit : x;
        up = bounded(up, args.limit);
    }
    return activate(x) * (up + args.shift);
}

kernel void gate(
        constant GateArgs & args  [[buffer(0)]],
        device const float * x    [[buffer(1)]],
        device const float * up   [[buffer(2)]],
        device float * y          [[buffer(3)]],
        uint i                    [[thread_position_in_grid]]) {
    const uint first = 4 * i;
    if (first + 4 <= args.n) {
        const float4 v = ((device const float4 *) x)[i];
        const float4 u = ((device const float4 *) up)[i];
        ((device float4 *) y)[i] = float4(gated(args, v.x, u.x), gated(args, v.y, u.y), gated(args, v.z, u.z), gated(args, v.w, u.w));
        return;
    }
    for (uint j = first; j < args.n; j++) { y[j] = gated(args, x[j], up[j]); }
}
