// soft_cap: y = limit·tanh(x/limit), four values a lane as in add.

struct SoftCapArgs { uint n; float limit; };

static inline float soft_cap_of(float x, float limit) { return limit * tanh_of(x / limit); }

kernel void soft_cap(
        constant SoftCapArgs & args  [[buffer(0)]],
        device const float * x       [[buffer(1)]],
        device float * y             [[buffer(2)]],
        uint i                       [[thread_position_in_grid]]) {
    const float limit = args.limit;
    const uint first = 4 * i;
    if (first + 4 <= args.n) {
        const float4 v = ((device const float4 *) x)[i];
        ((device float4 *) y)[i] =
            float4(soft_cap_of(v.x, limit), soft_cap_of(v.y, limit), soft_cap_of(v.z, limit), soft_cap_of(v.w, limit));
        return;
    }
    for (uint j = first; j < args.n; j++) { y[j] = soft_cap_of(x[j], limit); }
}
