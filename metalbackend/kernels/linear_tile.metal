// linear_tile: many rows of x. A threadgroup of 4 simdgroups computes a tile of y,
// 32 rows by 64 columns, in steps of 32 along the sum. In each step it copies that
// part of x, and of w decoded, into threadgroup memory. Each simdgroup multiplies 8×8
// matrices for a corner of 16 by 32. Past the end the last row or column is computed
// again and not stored.
//
// Threadgroup memory holds x in float and w as Stored: float for F32 and BF16, half
// for the others, which rounds the values of blocks. Both lie in 8×8 matrices, each
// in one piece. At the end the same memory holds the tile of y.

constexpr constant int TILE_ROWS = 32;    // of x and y
constexpr constant int TILE_COLUMNS = 64; // of y, rows of w
constexpr constant int TILE_DEPTH = 32;
constexpr constant int TILE_THREADS = 128;

static inline void store(float4 v, threadgroup float * to) { *(threadgroup float4 *) to = v; }
static inline void store(float4 v, threadgroup half * to) { *(threadgroup half4 *) to = half4(v); }

template <typename Type, typename Stored>
kernel void linear_tile(
        constant LinearArgs & args [[buffer(0)]],
        device const float * x     [[buffer(1)]],
        device const uchar * w     [[buffer(2)]],
        device const float * bias  [[buffer(3)]], // x where there is none
        device float * y           [[buffer(4)]],
        threadgroup float * tile   [[threadgroup(0)]], // 32·32 floats of x, then 64·32 of w as Stored; 32·64 floats of y
        uint2  group     [[threadgroup_position_in_grid]], // neighbours share rows of w
        ushort index     [[thread_index_in_threadgroup]],
        ushort simdgroup [[simdgroup_index_in_threadgroup]]) {
    const int in = args.in;
    const int row0 = int(group.x) * TILE_ROWS;
    const int column0 = int(group.y) * TILE_COLUMNS;
    threadgroup float * xs = tile;
    threadgroup Stored * ws = (threadgroup Stored *) (tile + TILE_ROWS * TILE_DEPTH);

    // a thread copies 8 values of one row of x and 16 of one row of w
    const int x_row = index / 4;
    const int x_from = index % 4 * 8;
    const int w_row = index / 2;
    const int w_from = index % 2 * 16;
    device const float * xr = x + (ulong) min(row0 + x_row, args.rows - 1) * in;
    device const uchar * wr = w + (ulong) min(column0 + w_row, args.out - 1) * args.stride;
    threadgroup float4 * x_to = (threadgroup float4 *) (xs + (x_from / 8 * (TILE_ROWS / 8) + x_row / 8) * 64 + x_row % 8 * 8);
    threadgroup Stored * w_to = ws + (w_from / 8 * (TILE_COLUMNS / 8) + w_row / 8) * 64 + w_row % 8 * 8;

    const int corner_row = simdgroup / 2 * 2; // in matrices
    const int corner_column = simdgroup % 2 * 4;
    const bool kept = row0 + corner_row * 8 < args.rows && column0 + corner_column * 8 < args.out; // part of the corner is in y
    simdgroup_matrix<float, 8, 8> sum[8];
    for (int i = 0; i < 8; i++) { sum[i] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f); }

    for (int at = 0; at < in; at += TILE_DEPTH) {
        float v[16];
        Type::decode(wr, at + w_from, in - at - w_from, v);
        const float4 x0 = linear_x(xr, at + x_from, in);
        const float4 x1 = linear_x(xr, at + x_from + 4, in);
        threadgroup_barrier(mem_flags::mem_threadgroup); // all threads have read what these replace
        for (int i = 0; i < 8; i += 4) {
            store(float4(v[i], v[i + 1], v[i + 2], v[i + 3]), w_to + i);
            store(float4(v[8 + i], v[9 + i], v[10 + i], v[11 + i]), w_to + TILE_COLUMNS * 8 + i);
        }
        x_to[0] = x0;
        x_to[1] = x1;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (int k = 0; kept && k < TILE_DEPTH / 8; k++) {
            simdgroup_matrix<float, 8, 8> a[2];
            simdgroup_matrix<Stored, 8, 8> b[4];
            for (int i = 0; i < 2; i++) { simdgroup_load(a[i], xs + (k * (TILE_ROWS / 8) + corner_row + i) * 64, 8); }
            for (int j = 0; j < 4; j++) {
                simdgroup_load(b[j], ws + (k * (TILE_COLUMNS / 8) + corner_column + j) * 64, 8, ulong2(0, 0), true);
            }
            #pragma unroll
            for (int i = 0; i < 2; i++) {
                #pragma unroll
                for (int j = 0; j < 4; j++) { simdgroup_multiply_accumulate(sum[4 * i + j], a[i], b[j], sum[4 * i + j]); }
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
        for (int row = index / TILE_COLUMNS; row < min(TILE_ROWS, args.rows - row0); row += TILE_THREADS / TILE_COLUMNS) {
            y[(ulong) (row0 + row) * args.out + column] = activate(tile[row * TILE_COLUMNS + index % TILE_COLUMNS] + b);
        }
    }
}
