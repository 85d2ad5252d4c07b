// product: y = act(x·wᵀ + bias) for many rows, of halves. A block of 8 warps computes a
// tile of y, 128 rows by COLUMNS, in steps of 32 along the sum, by products of 16x16 with
// 16x8 on the tensor cores. Copies of the next steps are under way meanwhile.
//
// x is the sum of PARTS matrices of halves, each of whose rows has a unit (see pack). The
// tensor cores cut sums off, so that only those of some steps are added up there.

#undef MSL_BOUNDS
#define MSL_BOUNDS __launch_bounds__(256, 1)

namespace own {

enum { TILE = 128, DEPTH = 32, STRIDE = DEPTH + 8, ADDED = 4 }; // STRIDE: halves; eight rows lie in different banks. ADDED: steps

struct Four { unsigned a, b, c, d; };

MSL_FN void copy16(half *to, const half *from, int bytes) { // zeros past the bytes
    const unsigned at = (unsigned) __cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(at), "l"(from), "r"(bytes) : "memory");
}

MSL_FN Four four_matrices(const half *from) { // 8x8 each, of which this lane names a row
    const unsigned at = (unsigned) __cvta_generic_to_shared(from);
    Four f;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(f.a), "=r"(f.b), "=r"(f.c), "=r"(f.d) : "r"(at));
    return f;
}

MSL_FN void multiply(float (&sum)[4], const Four &a, unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]) : "r"(a.a), "r"(a.b), "r"(a.c), "r"(a.d), "r"(b0), "r"(b1));
}

template <int PARTS, int W_PARTS, int COLUMNS>
MSL_FN void product(ProductArgs &args, const half *x, const float *units, const half *w0, const half *w1, const half *w2,
                    const float *bias0, const float *bias1, const float *bias2, float *y0, float *y1, float *y2) {
    const Product of = product_at(args, blockIdx.y, w0, w1, w2, bias0, bias1, bias2, y0, y1, y2);
    enum {
        MATRICES = W_PARTS ? W_PARTS : 1,
        LINES = PARTS * TILE + MATRICES * COLUMNS, STAGE = LINES * STRIDE, // of a stage: rows of x, then of w; halves
        MOST = (96 << 10) / (2 * STAGE), STAGES = MOST < 4 ? MOST : 4,     // what all cards since Ampere have room for
        ACROSS = COLUMNS / 32, DOWN = 8 / ACROSS,               // warps
        TALL = TILE / DOWN / 16,                                // products of a warp, one below the other; four side by side
    };
    half *shared = (half *) msl::shared();
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int row0 = blockIdx.x * TILE, column0 = of.block * COLUMNS;
    const int first_row = warp / ACROSS * TALL * 16, first_column = warp % ACROSS * 32;

    // a thread copies 16 bytes of every 64th line
    const int quarter = threadIdx.x % 4 * 8, line = threadIdx.x / 4;
    const half *from[LINES / 64];
#pragma unroll
    for (int i = 0; i < LINES / 64; i++) {
        const int l = line + 64 * i;
        if (l < PARTS * TILE) {
            from[i] = x + (l / TILE) * (long) args.places + min(row0 + l % TILE, args.rows - 1) * (long) args.in + quarter;
        } else {
            const int n = l - PARTS * TILE;
            from[i] = of.w + (n / COLUMNS * (long) of.out + min(column0 + n % COLUMNS, of.out - 1)) * (long) args.in + quarter;
        }
    }
    auto copy = [&](int at, int stage) {
        if (at < args.in) {
            const int bytes = min(max(args.in - at - quarter, 0) * 2, 16);
#pragma unroll
            for (int i = 0; i < LINES / 64; i++) copy16(shared + stage * STAGE + (line + 64 * i) * STRIDE + quarter, bytes > 0 ? from[i] + at : from[i] - quarter, bytes);
        }
        asm volatile("cp.async.commit_group;" : : : "memory");
    };

    float sum[TALL][4][4], part[TALL][4][4];
    auto add = [&](bool start) {
#pragma unroll
        for (int i = 0; i < TALL; i++)
#pragma unroll
            for (int j = 0; j < 4; j++)
#pragma unroll
                for (int n = 0; n < 4; n++) {
                    sum[i][j][n] = start ? 0.0f : sum[i][j][n] + part[i][j][n];
                    part[i][j][n] = 0.0f;
                }
    };
    add(true);

    msl::wait_for_last();
#pragma unroll
    for (int s = 0; s < STAGES - 1; s++) copy(s * DEPTH, s);
    int stage = 0;
    for (int at = 0; at < args.in; at += DEPTH) {
        asm volatile("cp.async.wait_group %0;" : : "n"(STAGES - 2) : "memory");
        __syncthreads(); // the copies of all are there, and the stage before has been read
        copy(at + (STAGES - 1) * DEPTH, stage == 0 ? STAGES - 1 : stage - 1);
        const half *xs = shared + stage * STAGE, *ws = xs + PARTS * TILE * STRIDE;
        Four b[MATRICES][2][2]; // [part, 16 values of the sum, 16 columns]
#pragma unroll
        for (int q = 0; q < MATRICES; q++)
#pragma unroll
            for (int k = 0; k < 2; k++)
#pragma unroll
                for (int j = 0; j < 2; j++)
                    b[q][k][j] = four_matrices(ws + (q * COLUMNS + first_column + 16 * j + (lane & 7) + (lane >> 4) * 8) * STRIDE + 16 * k + (lane >> 3 & 1) * 8);
#pragma unroll
        for (int k = 0; k < 2; k++)
#pragma unroll
            for (int p = PARTS - 1; p >= 0; p--) {
                Four a[TALL];
#pragma unroll
                for (int i = 0; i < TALL; i++) a[i] = four_matrices(xs + (p * TILE + first_row + 16 * i + (lane & 15)) * STRIDE + 16 * k + (lane >> 4) * 8);
#pragma unroll
                for (int q = MATRICES - 1; q >= 0; q--) {
                    if (p > 0 && q > 0) continue; // too small to matter
#pragma unroll
                    for (int i = 0; i < TALL; i++)
#pragma unroll
                        for (int j = 0; j < 2; j++) {
                            multiply(part[i][2 * j], a[i], b[q][k][j].a, b[q][k][j].b);
                            multiply(part[i][2 * j + 1], a[i], b[q][k][j].c, b[q][k][j].d);
                        }
                }
            }
        stage = stage + 1 == STAGES ? 0 : stage + 1;
        if (at / DEPTH % ADDED == ADDED - 1) add(false);
    }
    add(false);

#pragma unroll
    for (int i = 0; i < TALL; i++)
#pragma unroll
        for (int n = 0; n < 4; n += 2) {
            const int row = row0 + first_row + 16 * i + lane / 4 + n / 2 * 8;
            if (row < args.rows) {
                const float unit = units[row];
#pragma unroll
                for (int j = 0; j < 4; j++)
#pragma unroll
                    for (int c = 0; c < 2; c++) {
                        const int column = column0 + first_column + 8 * j + lane % 4 * 2 + c;
                        if (column < of.out) of.y[(long) row * of.columns + column] = activated(sum[i][j][n + c] * (unit * of.unit<W_PARTS>(args.in, column)) + linear_bias(of.bias, column));
                    }
            }
        }
}

} // namespace own
