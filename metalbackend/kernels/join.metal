// join: y = x, as one part of a larger matrix. V is float4 where the length of a row is a
// multiple of 4, so that every part begins at a multiple of 16 bytes; else it is float.

struct JoinArgs { uint n; }; // Vs

template <typename V>
kernel void join(
        constant JoinArgs & args  [[buffer(0)]],
        device const V * x        [[buffer(1)]],
        device V * y              [[buffer(2)]],
        uint i                    [[thread_position_in_grid]]) {
    if (i < args.n) { y[i] = x[i]; }
}

template [[host_name("join_1")]] kernel decltype(join<float>) join<float>;
template [[host_name("join_4")]] kernel decltype(join<float4>) join<float4>;
