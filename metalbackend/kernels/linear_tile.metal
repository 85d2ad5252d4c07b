// linear_tile: many rows of x. A threadgroup of 4 simdgroups computes a tile of y,
// 32 rows by 64 columns, in steps of 32 along the sum. In each step it copies that
// part of x, and of w decoded, into threadgroup memory. Each simdgroup multiplies 8×8
// matrices for a corner of 16 by 32. Past the end the last row or column is computed
// again and not stored.
//
// Threadgroup memory holds x as X and w as W: float for F32 and BF16, half for w in
// F16, half for both in blocks. Both lie in 8×8 matrices, each in one piece, w
// transposed as it is multiplied. At the end the same memory holds the tile of y.
//
// A half holds magnitudes from 6e-5 to 65504. So x, where it becomes half, is
// multiplied with a power of two that brings the largest value of the tile so far to
// the upper end of these; when that grows, so do the units of the sums.
//
// The loop along the sum stays a loop, since the code has to fit into a small cache;
// loops over matrices are unrolled, so that these stay in registers.

constexpr constant int TILE_ROWS = 32;    // of x and y
constexpr constant int TILE_COLUMNS = 64; // of y, rows of w
constexpr constant int TILE_DEPTH = 32;
constexpr constant int TILE_THREADS = 128;

static inline void store(float4 v, threadgroup float * to) { *(threadgroup float4 *) to = v; }
static inline void store(float4 v, threadgroup half * to) { *(threadgroup half4 *) to = half4(v); }

static inline float largest_of(float4 v) { return max(max(fabs(v.x), fabs(v.y)), max(fabs(v.z), fabs(v.w))); }

static inline float power_of_two(int exponent) { return as_type<float>(uint(exponent + 127) << 23); }

constexpr constant int TILE_TOP = 14; // the exponent of the largest scaled value

template <typename Type, typename X, typename W, int SCALED>
kernel void linear_tile(
        constant LinearArgs & args [[buffer(0)]],
        device const float * x     [[buffer(1)]],
        device const uchar * w     [[buffer(2)]],
        device const float * bias  [[buffer(3)]], // x where there is none
        device float * y           [[buffer(4)]],
        threadgroup float * tile   [[threadgroup(0)]], // 32·32 of x, then 64·32 of w, then if SCALED 68 floats; 32·64 floats of y
        uint2  group     [[threadgroup_position_in_grid]], // neighbours share rows of w
        ushort index     [[thread_index_in_threadgroup]],
        ushort lane      [[thread_index_in_simdgroup]],
        ushort simdgroup [[simdgroup_index_in_threadgroup]]) {
    const int in = args.in;
    const int row0 = int(group.x) * TILE_ROWS;
    const int column0 = int(group.y) * TILE_COLUMNS;
    threadgroup X * xs = (threadgroup X *) tile;
    threadgroup W * ws = (threadgroup W *) (xs + TILE_ROWS * TILE_DEPTH);
    threadgroup float * largest = (threadgroup float *) (ws + TILE_COLUMNS * TILE_DEPTH); // [4], of what each simdgroup copies
    threadgroup float * diagonal = largest + 4; // [8, 8], the factor of the sums so far

    // a thread copies 8 values of one row of x and 16 of one row of w
    const int x_row = index / 4;
    const int x_from = index % 4 * 8;
    const int w_row = index / 2;
    const int w_from = index % 2 * 16;
    device const float * xr = x + (ulong) min(row0 + x_row, args.rows - 1) * in;
    device const uchar * wr = w + (ulong) min(column0 + w_row, args.out - 1) * args.stride;
    threadgroup X * x_to = xs + (x_from / 8 * (TILE_ROWS / 8) + x_row / 8) * 64 + x_row % 8 * 8;
    threadgroup W * w_to = ws + (w_from / 8 * (TILE_COLUMNS / 8) + w_row / 8) * 64 + w_row % 8;

    const int corner_row = simdgroup / 2 * 2; // in matrices
    const int corner_column = simdgroup % 2 * 4;
    const bool kept = row0 + corner_row * 8 < args.rows && column0 + corner_column * 8 < args.out; // part of the corner is in y
    simdgroup_matrix<float, 8, 8> sum[8];
    #pragma unroll
    for (int i = 0; i < 8; i++) { sum[i] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f); }

    int top = -100; // the exponent of the largest value so far, of those that matter
    if (SCALED && index < 64) { diagonal[index] = 0.0f; }

    for (int at = 0; at < in; at += TILE_DEPTH) {
        float v[16];
        Type::decode(wr, at + w_from, in - at - w_from, v);
        const float4 x0 = linear_x(xr, at + x_from, in);
        const float4 x1 = linear_x(xr, at + x_from + 4, in);
        if (SCALED) {
            const float m = simd_max(max(largest_of(x0), largest_of(x1)));
            if (lane == 0) { largest[simdgroup] = m; }
        }
        threadgroup_barrier(mem_flags::mem_threadgroup); // all threads have read what is replaced now
        bool grown = false;
        float scale = 1.0f;
        if (SCALED) {
            const float m = max(max(largest[0], largest[1]), max(largest[2], largest[3]));
            const int exponent = int(as_type<uint>(m) >> 23) - 127;
            grown = exponent > top && exponent < 128; // infinities stay what they are
            if (grown) {
                if (index < 8) { diagonal[9 * index] = power_of_two(max(top - exponent, -126)); }
                top = exponent;
            }
            scale = power_of_two(TILE_TOP - top);
        }
        #pragma unroll
        for (int i = 0; i < 8; i++) {
            w_to[8 * i] = W(v[i]);
            w_to[TILE_COLUMNS * 8 + 8 * i] = W(v[8 + i]);
        }
        store(x0 * scale, x_to);
        store(x1 * scale, x_to + 4);
        threadgroup_barrier(mem_flags::mem_threadgroup);
        if (grown && at > 0) {
            simdgroup_matrix<float, 8, 8> factor;
            simdgroup_load(factor, diagonal, 8);
            #pragma unroll
            for (int i = 0; i < 8; i++) {
                simdgroup_matrix<float, 8, 8> scaled = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
                simdgroup_multiply_accumulate(scaled, factor, sum[i], scaled);
                sum[i] = scaled;
            }
        }
        if (kept) {
            #pragma unroll(2)
            for (int k = 0; k < TILE_DEPTH / 8; k++) {
                simdgroup_matrix<X, 8, 8> a[2];
                simdgroup_matrix<W, 8, 8> b[4];
                #pragma unroll
                for (int i = 0; i < 2; i++) { simdgroup_load(a[i], xs + (k * (TILE_ROWS / 8) + corner_row + i) * 64, 8); }
                simdgroup_barrier(mem_flags::mem_none); // orders the loads, no more
                #pragma unroll
                for (int j = 0; j < 4; j++) { simdgroup_load(b[j], ws + (k * (TILE_COLUMNS / 8) + corner_column + j) * 64, 8); }
                #pragma unroll
                for (int i = 0; i < 2; i++) {
                    #pragma unroll
                    for (int j = 0; j < 4; j++) { simdgroup_multiply_accumulate(sum[4 * i + j], a[i], b[j], sum[4 * i + j]); }
                }
            }
        }
    }

    threadgroup_barrier(mem_flags::mem_threadgroup);
    #pragma unroll
    for (int i = 0; i < 2; i++) {
        #pragma unroll
        for (int j = 0; j < 4; j++) {
            simdgroup_store(sum[4 * i + j], tile + (corner_row + i) * 8 * TILE_COLUMNS + (corner_column + j) * 8, TILE_COLUMNS);
        }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const int column = column0 + index % TILE_COLUMNS;
    if (column < args.out) {
        const float b = linear_bias(bias, column);
        const float unit = SCALED ? power_of_two(top - TILE_TOP) : 1.0f;
        for (int row = index / TILE_COLUMNS; row < min(TILE_ROWS, args.rows - row0); row += TILE_THREADS / TILE_COLUMNS) {
            y[(ulong) (row0 + row) * args.out + column] = activate(tile[row * TILE_COLUMNS + index % TILE_COLUMNS] * unit + b);
        }
    }
}
