// rows: products of x with up to three weights, of rows of 384 values. A block keeps its 128
// rows of x, while the weights pass by (pieces.cu): two pieces, with half of the sum each, for
// 64 columns of y.
//
// The arguments are those of product_outputs.cu, with blocks of 64 columns.

namespace own {

template <int SIZE, int HALVES>
MSL_FN void rows(ProductArgs &args, const half *x, const float *units, const half *w0, const half *w1, const half *w2,
                 const float *bias0, const float *bias1, const float *bias2, float *y0, float *y1, float *y2) {
    const Streams streams;
    const int group = streams.group, lane = threadIdx.x % 32, row = blockIdx.x * TILE + threadIdx.x / 32 * 16 + lane / 4; // and the eighth after it
    const int blocks = args.outputs[0].blocks + args.outputs[1].blocks + args.outputs[2].blocks;
    auto copy = [&](int piece) {
        if (group == 0 || piece >= 2 * blocks) return;
        const Product of = product_at(args, piece / 2, w0, w1, w2, bias0, bias1, bias2, y0, y1, y2);
        const int first = of.block * 64 + streams.line;
        streams.copy(piece, of.w + piece % 2 * (FED / 2) + streams.at, [&](int i) { return min(first + i % 4 * 16, of.out - 1) * FED + i / 4 * 64; });
    };
    msl::wait_for_last();
    streams.copy_rows(x, args.rows);
#pragma unroll
    for (int p = 0; p < PIECES; p++) copy(p);
    asm volatile("cp.async.wait_all;" : : : "memory");
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
    __syncthreads();

    const float unit[2] = {units[min(row, args.rows - 1)], units[min(row + 8, args.rows - 1)]};
    if (group == 1) come(OURS);
    for (int block = 0; block < blocks; block++) {
        float sum[32];
#pragma unroll
        for (int i = 0; i < 32; i++) sum[i] = 0.0f;
        meet(OURS + group);
#pragma unroll
        for (int half_sum = 0; half_sum < 2; half_sum++) streams.multiply(sum, half_sum, streams.there(2 * block + half_sum));
        if (group == 0 || block + 1 < blocks) come(OURS + 1 - group); // the tensor cores still have enough to do
        if (group == 1) meet(READ);
        asm volatile("wgmma.wait_group.sync.aligned 1;" : : : "memory");
        copy(2 * block + PIECES); // nobody needs that piece any longer
        wait<0>(sum);
        if (group == 0) come(READ);
        copy(2 * block + 1 + PIECES);

        const Product of = product_at(args, block, w0, w1, w2, bias0, bias1, bias2, y0, y1, y2);
        finish<0>(of, args, unit, of.block * 64, lane, sum);
        if (HALVES) {
            put_halved(of, args.rows, row, of.block * 64, lane, sum);
        } else {
            put_floats(of, args.rows, row, of.block * 64, lane, sum);
        }
    }
}

} // namespace own
