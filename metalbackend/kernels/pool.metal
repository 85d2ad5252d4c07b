// pool: turns each text's rows into one vector, by one or more modes side by side. A
// lane takes one column of a text in one mode. Its neighbours take the next columns,
// so that a row is read in one stretch.

struct PoolArgs { int columns; int modes; };

// the modes, numbered as engine.PoolMode
enum { POOL_CLS, POOL_MEAN, POOL_MAX, POOL_LAST, POOL_MEAN_SQRT_LEN, POOL_WEIGHTED_MEAN };

// pooled returns one column of the result, from n rows that are stride apart.
static inline float pooled(int mode, device const float * x, int n, ulong stride) {
    float v = x[0];
    switch (mode) {
    case POOL_CLS:
        return v;
    case POOL_LAST:
        return x[(n - 1) * stride];
    case POOL_MAX:
        for (int i = 1; i < n; i++) {
            const float next = x[i * stride];
            v = next > v || isnan(next) ? next : v; // a NaN stays
        }
        return v;
    case POOL_WEIGHTED_MEAN: // weights 1, 2, 3 …
        for (int i = 1; i < n; i++) { v = fma(float(i + 1), x[i * stride], v); }
        return v / (0.5f * float(n) * float(n + 1));
    default: // the sum, divided
        for (int i = 1; i < n; i++) { v += x[i * stride]; }
        return v / (mode == POOL_MEAN_SQRT_LEN ? sqrt(float(n)) : float(n));
    }
}

kernel void pool(
        constant PoolArgs & args   [[buffer(0)]],
        device const float * x     [[buffer(1)]],
        device const int * starts  [[buffer(2)]],
        constant int * modes       [[buffer(3)]],
        device float * y           [[buffer(4)]],
        uint3 group                [[threadgroup_position_in_grid]], // text, stretch of columns, mode
        ushort lane                [[thread_index_in_simdgroup]]) {
    const int column = int(group.y) * SIMD + lane;
    if (column >= args.columns) { return; }
    const int first = starts[group.x];
    const int n = starts[group.x + 1] - first;
    const float v = pooled(modes[group.z], x + ulong(first) * args.columns + column, n, args.columns);
    y[(ulong(group.x) * args.modes + group.z) * args.columns + column] = v;
}
