// product on Hopper, where four warps together multiply matrices that lie in shared memory
// (wgmma, which only code for sm_90a has). A block of two such groups computes a tile of y,
// 128 rows by COLUMNS, in steps of 64 along the sum. Copies of the next steps, and the
// products of the last one, are under way meanwhile.
//
// What limits long sums is how fast tiles are copied: so a tile has as many columns as
// registers hold. In short sums most of a block's time goes to its beginning and its end:
// so there are TWO blocks on a multiprocessor, whose sums the tensor cores add up alone.
//
// A line of shared memory holds 64 halves of a row, 128 bytes. Its pieces of 16 bytes lie in
// an order that differs from line to line, as the instruction expects (128B swizzle).
//
// The arguments are those of product_outputs.cu.

#undef MSL_BOUNDS
#define MSL_BOUNDS __launch_bounds__(256, 1 + TWO)

namespace own {

enum { TILE = 128, DEPTH = 64, LINE = 128, ADDED = 4 }; // LINE: bytes. ADDED: steps whose sums the tensor cores add up

MSL_FN void copy16(unsigned to, const half *from, int bytes) { // zeros past the bytes
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(to), "l"(from), "r"(bytes) : "memory");
}

// matrix describes lines of shared memory to the tensor cores, 1,024 bytes from each eight
// lines to the next: this is the half of the description that has the address, so that 32 bytes
// further on are 2 more. REST is the other half.
MSL_FN unsigned matrix(unsigned address) { return (address & 0x3ffff) >> 4 | 1u << 16; }
enum { REST = 1 << 30 | 64 };

// group_of_warp returns the number of the group of four warps, as the same value for all lanes:
// what follows from it needs no register of each.
MSL_FN int group_of_warp() { return __shfl_sync(MSL_ALL, (int) threadIdx.x / 128, 0); }

#define SUMS(i) "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3]), "+f"(sum[i + 4]), "+f"(sum[i + 5]), "+f"(sum[i + 6]), "+f"(sum[i + 7])

// multiply begins sum = a·bᵀ, or sum += a·bᵀ, of 64 rows with COLUMNS rows of 16 halves.
MSL_FN void multiply(float (&sum)[32], unsigned a, unsigned b, int add) {
    asm volatile("{.reg .pred p; .reg .b64 a, b; setp.ne.b32 p, %34, 0; mov.b64 a, {%32, %35}; mov.b64 b, {%33, %35}; wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
                 "}, a, b, p, 1, 1, 0, 0;}"
                 : SUMS(0), SUMS(8), SUMS(16), SUMS(24)
                 : "r"(a), "r"(b), "r"(add), "r"((unsigned) REST));
}
MSL_FN void multiply(float (&sum)[64], unsigned a, unsigned b, int add) {
    asm volatile("{.reg .pred p; .reg .b64 a, b; setp.ne.b32 p, %66, 0; mov.b64 a, {%64, %67}; mov.b64 b, {%65, %67}; wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
                 "}, a, b, p, 1, 1, 0, 0;}"
                 : SUMS(0), SUMS(8), SUMS(16), SUMS(24), SUMS(32), SUMS(40), SUMS(48), SUMS(56)
                 : "r"(a), "r"(b), "r"(add), "r"((unsigned) REST));
}

MSL_FN void multiply(float (&sum)[96], unsigned a, unsigned b, int add) {
    asm volatile("{.reg .pred p; .reg .b64 a, b; setp.ne.b32 p, %98, 0; mov.b64 a, {%96, %99}; mov.b64 b, {%97, %99}; wgmma.mma_async.sync.aligned.m64n192k16.f32.f16.f16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
                 "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
                 "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
                 "}, a, b, p, 1, 1, 0, 0;}"
                 : SUMS(0), SUMS(8), SUMS(16), SUMS(24), SUMS(32), SUMS(40), SUMS(48), SUMS(56), SUMS(64), SUMS(72), SUMS(80), SUMS(88)
                 : "r"(a), "r"(b), "r"(add), "r"((unsigned) REST));
}

MSL_FN void begin_products() { asm volatile("wgmma.fence.sync.aligned;" : : : "memory"); }
MSL_FN void end_products() { asm volatile("wgmma.commit_group.sync.aligned;" : : : "memory"); }

// wait returns when at most LEFT groups of products are under way.
template <int LEFT, int N> MSL_FN void wait(float (&sum)[N]) {
    asm volatile("wgmma.wait_group.sync.aligned %0;" : : "n"(LEFT) : "memory");
    if (LEFT == 0) {
#pragma unroll
        for (int i = 0; i < N; i++) asm volatile("" : "+f"(sum[i]) : : "memory"); // not to be read before
    }
}

// finish makes values of y of a thread's sums of two rows with these units, N of them.
template <int W_PARTS, int N> MSL_FN void finish(const Product &of, const ProductArgs &args, const float (&unit)[2], int column0, int lane, float (&sum)[N]) {
#pragma unroll
    for (int j = 0; j < N / 4; j++)
#pragma unroll
        for (int c = 0; c < 2; c++) {
            const int column = min(column0 + 8 * j + lane % 4 * 2 + c, of.out - 1);
            const float bias = bias_at(of.bias, column), w_unit = of.unit<W_PARTS>(args.in, column);
#pragma unroll
            for (int n = 0; n < 2; n++) {
                float &v = sum[4 * j + 2 * n + c];
                v = activated(v * (unit[n] * w_unit) + bias);
            }
        }
}

// put_floats puts a thread's values of two rows, N of them, into y.
template <int N> MSL_FN void put_floats(const Product &of, int rows, int row, int column0, int lane, const float (&v)[N]) {
    const bool pairs = of.columns % 2 == 0;
#pragma unroll
    for (int j = 0; j < N / 4; j++) {
        const int column = column0 + 8 * j + lane % 4 * 2;
        if (column >= of.out) break;
#pragma unroll
        for (int n = 0; n < 2; n++) {
            if (row + 8 * n >= rows) break;
            float *to = of.y + (long) (row + 8 * n) * of.columns + column;
            if (pairs && column + 1 < of.out) {
                *(float2 *) to = float2(v[4 * j + 2 * n], v[4 * j + 2 * n + 1]);
            } else {
                to[0] = v[4 * j + 2 * n];
                if (column + 1 < of.out) to[1] = v[4 * j + 2 * n + 1];
            }
        }
    }
}

// put_halved does so as halves, of which the columns of this block have one unit in each row.
// In y's memory lie the halves of all rows, then the units: [blocks, rows]. There is an even
// number of columns.
template <int N> MSL_FN void put_halved(const Product &of, int rows, int row, int column0, int lane, const float (&v)[N]) {
    half *y = (half *) of.y;
    float *units = (float *) (y + (long) rows * of.columns) + (long) of.block * rows;
#pragma unroll
    for (int n = 0; n < 2; n++) {
        float m = 0.0f;
#pragma unroll
        for (int j = 0; j < N / 4; j++)
#pragma unroll
            for (int c = 0; c < 2; c++) m = fabsf(v[4 * j + 2 * n + c]) < FLT_MAX ? max(m, fabsf(v[4 * j + 2 * n + c])) : m;
        m = max(m, __shfl_xor_sync(MSL_ALL, m, 1));
        m = max(m, __shfl_xor_sync(MSL_ALL, m, 2));
        if (row + 8 * n >= rows) continue;
        const float scale = unit_of(m, units + row + 8 * n, lane % 4 == 0);
#pragma unroll
        for (int j = 0; j < N / 4; j++) {
            const int column = column0 + 8 * j + lane % 4 * 2;
            if (column < of.out) *(unsigned *) (y + (long) (row + 8 * n) * of.columns + column) = halves_of(v[4 * j + 2 * n] * scale, v[4 * j + 2 * n + 1] * scale);
        }
    }
}

template <int PARTS, int W_PARTS, int COLUMNS, int HALVES>
MSL_FN void hopper(ProductArgs &args, const half *x, const float *units, const half *w0, const half *w1, const half *w2,
                    const float *bias0, const float *bias1, const float *bias2, float *y0, float *y1, float *y2) {
    const Product of = product_at(args, blockIdx.y, w0, w1, w2, bias0, bias1, bias2, y0, y1, y2);
    enum {
        MATRICES = W_PARTS ? W_PARTS : 1,
        LINES = PARTS * TILE + MATRICES * COLUMNS, STAGE = LINES * LINE, // of a stage: rows of x, then of w
        MOST = ((TWO ? 112 : 224) << 10) / STAGE, STAGES = MOST < 6 ? MOST : 6,
        LEFT = STAGES > 2, AHEAD = STAGES - 1 - LEFT, // groups of products under way beside the copies of so many steps
        APART = PARTS > 1 && !TWO, // sums of more than ADDED steps are added up here
        COPIES = LINES / 32, // of a thread: 16 bytes of every 32nd line
        N = COLUMNS / 2,
    };
    const unsigned shared = ((unsigned) __cvta_generic_to_shared(msl::shared()) + 1023) / 1024 * 1024;
    const int row0 = blockIdx.x * TILE, column0 = of.block * COLUMNS, group = group_of_warp();

    const int line = threadIdx.x / 8, piece = threadIdx.x % 8;
    const unsigned place = line * LINE + (piece ^ line % 8) * 16;
    const half *from[COPIES];
#pragma unroll
    for (int i = 0; i < COPIES; i++) {
        const int l = line + 32 * i;
        if (l < PARTS * TILE) {
            from[i] = x + (l / TILE) * (long) args.places + min(row0 + l % TILE, args.rows - 1) * (long) args.in + 8 * piece;
        } else {
            const int n = l - PARTS * TILE;
            from[i] = of.w + (n / COLUMNS * (long) of.out + min(column0 + n % COLUMNS, of.out - 1)) * (long) args.in + 8 * piece;
        }
    }
    auto copy = [&](int at, int stage) {
        if (at < args.in) {
            const int bytes = min(max(args.in - at - 8 * piece, 0) * 2, 16);
#pragma unroll
            for (int i = 0; i < COPIES; i++) copy16(shared + stage * STAGE + place + 32 * LINE * i, bytes > 0 ? from[i] + at : from[i] - 8 * piece, bytes);
        }
        asm volatile("cp.async.commit_group;" : : : "memory");
    };

    float sum[APART ? N : 1], part[N];
#pragma unroll
    for (int i = 0; i < N; i++) part[i] = 0.0f;
#pragma unroll
    for (int i = 0; i < (APART ? N : 1); i++) sum[i] = 0.0f;
    msl::wait_for_last();
#pragma unroll
    for (int s = 0; s < AHEAD; s++) copy(s * DEPTH, s);
    int stage = 0, next = AHEAD, add = 0, added = 0;
    for (int at = 0; at < args.in; at += DEPTH) {
        asm volatile("cp.async.wait_group %0;" : : "n"(AHEAD - 1) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" : : : "memory"); // the tensor cores see what was copied
        __syncthreads(); // the copies of all are there, and the products before the last ones are done
        copy(at + AHEAD * DEPTH, next);
        const unsigned xs = matrix(shared + stage * STAGE + group * 64 * LINE), ws = matrix(shared + stage * STAGE + PARTS * TILE * LINE);
        begin_products();
#pragma unroll
        for (int k = 0; k < DEPTH / 16; k++)
#pragma unroll
            for (int p = PARTS - 1; p >= 0; p--)
#pragma unroll
                for (int q = MATRICES - 1; q >= 0; q--) {
                    if (p > 0 && q > 0) continue; // too small to matter
                    multiply(part, xs + (p * TILE * LINE + 32 * k) / 16, ws + (q * COLUMNS * LINE + 32 * k) / 16, add);
                    add = 1;
                }
        end_products();
        wait<LEFT>(part);
        if (APART && ++added == ADDED) { // the tensor cores cut sums off
            wait<0>(part);
#pragma unroll
            for (int i = 0; i < N; i++) sum[APART ? i : 0] += part[i];
            add = added = 0;
        }
        stage = stage + 1 == STAGES ? 0 : stage + 1;
        next = next + 1 == STAGES ? 0 : next + 1;
    }
    wait<0>(part);
    if (APART) {
#pragma unroll
        for (int i = 0; i < N; i++) part[i] = add ? part[i] + sum[APART ? i : 0] : sum[APART ? i : 0];
    }

    const int lane = threadIdx.x % 32, row = row0 + threadIdx.x / 32 * 16 + lane / 4; // and the eighth after it
    const float unit[2] = {units[min(row, args.rows - 1)], units[min(row + 8, args.rows - 1)]};
    finish<W_PARTS>(of, args, unit, column0, lane, part);
    if (HALVES) {
        put_halved(of, args.rows, row, column0, lane, part);
    } else {
        put_floats(of, args.rows, row, column0, lane, part);
    }
}

} // namespace own
