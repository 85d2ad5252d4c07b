// layer_norm: scales each row to mean 0 and variance 1, multiplies it with w and adds
// a bias if there is one (Ba, Kiros and Hinton 2016, arXiv:1607.06450). A threadgroup
// takes one row. V as in rows; with a residual the rows are x + residual.
//
// The variance is computed from the differences from the mean, in its own loop. The
// mean of squares minus the square of the mean would lose all digits where the mean
// is large.
//
// layer_norm_add has the sums as a result of its own. A kernel must not get one stretch
// of memory as two arguments of which it writes one; so where nobody wants the sums,
// layer_norm keeps them in y until the norm replaces them.

struct LayerNormArgs { int length; float columns; float epsilon; }; // length of a row in Vs

constant int FC_layer_norm_residual [[function_constant(51)]]; // of layer_norm
constant int FC_layer_norm_bias     [[function_constant(52)]];

// layer_norm_row computes one row. sum may be y, or x where added is false: a lane
// reads only those of its elements that it has written itself.
template <typename V>
static inline void layer_norm_row(constant LayerNormArgs & args, bool added, device const V * x, device const V * residual,
                                  device const V * w, device const V * bias, device V * sum, device V * y,
                                  threadgroup float * partial, ushort thread_index, ushort threads,
                                  ushort lane, ushort simdgroup, ushort simdgroups) {
    float mean = 0.0f;
    for (int i = thread_index; i < args.length; i += threads) {
        V v = x[i];
        if (added) {
            v += residual[i];
            sum[i] = v;
        }
        mean += total(v);
    }
    mean = group_sum(mean, partial, lane, simdgroup, simdgroups) / args.columns;

    device const V * values = added ? sum : x;
    float squares = 0.0f;
    for (int i = thread_index; i < args.length; i += threads) { squares += square(values[i] - mean); }
    squares = group_sum(squares, partial + simdgroups, lane, simdgroup, simdgroups);
    const float scale = rsqrt(squares / args.columns + args.epsilon);
    for (int i = thread_index; i < args.length; i += threads) {
        V v = (values[i] - mean) * scale * w[i];
        if (FC_layer_norm_bias) { v += bias[i]; }
        y[i] = v;
    }
}

template <typename V>
kernel void layer_norm(
        constant LayerNormArgs & args  [[buffer(0)]],
        device const V * x             [[buffer(1)]],
        device const V * residual      [[buffer(2)]], // x where there is none
        device const V * w             [[buffer(3)]],
        device const V * bias          [[buffer(4)]], // w where there is none
        device V * y                   [[buffer(5)]],
        threadgroup float * partial    [[threadgroup(0)]], // for two reductions
        uint row                       [[threadgroup_position_in_grid]],
        ushort thread_index            [[thread_position_in_threadgroup]],
        ushort threads                 [[threads_per_threadgroup]],
        ushort lane                    [[thread_index_in_simdgroup]],
        ushort simdgroup               [[simdgroup_index_in_threadgroup]],
        ushort simdgroups              [[simdgroups_per_threadgroup]]) {
    const ulong first = ulong(row) * args.length;
    layer_norm_row<V>(args, FC_layer_norm_residual != 0, x + first, residual + first, w, bias, y + first, y + first,
                      partial, thread_index, threads, lane, simdgroup, simdgroups);
}

template <typename V>
kernel void layer_norm_add(
        constant LayerNormArgs & args  [[buffer(0)]],
        device const V * x             [[buffer(1)]],
        device const V * residual      [[buffer(2)]],
        device const V * w             [[buffer(3)]],
        device const V * bias          [[buffer(4)]], // w where there is none
        device V * y                   [[buffer(5)]],
        device V * sum                 [[buffer(6)]],
        threadgroup float * partial    [[threadgroup(0)]], // for two reductions
        uint row                       [[threadgroup_position_in_grid]],
        ushort thread_index            [[thread_position_in_threadgroup]],
        ushort threads                 [[threads_per_threadgroup]],
        ushort lane                    [[thread_index_in_simdgroup]],
        ushort simdgroup               [[simdgroup_index_in_threadgroup]],
        ushort simdgroups              [[simdgroups_per_threadgroup]]) {
    const ulong first = ulong(row) * args.length;
    layer_norm_row<V>(args, true, x + first, residual + first, w, bias, sum + first, y + first,
                      partial, thread_index, threads, lane, simdgroup, simdgroups);
}

template [[host_name("layer_norm_1")]] kernel decltype(layer_norm<float>) layer_norm<float>;
template [[host_name("layer_norm_4")]] kernel decltype(layer_norm<float4>) layer_norm<float4>;
template [[host_name("layer_norm_add_1")]] kernel decltype(layer_norm_add<float>) layer_norm_add<float>;
template [[host_name("layer_norm_add_4")]] kernel decltype(layer_norm_add<float4>) layer_norm_add<float4>;
