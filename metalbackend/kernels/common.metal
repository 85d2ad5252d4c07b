// What all kernels share. Metal compiles the files joined into one text, in which this
// file comes first. It is the only one with includes.
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

constexpr constant int SIMD = 32; // lanes of a simdgroup on every Apple GPU; the host checks it

// ---- reductions over a threadgroup
//
// Every lane gets the sum. partial holds a float for every simdgroup, 32 at most. No
// other reduction may use the same memory: so each needs a single barrier. A
// threadgroup of one simdgroup needs neither memory nor barrier.

static inline float group_sum(float v, threadgroup float * partial, ushort lane, ushort simdgroup, ushort simdgroups) {
    v = simd_sum(v);
    if (simdgroups > 1) {
        if (lane == 0) { partial[simdgroup] = v; }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        v = simd_sum(lane < simdgroups ? partial[lane] : 0.0f);
    }
    return v;
}

constexpr constant int COLLECTED = 8;

// collect adds up eight sums, of which each of eight neighbouring lanes has a part. It
// returns sum i to lane i of the eight.
static inline float collect(thread float (&part)[COLLECTED], ushort lane) {
    const bool first = lane & 1;
    const bool second = lane & 2;
    const bool third = lane & 4;
    float four[4];
    #pragma unroll
    for (int i = 0; i < 4; i++) {
        four[i] = (first ? part[2 * i + 1] : part[2 * i]) + simd_shuffle_xor(first ? part[2 * i] : part[2 * i + 1], 1);
    }
    float two[2];
    #pragma unroll
    for (int i = 0; i < 2; i++) {
        two[i] = (second ? four[2 * i + 1] : four[2 * i]) + simd_shuffle_xor(second ? four[2 * i] : four[2 * i + 1], 2);
    }
    return (third ? two[1] : two[0]) + simd_shuffle_xor(third ? two[0] : two[1], 4);
}

// ---- operations on V, which is float4 if a row's length allows it, else float

static inline float total(float v) { return v; }
static inline float total(float4 v) { return (v.x + v.y) + (v.z + v.w); }

static inline float square(float v) { return v * v; }
static inline float square(float4 v) { return dot(v, v); }

// ---- 16-bit floats from their bits: exact, and no bfloat type is needed,
// which the first GPU families lack

static inline float from_half(ushort bits) { return float(as_type<half>(bits)); }

static inline float from_bfloat(ushort bits) { return as_type<float>(uint(bits) << 16); }

// ---- elementary functions that Metal lacks or that overflow there
//
// The fractions are those of the CPU backend, fitted for this program. A NaN stays a
// NaN in all of them, so that it is noticed; clamp, min and max would hide it.

static inline float bounded(float x, float limit) { return x > limit ? limit : (x < -limit ? -limit : x); }

// normal_fraction returns P(x²) and Q(x²) of normal_cdf.
static inline float2 normal_fraction(float x) {
    const float t = x * x;
    float p = 2.285017508540932e-08f;
    p = fma(p, t, 6.326721177174477e-06f);
    p = fma(p, t, 0.00016661142581142485f);
    p = fma(p, t, 0.00466383621096611f);
    p = fma(p, t, 0.033646468073129654f);
    p = fma(p, t, 0.3989422619342804f);
    float q = 1.198548375214159e-06f;
    q = fma(q, t, 7.288155029527843e-05f);
    q = fma(q, t, 0.0018720419611781836f);
    q = fma(q, t, 0.028525758534669876f);
    q = fma(q, t, 0.2510053813457489f);
    q = fma(q, t, 1.0f);
    return float2(p, q);
}

// Φ(x) = ½ + x·P(x²)/Q(x²), the distribution function of the standard normal
// distribution: absolute error 1e-8 before rounding.
static inline float normal_cdf(float x) {
    if (x < -5.5f) { return 0.0f; } // Φ is below 2e-8, and the fraction's error, times x, would grow
    x = x > 5.5f ? 5.5f : x;
    const float2 fraction = normal_fraction(x);
    return fma(x, fraction.x / fraction.y, 0.5f);
}

// tanh(x) = x·P(x²)/Q(x²), relative error 2e-8 before rounding; ±1 beyond ±9.
static inline float tanh_of(float x) {
    x = bounded(x, 9.0f);
    const float t = x * x;
    float p = 1.3355047734364689e-08f;
    p = fma(p, t, 2.0609550119843334e-05f);
    p = fma(p, t, 0.003495625453069806f);
    p = fma(p, t, 0.1338105946779251f);
    p = fma(p, t, 1.0f);
    float q = 7.776770871714689e-07f;
    q = fma(q, t, 0.0003285689454060048f);
    q = fma(q, t, 0.025877133011817932f);
    q = fma(q, t, 0.4671437442302704f);
    q = fma(q, t, 1.0f);
    return x * p / q;
}

// 1/(1 + e^-x), by e^-|x|, which cannot overflow.
static inline float sigmoid(float x) {
    const float e = exp(-fabs(x));
    return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

// ---- activations, numbered as engine.Activation

constant int FC_activation [[function_constant(1)]];

enum { GELU = 1, GELU_TANH, QUICK_GELU, RELU, SILU, TANH, SIGMOID };

// activate applies the activation that the pipeline was made for.
static inline float activate(float x) {
    switch (FC_activation) {
    case GELU:
        return x * normal_cdf(x);
    case GELU_TANH: // ½x·(1 + tanh(√(2/π)·(x + 0.044715·x³)))
        return 0.5f * x * (1.0f + tanh_of(0.79788456f * x * (1.0f + 0.044715f * x * x)));
    case QUICK_GELU:
        return x * sigmoid(1.702f * x);
    case RELU:
        return x < 0.0f ? 0.0f : x;
    case SILU:
        return x * sigmoid(x);
    case TANH:
        return tanh_of(x);
    case SIGMOID:
        return sigmoid(x);
    default:
        return x;
    }
}
