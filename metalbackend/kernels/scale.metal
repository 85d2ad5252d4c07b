// scale: y = factor·x, four values a lane as in add.

struct ScaleArgs { uint n; float factor; };

kernel void scale(
        constant ScaleArgs & args  [[buffer(0)]],
        device const float * x     [[buffer(1)]],
        device float * y           [[buffer(2)]],
        uint i                     [[thread_position_in_grid]]) {
    const uint first = 4 * i;
    if (first + 4 <= args.n) {
        ((device float4 *) y)[i] = ((device const float4 *) x)[i] * args.factor;
        return;
    }
    for (uint j = first; j < args.n; j++) { y[j] = x[j] * args.factor; }
}
