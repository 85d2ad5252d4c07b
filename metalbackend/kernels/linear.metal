// Linear: y = act(x·wᵀ + bias), x [rows, in], w [out, in], y [rows, out]; and for
// the two halves of a gated layer y = act(x·wᵀ) ⊙ (x·upᵀ). Three kernels share this
// file: linear_vec for one row of x and the types that most models have, linear_few
// for up to 8 rows and any type, linear_tile for more.
//
// Sums are arrays in registers, which need constant indexes, so loops over them are
// unrolled.

struct LinearArgs {
    int rows;
    int in;
    int out;
    int stride; // bytes of a row of w
};

constant int FC_linear_bias [[function_constant(10)]];    // there is a bias
constant int FC_linear_gate [[function_constant(11)]];    // multiply with the product with a second weight
constant int FC_linear_rows [[function_constant(12)]];    // linear_few: rows of x
constant int FC_linear_aligned [[function_constant(13)]]; // x, and w in plain numbers, can be read four values at a time
constant int FC_linear_own [[function_constant(14)]];     // linear_vec, linear_few: each simdgroup has columns of its own, else all share some

// linear_x reads x[at] to x[at + 3] of a row, with zeros past its end. at is a
// multiple of 4.
static inline float4 linear_x(device const float * row, int at, int in) {
    if (FC_linear_aligned != 0) { return at < in ? *(device const float4 *) (row + at) : float4(0.0f); }
    return float4(at < in ? row[at] : 0.0f, at + 1 < in ? row[at + 1] : 0.0f,
                  at + 2 < in ? row[at + 2] : 0.0f, at + 3 < in ? row[at + 3] : 0.0f);
}

// linear_bias returns the bias of a column of y, 0 if there is none.
static inline float linear_bias(device const float * bias, int column) { return FC_linear_bias != 0 ? bias[column] : 0.0f; }

// linear_total adds sum i of all simdgroups, each of which has stored count sums in
// threadgroup memory.
static inline float linear_total(threadgroup const float * sums, int i, int count, ushort simdgroups) {
    float total = 0.0f;
    for (int s = 0; s < simdgroups; s++) { total += sums[s * count + i]; }
    return total;
}

// multiply_add returns sum + a·b.
static inline float multiply_add(float4 a, float4 b, float sum) {
    return fma(a.w, b.w, fma(a.z, b.z, fma(a.y, b.y, fma(a.x, b.x, sum))));
}

// Four weights in plain numbers, read as one vector. FC_linear_aligned says whether
// they are aligned for that.

struct QuadF32 {
    enum { bytes = 16 };
    static inline float4 load(device const uchar * w) { return *(device const float4 *) w; }
};

struct QuadF16 {
    enum { bytes = 8 };
    static inline float4 load(device const uchar * w) { return float4(*(device const half4 *) w); }
};

struct QuadBF16 {
    enum { bytes = 8 };
    static inline float4 load(device const uchar * w) {
        const ushort4 v = *(device const ushort4 *) w;
        return float4(from_bfloat(v.x), from_bfloat(v.y), from_bfloat(v.z), from_bfloat(v.w));
    }
};

// Quads reads a plain type as vectors where they are aligned.
template <typename Plain, typename Quad>
struct Quads {
    static inline void decode(device const uchar * row, uint first, int count, thread float (&out)[16]) {
        if (FC_linear_aligned == 0) {
            Plain::decode(row, first, count, out);
            return;
        }
        for (int i = 0; i < 16; i += 4) {
            const float4 v = i < count ? Quad::load(row + (first + i) / 4 * Quad::bytes) : float4(0.0f);
            out[i] = v.x;
            out[i + 1] = v.y;
            out[i + 2] = v.z;
            out[i + 3] = v.w;
        }
    }
};
