// pack: rows of x as halves, for product; rows of w in F32 and BF16 in the same way. pack_pair
// does so with two matrices, as of keys and values, each of which has half of the blocks.

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
    for (int i = 4 * index; i < args.in; i += 4 * threads) m = largest_finite(m, four<BF16>(from, i));
    m = simd_max(m);
    if (!alone) {
        if (lane == 0) largest[warp] = m;
        __syncthreads();
        m = simd_max(lane < (int) blockDim.x / 32 ? largest[lane] : 0.0f);
    }
    const float scale = unit_of(m, units + row, index == 0);
    half *first = to + (long) row * args.in;
    for (int i = 4 * index; i < args.in; i += 4 * threads) put_halves<PARTS>(first + i, args.places, four<BF16>(from, i), scale);
}

template <int PARTS>
MSL_FN void pack_pair(PackArgs &args, const char *x0, half *to0, float *units0, const char *x1, half *to1, float *units1) {
    const bool second = blockIdx.y > 0;
    pack<PARTS, 0>(args, second ? x1 : x0, second ? to1 : to0, second ? units1 : units0);
}

} // namespace own
