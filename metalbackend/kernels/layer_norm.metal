// layer_norm: scales each row to mean 0 and variance 1, multiplies it with w and adds
// a bias if there is one (Ba, Kiros and Hinton 2016, arXiv:1607.06450). A threadgroup
// takes one row. V as in rows; a residual as in rms_norm, but sum may be y.
//
// The variance is computed from the differences from the mean, in its own loop. The
// mean of squares minus the square of the mean would lose all digits where the mean
// is large.

struct LayerNormArgs { int length; float columns; float epsilon; }; // length of a row in Vs

constant int FC_layer_norm_residual [[function_constant(51)]];
constant int FC_layer_norm_bias     [[function_constant(52)]];

template <typename V>
kernel void layer_norm(
        constant LayerNormArgs & args  [[buffer(0)]],
        device const V * x             [[buffer(1)]],
        device const V * residual      [[buffer(2)]], // x where there is none
        device const V * w             [[buffer(3)]],
        device const V * bias          [[buffer(4)]], // w where there is none
        device V * sum                 [[buffer(5)]], // y where no operation reads it
        device V * y                   [[buffer(6)]],
        threadgroup float * partial    [[threadgroup(0)]], // for two reductions
        uint row                       [[threadgroup_position_in_grid]],
        ushort thread_index            [[thread_position_in_threadgroup]],
        ushort threads                 [[threads_per_threadgroup]],
        ushort lane                    [[thread_index_in_simdgroup]],
        ushort simdgroup               [[simdgroup_index_in_threadgroup]],
        ushort simdgroups              [[simdgroups_per_threadgroup]]) {
    const ulong first = ulong(row) * args.length;
    float mean = 0.0f;
    for (int i = thread_index; i < args.length; i += threads) {
        V v = x[first + i];
        if (FC_layer_norm_residual) {
            v += residual[first + i];
            sum[first + i] = v;
        }
        mean += total(v);
    }
    mean = group_sum(mean, partial, lane, simdgroup, simdgroups) / args.columns;

    device const V * values = FC_layer_norm_residual ? sum : x;
    float squares = 0.0f;
    for (int i = thread_index; i < args.length; i += threads) { squares += square(values[first + i] - mean); }
    squares = group_sum(squares, partial + simdgroups, lane, simdgroup, simdgroups);
    const float scale = rsqrt(squares / args.columns + args.epsilon);
    for (int i = thread_index; i < args.length; i += threads) {
        V v = (values[first + i] - mean) * scale * w[i];
        if (FC_layer_norm_bias) { v += bias[i]; }
        y[first + i] = v;
    }
}

template [[host_name("layer_norm_1")]] kernel decltype(layer_norm<float>) layer_norm<float>;
template [[host_name("layer_norm_4")]] kernel decltype(layer_norm<float4>) layer_norm<float4>;
