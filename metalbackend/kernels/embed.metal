// embed: row i of y is row ids[i] of a table of any weight type. A lane takes 16
// columns, which is what the decoders give.

struct EmbedArgs { int columns; uint row_bytes; };

template <typename T>
kernel void embed(
        constant EmbedArgs & args   [[buffer(0)]],
        device const uchar * table  [[buffer(1)]],
        device const int * ids      [[buffer(2)]],
        device float * y            [[buffer(3)]],
        uint2 group                 [[threadgroup_position_in_grid]], // row, stretch of it
        ushort lane                 [[thread_index_in_simdgroup]]) {
    const int first = (int(group.y) * SIMD + lane) * 16;
    const int count = min(16, args.columns - first);
    if (count > 0) {
        float values[16];
        T::decode(table + ulong(ids[group.x]) * args.row_bytes, first, count, values);
        device float * out = y + ulong(group.x) * args.columns + first;
        for (int i = 0; i < count; i++) { out[i] = values[i]; }
    }
}

template [[host_name("embed_f32")]] kernel decltype(embed<F32>) embed<F32>;
template [[host_name("embed_f16")]] kernel decltype(embed<F16>) embed<F16>;
template [[host_name("embed_bf16")]] kernel decltype(embed<BF16>) embed<BF16>;
template [[host_name("embed_q4_0")]] kernel decltype(embed<Q4_0>) embed<Q4_0>;
template [[host_name("embed_q4_1")]] kernel decltype(embed<Q4_1>) embed<Q4_1>;
template [[host_name("embed_q5_0")]] kernel decltype(embed<Q5_0>) embed<Q5_0>;
template [[host_name("embed_q5_1")]] kernel decltype(embed<Q5_1>) embed<Q5_1>;
template [[host_name("embed_q8_0")]] kernel decltype(embed<Q8_0>) embed<Q8_0>;
template [[host_name("embed_q2_k")]] kernel decltype(embed<Q2_K>) embed<Q2_K>;
template [[host_name("embed_q3_k")]] kernel decltype(embed<Q3_K>) embed<Q3_K>;
template [[host_name("embed_q4_k")]] kernel decltype(embed<Q4_K>) embed<Q4_K>;
template [[host_name("embed_q5_k")]] kernel decltype(embed<Q5_K>) embed<Q5_K>;
template [[host_name("embed_q6_k")]] kernel decltype(embed<Q6_K>) embed<Q6_K>;
template [[host_name("embed_iq4_nl")]] kernel decltype(embed<IQ4_NL>) embed<IQ4_NL>;
template [[host_name("embed_iq4_xs")]] kernel decltype(embed<IQ4_XS>) embed<IQ4_XS>;
