// Planted mistakes. None of these kernels is in the program: the check has to
// refuse every one, and the last, which has none, it has to let pass.
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

struct PlantedArgs { int n; };

// No barrier between the write and the read of threadgroup memory.
kernel void race(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        device float * z             [[buffer(2)]],
        threadgroup float * shared   [[threadgroup(0)]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    shared[i] = 0.0f;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    shared[i] = float(i);
    y[i] = shared[(i + 1) % 64];
}

// No barrier between the read and the next write.
kernel void race_after_read(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        device float * z             [[buffer(2)]],
        threadgroup float * shared   [[threadgroup(0)]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    shared[i] = 0.0f;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    y[i] = shared[(i + 1) % 64];
    shared[i] = 1.0f;
}

// A barrier of the simdgroup where lanes of two of them meet.
kernel void narrow_barrier(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        device float * z             [[buffer(2)]],
        threadgroup float * shared   [[threadgroup(0)]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    shared[i] = 0.0f;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    shared[i] = float(i);
    simdgroup_barrier(mem_flags::mem_threadgroup);
    y[i] = shared[(i + 32) % 64];
}

// The barrier fences threadgroup memory, and the values went through a buffer.
kernel void wrong_fence(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        device float * z             [[buffer(2)]],
        threadgroup float * shared   [[threadgroup(0)]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    y[i] = float(i);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    z[i] = y[(i + 33) % 64];
}

// The barrier fences nothing.
kernel void no_fence(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        device float * z             [[buffer(2)]],
        threadgroup float * shared   [[threadgroup(0)]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    shared[i] = float(i);
    threadgroup_barrier(mem_flags::mem_none);
    y[i] = shared[(i + 1) % 64];
}

// A barrier that some lanes do not come to.
kernel void divergent_barrier(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        device float * z             [[buffer(2)]],
        threadgroup float * shared   [[threadgroup(0)]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    if (i < 40) { threadgroup_barrier(mem_flags::mem_threadgroup); }
    y[i] = 1.0f;
}

// A return before the barrier of the others.
kernel void early_return(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        device float * z             [[buffer(2)]],
        threadgroup float * shared   [[threadgroup(0)]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    if (int(i) >= args.n - 4) { return; }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    y[i] = 1.0f;
}

// A sum over a simdgroup that only every second lane calls.
kernel void divergent_sum(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        device float * z             [[buffer(2)]],
        threadgroup float * shared   [[threadgroup(0)]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    float v = 1.0f;
    if (i % 2 == 0) { v = simd_sum(v); }
    y[i] = v;
}

// Two different operations of a simdgroup at once.
kernel void mixed_operations(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        device float * z             [[buffer(2)]],
        threadgroup float * shared   [[threadgroup(0)]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    y[i] = i % 32 < 16 ? simd_sum(1.0f) : simd_max(1.0f);
}

// A matrix that only some lanes load.
kernel void divergent_matrix(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        device float * z             [[buffer(2)]],
        threadgroup float * shared   [[threadgroup(0)]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    simdgroup_matrix<float, 8, 8> m = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
    if (i < 16) { simdgroup_load(m, y, 8); }
    y[i] = 1.0f;
}

// One element past the end of a buffer.
kernel void past_the_end(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        device float * z             [[buffer(2)]],
        threadgroup float * shared   [[threadgroup(0)]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    y[i + 1] = 1.0f;
}

// A read before the start.
kernel void before_the_start(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        device float * z             [[buffer(2)]],
        threadgroup float * shared   [[threadgroup(0)]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    y[i] = z[int(i) - 1];
}

// Past the end of threadgroup memory.
kernel void past_threadgroup_memory(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        device float * z             [[buffer(2)]],
        threadgroup float * shared   [[threadgroup(0)]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    shared[2 * i] = 1.0f;
    y[i] = 1.0f;
}

// Threadgroup memory that half of the lanes wrote and all read.
kernel void never_written(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        device float * z             [[buffer(2)]],
        threadgroup float * shared   [[threadgroup(0)]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    if (i < 32) { shared[i] = 1.0f; }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    y[i] = shared[i];
}

// Two threadgroups write the same elements.
kernel void two_threadgroups(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        device float * z             [[buffer(2)]],
        threadgroup float * shared   [[threadgroup(0)]],
        uint group                   [[threadgroup_position_in_grid]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    y[i] = float(group);
}

// A threadgroup reads what another writes.
kernel void other_threadgroup(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        device float * z             [[buffer(2)]],
        threadgroup float * shared   [[threadgroup(0)]],
        uint group                   [[threadgroup_position_in_grid]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    if (group == 0) { z[i] = 1.0f; }
    if (group == 1) { y[i] = z[i]; }
}

// Four floats at an address that is no multiple of 16.
kernel void misaligned(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        device float * z             [[buffer(2)]],
        threadgroup float * shared   [[threadgroup(0)]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    device const float4 * four = (device const float4 *) (z + 1);
    if (i < 8) { y[i] = four[i].x; }
}

// All of the above as it should be.
kernel void right(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        device float * z             [[buffer(2)]],
        threadgroup float * shared   [[threadgroup(0)]],
        uint group                   [[threadgroup_position_in_grid]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    shared[i] = float(i);
    simdgroup_barrier(mem_flags::mem_threadgroup);
    float v = shared[i ^ 1];
    simdgroup_barrier(mem_flags::mem_threadgroup);
    shared[i] = simd_sum(v);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    v = shared[(i + 32) % 64];
    if (group > 0) { return; }
    y[i] = v;
    threadgroup_barrier(mem_flags::mem_device);
    z[i] = y[(i + 33) % 64];
}
