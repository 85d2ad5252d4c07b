// norm: layer_norm of layer_norm.metal whose rows become halves too, as pack makes them,
// for the products that come next. A warp takes a row, and keeps it in registers.

#undef MSL_BOUNDS
#define MSL_BOUNDS __launch_bounds__(256)

namespace own {

struct NormArgs { LayerNormArgs norm; int places, rows; }; // places: of a part of the halves

template <int PARTS, int FOURS> // of a lane
MSL_FN void norm(NormArgs &args, const float4 *x, const float4 *residual, const float4 *w, const float4 *bias, float4 *y, half *to, float *units) {
    msl::wait_for_last();
    const int lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, length = args.norm.length;
    if (row >= args.rows) return; // with the whole warp
    const long first = (long) row * length;
    float4 v[FOURS];
    float mean = 0.0f, squares = 0.0f, m = 0.0f;
#pragma unroll
    for (int n = 0; n < FOURS; n++) {
        const int i = lane + 32 * n;
        v[n] = i < length ? x[first + i] : float4(0.0f);
        if (FC_layer_norm_residual && i < length) v[n] += residual[first + i];
        mean += total(v[n]);
    }
    mean = simd_sum(mean) / args.norm.columns;
#pragma unroll
    for (int n = 0; n < FOURS; n++)
        if (lane + 32 * n < length) squares += square(v[n] - mean);
    const float scale = rsqrt(simd_sum(squares) / args.norm.columns + args.norm.epsilon);
#pragma unroll
    for (int n = 0; n < FOURS; n++) {
        const int i = lane + 32 * n;
        if (i >= length) break;
        v[n] = (v[n] - mean) * scale * w[i];
        if (FC_layer_norm_bias) v[n] += bias[i];
        y[first + i] = v[n];
        m = largest_finite(m, v[n]);
    }
    const float unit = unit_of(simd_max(m), units + row, lane == 0);
#pragma unroll
    for (int n = 0; n < FOURS; n++)
        if (lane + 32 * n < length) put_halves<PARTS>(to + 4 * (first + lane + 32 * n), args.places, v[n], unit);
}

} // namespace own
