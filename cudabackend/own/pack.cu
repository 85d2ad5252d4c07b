// pack: rows of x as halves, for product. Each row is multiplied with a power of two that
// brings its largest value to the upper end of what a half holds. With PARTS of 2, a row
// is the sum of two halves, of which the second has what the first leaves. Rows of w in F32
// and BF16 become halves in the same way.

namespace own {

struct PackArgs { int in, places, rows; }; // places: of a part, rows·in

enum { SHORT = 1024 }; // a warp takes a row of up to so many values, else a block

// four reads four values of a row of floats, or of BF16.
template <int BF16> MSL_FN float4 four(const char *row, int i) {
    if (BF16 == 0) return *(const float4 *) (row + 4 * i);
    const uint2 v = *(const uint2 *) (row + 2 * i);
    return float4(__uint_as_float(v.x << 16), __uint_as_float(v.x & 0xffff0000u), __uint_as_float(v.y << 16), __uint_as_float(v.y & 0xffff0000u));
}

template <int PARTS, int BF16>
MSL_FN void pack(PackArgs &args, const char *x, half *to, float *units) {
    __shared__ float largest[32];
    msl::wait_for_last();
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const bool alone = args.in <= SHORT; // a warp
    const int row = alone ? blockIdx.x * (blockDim.x / 32) + warp : blockIdx.x, index = alone ? lane : threadIdx.x, threads = alone ? 32 : blockDim.x;
    if (row >= args.rows) return; // with the whole warp or block
    const char *from = x + (long) row * args.in * (BF16 ? 2 : 4);
    float m = 0.0f;
    for (int i = 4 * index; i < args.in; i += 4 * threads) {
        const float v = largest_of(four<BF16>(from, i));
        m = v < FLT_MAX ? max(m, v) : m; // infinities stay what they are
    }
    m = simd_max(m);
    if (!alone) {
        if (lane == 0) largest[warp] = m;
        __syncthreads();
        m = simd_max(lane < (int) blockDim.x / 32 ? largest[lane] : 0.0f);
    }
    const int exponent = max((int) (__float_as_uint(m) >> 23) - 127, -100);
    const float scale = power_of_two(14 - exponent);
    if (index == 0) units[row] = power_of_two(exponent - 14);
    half *first = to + (long) row * args.in;
    for (int i = 4 * index; i < args.in; i += 4 * threads) {
        const float4 v = four<BF16>(from, i);
        const float scaled[4] = {v.x * scale, v.y * scale, v.z * scale, v.w * scale};
        unsigned upper[4], lower[4];
#pragma unroll
        for (int n = 0; n < 4; n++) {
            const half h(scaled[n]);
            upper[n] = h.v;
            lower[n] = half(fabsf(scaled[n]) < FLT_MAX ? scaled[n] - float(h) : 0.0f).v;
        }
        *(uint2 *) (first + i) = uint2(upper[0] | upper[1] << 16, upper[2] | upper[3] << 16);
        if (PARTS > 1) *(uint2 *) (first + args.places + i) = uint2(lower[0] | lower[1] << 16, lower[2] | lower[3] << 16);
    }
}

} // namespace own
