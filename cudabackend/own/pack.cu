// pack: rows of x as halves, for product. Each row is multiplied with a power of two that
// brings its largest value to the upper end of what a half holds. With PARTS of 2, a row
// is the sum of two halves, of which the second has what the first leaves.

namespace own {

struct PackArgs { int in, places; }; // places: of a part, rows·in

template <int PARTS>
MSL_FN void pack(PackArgs &args, const float *x, half *to, float *units) {
    __shared__ float largest[32];
    msl::wait_for_last();
    const int row = blockIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const float *from = x + (long) row * args.in;
    float m = 0.0f;
    for (int i = 4 * threadIdx.x; i < args.in; i += 4 * blockDim.x) {
        const float v = largest_of(*(const float4 *) (from + i));
        m = v < FLT_MAX ? max(m, v) : m; // infinities stay what they are
    }
    m = simd_max(m);
    if (lane == 0) largest[warp] = m;
    __syncthreads();
    m = simd_max(lane < (int) blockDim.x / 32 ? largest[lane] : 0.0f);
    const int exponent = max((int) (__float_as_uint(m) >> 23) - 127, -100);
    const float scale = power_of_two(14 - exponent);
    if (threadIdx.x == 0) units[row] = power_of_two(exponent - 14);
    half *first = to + (long) row * args.in;
    for (int i = 4 * threadIdx.x; i < args.in; i += 4 * blockDim.x) {
        const float4 v = *(const float4 *) (from + i);
        const float scaled[4] = {v.x * scale, v.y * scale, v.z * scale, v.w * scale};
#pragma unroll
        for (int n = 0; n < 4; n++) {
            const half h(scaled[n]);
            first[i + n] = h;
            if (PARTS > 1) first[args.places + i + n] = half(fabsf(scaled[n]) < FLT_MAX ? scaled[n] - float(h) : 0.0f);
        }
    }
}

} // namespace own
