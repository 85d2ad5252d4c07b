// linear_vec: one row of x. A simdgroup computes ROWS neighbouring values of y, or all
// simdgroups of a threadgroup share the sums of these. A thread takes its part of some
// blocks of ROWS rows of w, and keeps the values of x for that part in registers.
//
// A type of weights is a struct, here and in the files linear_vec_*:
//
//     T::VALUES, T::BYTES    values and bytes of a block
//     T::PARTS, T::ROWS      threads that share a block; rows that a thread takes side by side
//     T::load(x, part)       the values of x for a part of a block, in the form that dot takes
//     T::dot(w, x, part)     their product with that part of block w
//
// Levels are not shifted down in their 16-bit words, only masked. load scales x down
// to make up for it.

constexpr constant float NIBBLE = 1.0f / 16.0f; // for levels in the upper half of a byte

static inline float4 by_byte() { return float4(1.0f, 1.0f / 256.0f, 1.0f, 1.0f / 256.0f); } // every other level is in an upper byte

// Words are eight levels.
struct Words {
    ushort a, b, c, d;
};

static inline Words words(device const ushort * q) {
    Words w;
    w.a = q[0];
    w.b = q[1];
    w.c = q[2];
    w.d = q[3];
    return w;
}

// joined returns levels whose lower bits are in q and whose upper bits are in upper.
static inline Words joined(Words q, int shift, ushort mask, Words upper, int upper_shift, ushort upper_mask, int place) {
    Words w;
    w.a = ((q.a >> shift) & mask) | (((upper.a >> upper_shift) & upper_mask) << place);
    w.b = ((q.b >> shift) & mask) | (((upper.b >> upper_shift) & upper_mask) << place);
    w.c = ((q.c >> shift) & mask) | (((upper.c >> upper_shift) & upper_mask) << place);
    w.d = ((q.d >> shift) & mask) | (((upper.d >> upper_shift) & upper_mask) << place);
    return w;
}

// Eight holds eight neighbouring values of x, scaled, and their sum before scaling.
struct Eight {
    float4 a, b;
    float sum;
};

static inline Eight eight(device const float * x, float4 scale) {
    device const float4 * v = (device const float4 *) x;
    Eight e;
    e.a = v[0] * scale;
    e.b = v[1] * scale;
    e.sum = ((v[0].x + v[0].y) + (v[0].z + v[0].w)) + ((v[1].x + v[1].y) + (v[1].z + v[1].w));
    return e;
}

// product returns sum + x·levels; a word holds two levels, one under each mask.
static inline float product(thread const Eight & x, Words q, ushort low, ushort high, float sum) {
    sum = multiply_add(float4(float(q.a & low), float(q.a & high), float(q.b & low), float(q.b & high)), x.a, sum);
    return multiply_add(float4(float(q.c & low), float(q.c & high), float(q.d & low), float(q.d & high)), x.b, sum);
}

// linear_vec_sums computes one lane's part of the products of x with ROWS rows of w. A
// lane has every step-th block from first on. Rows past the end repeat the last one.
template <typename Type>
static inline void linear_vec_sums(constant LinearArgs & args, device const float * x, device const uchar * w, int column,
                                   int first, int step, int part, thread float (&sum)[Type::ROWS]) {
    const int last = clamp(args.out - column, 1, int(Type::ROWS)) - 1;
    const int stride = args.stride;
    w += (ulong) min(column, args.out - 1) * stride;
    #pragma unroll
    for (int i = 0; i < Type::ROWS; i++) { sum[i] = 0.0f; }
    for (int block = first; block < args.in / Type::VALUES; block += step) {
        const typename Type::X v = Type::load(x + block * Type::VALUES, part);
        #pragma unroll
        for (int i = 0; i < Type::ROWS; i++) {
            sum[i] += Type::dot(w + min(i, last) * stride + block * Type::BYTES, v, part);
        }
    }
}

// linear_vec_total adds up the lanes' parts and returns sum i to lane i.
template <typename Type>
static inline float linear_vec_total(thread float (&sum)[Type::ROWS], ushort lane) {
    float own = 0.0f;
    #pragma unroll
    for (int i = 0; i < Type::ROWS; i++) {
        const float all = simd_sum(sum[i]);
        own = lane == i ? all : own;
    }
    return own;
}

template <typename Type>
kernel void linear_vec(
        constant LinearArgs & args [[buffer(0)]],
        device const float * x     [[buffer(1)]],
        device const uchar * w     [[buffer(2)]],
        device const float * bias  [[buffer(3)]], // x where there is none
        device float * y           [[buffer(4)]],
        device const uchar * up    [[buffer(5)]], // w where there is no gate
        threadgroup float * shared [[threadgroup(0)]], // ROWS sums for every simdgroup, twice as many with a gate; unused where each has its own
        uint   group      [[threadgroup_position_in_grid]],
        ushort index      [[thread_index_in_threadgroup]],
        ushort lane       [[thread_index_in_simdgroup]],
        ushort simdgroup  [[simdgroup_index_in_threadgroup]],
        ushort simdgroups [[simdgroups_per_threadgroup]]) {
    const bool own = FC_linear_own != 0;
    const int column = (own ? int(group) * simdgroups + simdgroup : int(group)) * Type::ROWS;
    const int part = lane % Type::PARTS;
    const int first = (own ? lane : index) / Type::PARTS;
    const int step = (own ? 1 : simdgroups) * (SIMD / Type::PARTS);
    float sums[Type::ROWS];
    linear_vec_sums<Type>(args, x, w, column, first, step, part, sums);
    float sum = linear_vec_total<Type>(sums, lane);
    float factor = 1.0f;
    if (FC_linear_gate != 0) {
        linear_vec_sums<Type>(args, x, up, column, first, step, part, sums);
        factor = linear_vec_total<Type>(sums, lane);
    }
    if (!own) {
        threadgroup float * factors = shared + simdgroups * Type::ROWS;
        if (lane < Type::ROWS) {
            shared[simdgroup * Type::ROWS + lane] = sum;
            if (FC_linear_gate != 0) { factors[simdgroup * Type::ROWS + lane] = factor; }
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        if (index < Type::ROWS) {
            sum = linear_total(shared, index, Type::ROWS, simdgroups);
            if (FC_linear_gate != 0) { factor = linear_total(factors, index, Type::ROWS, simdgroups); }
        }
    }
    const int i = own ? lane : index;
    if (i < Type::ROWS && column + i < args.out) {
        const float v = activate(sum + linear_bias(bias, column + i));
        y[column + i] = FC_linear_gate != 0 ? v * factor : v;
    }
}

// Plain types: a block is a vector of four values.
template <typename Quad>
struct VecPlain {
    enum { VALUES = 4, BYTES = Quad::bytes, PARTS = 1, ROWS = 4 };
    typedef float4 X;
    static inline X load(device const float * x, int) { return *(device const float4 *) x; }
    static inline float dot(device const uchar * w, thread const X & x, int) { return multiply_add(Quad::load(w), x, 0.0f); }
};
