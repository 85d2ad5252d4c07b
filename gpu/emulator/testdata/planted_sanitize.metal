// Mistakes that only the sanitizers see: they stay within a lane. None of these
// kernels is in the program.
#include <metal_stdlib>
using namespace metal;

struct PlantedArgs { int n; };

// Past the end of an array of the lane's own.
kernel void past_own_array(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    float own[8], longer[64];
    for (int k = 0; k < 8; k++) {
        own[k] = longer[k] = float(k);
    }
    thread float * past = args.n == 8 ? own : longer; // so that the compiler cannot know the length
    past[args.n] = 1.0f;
    y[i] = own[i % 8] + longer[i % 8];
}

// A shift by as many bits as there are.
kernel void wide_shift(
        constant PlantedArgs & args  [[buffer(0)]],
        device float * y             [[buffer(1)]],
        ushort i                     [[thread_position_in_threadgroup]]) {
    y[i] = float(1 << (32 + args.n));
}
