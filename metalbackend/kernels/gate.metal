// gate: y = activation(gate)·up, four values a lane as in add.

struct GateArgs { uint n; };

kernel void gate(
        constant GateArgs & args  [[buffer(0)]],
        device const float * x    [[buffer(1)]],
        device const float * up   [[buffer(2)]],
        device float * y          [[buffer(3)]],
        uint i                    [[thread_position_in_grid]]) {
    const uint first = 4 * i;
    if (first + 4 <= args.n) {
        const float4 v = ((device const float4 *) x)[i];
        ((device float4 *) y)[i] =
            float4(activate(v.x), activate(v.y), activate(v.z), activate(v.w)) * ((device const float4 *) up)[i];
        return;
    }
    for (uint j = first; j < args.n; j++) { y[j] = activate(x[j]) * up[j]; }
}
