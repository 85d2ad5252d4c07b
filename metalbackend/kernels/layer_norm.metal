// layer_norm: each row of x, plus residual where there is one, to mean 0 and
// variance 1, times w, plus bias where there is one (Ba, Kiros and Hinton 2016,
// arXiv:1607.06450). A threadgroup takes one row. V as in rows.
//
// The variance is that of the differences from the mean, in a pass of its own:
// the mean of squares minus the square of the mean would lose everything where
// the mean is large.

struct LayerNormArgs { int length; float columns; float epsilon; }; // length of a row in Vs

constant int FC_layer_norm_residual [[function_constant(50)]];
constant int FC_layer_norm_bias     [[function_constant(51)]];

template <typename V>
static inline V layer_norm_value(device const V * x, device const V * residual, ulong i) {
    if (FC_layer_norm_residual) { return x[i] + residual[i]; }
    return x[i];
}

template <typename V>
kernel void layer_norm(
        constant LayerNormArgs & args  [[buffer(0)]],
        device const V * x             [[buffer(1)]],
        device const V * residual      [[buffer(2)]],
        device const V * w             [[buffer(3)]],
        device const V * bias          [[buffer(4)]],
        device V * y                   [[buffer(5)]],
        threadgroup float * partial    [[threadgroup(0)]], // for two reductions
        uint row                       [[threadgroup_position_in_grid]],
        ushort thread_index            [[thread_position_in_threadgroup]],
        ushort threads                 [[threads_per_threadgroup]],
        ushort lane                    [[thread_index_in_simdgroup]],
        ushort simdgroup               [[simdgroup_index_in_threadgroup]],
        ushort simdgroups              [[simdgroups_per_threadgroup]]) {
    const ulong first = ulong(row) * args.length;
    float sum = 0.0f;
    for (int i = thread_index; i < args.length; i += threads) {
        sum += total(layer_norm_value(x, residual, first + i));
    }
    const float mean = group_sum(sum, partial, lane, simdgroup, simdgroups) / args.columns;
    float squares = 0.0f;
    for (int i = thread_index; i < args.length; i += threads) {
        squares += square(layer_norm_value(x, residual, first + i) - mean);
    }
    squares = group_sum(squares, partial + simdgroups, lane, simdgroup, simdgroups);
    const float scale = rsqrt(squares / args.columns + args.epsilon);
    for (int i = thread_index; i < args.length; i += threads) {
        V v = (layer_norm_value(x, residual, first + i) - mean) * scale * w[i];
        if (FC_layer_norm_bias) { v += bias[i]; }
        y[first + i] = v;
    }
}

template [[host_name("layer_norm_1")]] kernel decltype(layer_norm<float>) layer_norm<float>;
template [[host_name("layer_norm_4")]] kernel decltype(layer_norm<float4>) layer_norm<float4>;
