#include <metal_stdlib>
using namespace metal;
#line 1 "sample.metal"
constexpr constant int SIZE = 32; // of a block

struct ScaleArgs { int n, m; float factor; };
struct Block {
    half scale;
    uchar values[SIZE / 2];
};

constant int FC_twice [[function_constant(7)]];
constant int FC_more [[function_constant(8)]];

/* A helper
   of two lines. */
static inline float scaled(float x, float factor) {
    return FC_twice != 0 ? 2.0f * x * factor : x * factor;
}

// kernels

kernel void scale(
        constant ScaleArgs & args    [[buffer(0)]],
        device const float * x       [[buffer(1)]],
        device float * y             [[buffer(2)]],
        threadgroup float * partial  [[threadgroup(0)]],
        uint2 at                     [[thread_position_in_grid]],
        ushort lane                  [[thread_index_in_simdgroup]]) {
    partial[lane] = 0.0f;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (int(at.x) < args.n) { y[at.x] = scaled(x[at.x], args.factor) + partial[lane]; }
}

struct Twice {
    static float of(float x) { return FC_more != 0 ? scaled(x, 2.0f) : x; }
};
struct Once {
    static float unchanged(float x) { return x; }
};

template <typename T, typename Change>
kernel void tiles(device T * x [[buffer(0)]], device const Block * b [[buffer(1)]], ushort3 at [[threadgroup_position_in_grid]]) {
    x[at.x] = T(float(b[at.x].scale));
}
template [[host_name("tiles_f32")]] kernel decltype(tiles<float, Twice>) tiles<float, Twice>;
template [[host_name("tiles_f16")]] kernel decltype(tiles<half, Once>) tiles<half, Once>;
