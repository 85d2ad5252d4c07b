// Linear: y = act(x·wᵀ + bias), x [rows, in], w [out, in], y [rows, out]; and for
// the two halves of a gated layer y = act(x·wᵀ) ⊙ (x·upᵀ). Three kernels share
// what is here: linear_vec for one row of x and the types that most models have,
// linear_few for up to 8 rows and any type, linear_tile for more.

struct LinearArgs {
    int rows;
    int in;
    int out;
    int stride; // bytes of a row of w
};

constant int FC_linear_bias [[function_constant(10)]];    // there is a bias
constant int FC_linear_gate [[function_constant(11)]];    // multiply with the product with a second weight
constant int FC_linear_rows [[function_constant(12)]];    // linear_few: rows of x
constant int FC_linear_aligned [[function_constant(13)]]; // x can be read four values at a time

// linear_x reads x[at] to x[at + 3] of a row, zeros where the row ends before.
// at is a multiple of 4.
static inline float4 linear_x(device const float * row, int at, int in) {
    if (FC_linear_aligned != 0) { return at < in ? *(device const float4 *) (row + at) : float4(0.0f); }
    return float4(at < in ? row[at] : 0.0f, at + 1 < in ? row[at + 1] : 0.0f,
                  at + 2 < in ? row[at + 2] : 0.0f, at + 3 < in ? row[at + 3] : 0.0f);
}

// linear_bias is the bias of a column of y.
static inline float linear_bias(device const float * bias, int column) { return FC_linear_bias != 0 ? bias[column] : 0.0f; }

// linear_reduce adds up sum[0] to sum[count - 1] over the lanes of a simdgroup;
// after a barrier linear_total adds up those of all simdgroups.
static inline void linear_reduce(thread const float * sum, int count, threadgroup float * sums, ushort lane, ushort simdgroup) {
    for (int i = 0; i < count; i++) {
        const float total = simd_sum(sum[i]);
        if (lane == 0) { sums[simdgroup * count + i] = total; }
    }
}

static inline float linear_total(threadgroup const float * sums, int i, int count, ushort simdgroups) {
    float total = 0.0f;
    for (int s = 0; s < simdgroups; s++) { total += sums[s * count + i]; }
    return total;
}

// multiply_add is sum + a·b.
static inline float multiply_add(float4 a, float4 b, float sum) {
    return fma(a.w, b.w, fma(a.z, b.z, fma(a.y, b.y, fma(a.x, b.x, sum))));
}
