// The products of one x with up to three weights, as of queries, keys and values: each has
// some of the launch's blocks.

namespace own {

struct Output { int out, columns, blocks; }; // rows of w; columns of a row of y; blocks across
struct ProductArgs { int rows, in, places; Output outputs[3]; }; // places: of a part of x

struct Product {
    const half *w;
    const float *bias;
    float *y;
    int out, columns, block;

    // unit returns what a column of y is multiplied with, where w has units, which lie behind its
    // W_PARTS matrices of halves.
    template <int W_PARTS> MSL_FN float unit(int in, int column) const {
        return W_PARTS ? ((const float *) (w + (long) W_PARTS * out * in))[column] : 1.0f;
    }
};

// product_at returns what a block across computes.
MSL_FN Product product_at(const ProductArgs &args, int block, const half *w0, const half *w1, const half *w2, const float *bias0, const float *bias1, const float *bias2,
                          float *y0, float *y1, float *y2) {
    int n = 0;
    while (block >= args.outputs[n].blocks) block -= args.outputs[n++].blocks;
    const Output &o = args.outputs[n];
    return Product{n == 0 ? w0 : n == 1 ? w1 : w2, n == 0 ? bias0 : n == 1 ? bias1 : bias2, n == 0 ? y0 : n == 1 ? y1 : y2, o.out, o.columns, block};
}

// divided returns a / b, rounded as well as a division is but for b outside of 2^-126 to
// 2^126, which a division would look for with a branch.
MSL_FN float divided(float a, float b) {
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
    const float q = a * r;
    return fma(fma(-q, b, a), r, q);
}

// constant_at reads what no launch writes, as weights: such a read need not wait for writes before
// it, and may come before what the launch ahead writes. Units of rows are not of that kind.
MSL_FN float constant_at(const float *from) {
    float v;
    asm("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(from));
    return v;
}

MSL_FN float bias_at(const float *bias, int column) { return FC_linear_bias != 0 ? constant_at(bias + column) : 0.0f; }

// activated is activate without a branch for GELU, as many of whose values can be under
// way as there are registers for.
MSL_FN float activated(float x) {
    if (FC_activation != GELU) return activate(x);
    const float at = bounded(x, 5.5f);
    const float2 fraction = normal_fraction(at);
    return x * (x < -5.5f ? 0.0f : fma(at, divided(fraction.x, fraction.y), 0.5f));
}

} // namespace own
