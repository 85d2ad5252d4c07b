// feed: y = w2·act(w1·x + bias1) + bias2, the two products of a layer that follow each other,
// for rows of 384 values, without a place in memory for what lies between them. A block takes
// 128 rows of x, 64 to each of its two groups of four warps, and goes through 64 of the values
// between at a time: their sums become halves in registers, which the second product takes
// from there. Rows of 384 sums stay in registers to the end.
//
// Of the pieces (pieces.cu), four are for 64 values between: two of w1, with half of the sum
// each, and two of w2, with half of the columns each.
//
// The halves of a row between have one unit, which grows when a larger value comes: then the
// row's sums shrink.

namespace own {

struct FeedArgs { int rows; };

// multiply adds a·bᵀ of 64 rows, whose 16 halves lie in registers, with 192 rows of 16 halves.
MSL_FN void multiply(float (&sum)[96], const unsigned (&a)[4], unsigned b) {
    asm volatile("{.reg .b64 b; mov.b64 b, {%100, %101}; wgmma.mma_async.sync.aligned.m64n192k16.f32.f16.f16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
                 "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
                 "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
                 "}, {%96, %97, %98, %99}, b, 1, 1, 1, 0;}"
                 : SUMS(0), SUMS(8), SUMS(16), SUMS(24), SUMS(32), SUMS(40), SUMS(48), SUMS(56), SUMS(64), SUMS(72), SUMS(80), SUMS(88)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b), "r"((unsigned) REST));
}

// rounded_activation is activated with an error like that of the half that becomes of it: for
// GELU, Φ is ½ + ½·tanh(x·P(x²)), with the card's own tanh, which has 11 bits.
MSL_FN float rounded_activation(float x) {
    if (FC_activation != GELU) return activated(x);
    const float t = min(x * x, 20.0f);
    float y;
    asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x * fma(t, fma(t, -3.51518024e-4f, 3.70056544e-2f), 0.797507874f)));
    return fma(0.5f * x, y, 0.5f * x);
}

template <int SIZE, int BETWEEN> // BETWEEN: values, a multiple of 64
MSL_FN void feed(FeedArgs &args, const half *x, const float *units, const half *w1, const half *w2, const float *bias1, const float *bias2, float *y) {
    const Streams streams;
    float *const biases = streams.behind(); // [BETWEEN], then [FED]
    const int group = streams.group, row0 = blockIdx.x * TILE, lane = threadIdx.x % 32;
    // copy begins to copy a piece: of 64 values between, 0 and 1 are halves of w1's sum, 2 and 3 of w2's columns
    auto copy = [&](int piece, int which) {
        if (group == 0 || piece >= BETWEEN / 16) return;
        const int value = piece / 4 * 64, line = streams.line;
        if (which < 2) {
            streams.copy(piece, w1 + (value + line) * FED + which * (FED / 2) + streams.at, [](int i) { return i % 4 * 16 * FED + i / 4 * 64; });
        } else {
            streams.copy(piece, w2 + ((which - 2) * (FED / 2) + line) * BETWEEN + value + streams.at, [](int i) { return 16 * i * BETWEEN; });
        }
    };

    float sums[2][96]; // of y
#pragma unroll
    for (int i = 0; i < 96; i++) sums[0][i] = sums[1][i] = 0.0f;
    msl::wait_for_last();
    streams.copy_rows(x, args.rows);
#pragma unroll
    for (int p = 0; p < PIECES; p++) copy(p, p % 4);
    for (int i = threadIdx.x; i < BETWEEN + FED; i += 256) biases[i] = i < BETWEEN ? bias_at(bias1, i) : bias_at(bias2, i - BETWEEN);
    asm volatile("cp.async.wait_all;" : : : "memory");
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
    __syncthreads();

    const int row = row0 + threadIdx.x / 32 * 16 + lane / 4; // and the eighth after it
    const float unit[2] = {units[min(row, args.rows - 1)], units[min(row + 8, args.rows - 1)]};
    float between[2] = {0.0f, 0.0f}; // the units between
    unsigned a[4][4];                // the values between, as halves
#pragma unroll
    for (int k = 0; k < 4; k++)
#pragma unroll
        for (int i = 0; i < 4; i++) a[k][i] = 0;
    if (group == 1) come(OURS);
    for (int value = 0;; value += 64) {
        const int piece = value / 16; // the first of w1; those of w2 before it belong to the values before
        meet(OURS + group);
        if (value > 0) {
#pragma unroll
            for (int columns = 0; columns < 2; columns++) {
                const unsigned w = streams.there(piece - 2 + columns);
                begin_products();
#pragma unroll
                for (int k = 0; k < 4; k++) multiply(sums[columns], a[k], w + 2 * k);
                end_products();
            }
            asm volatile("wgmma.wait_group.sync.aligned 1;" : : : "memory");
            copy(piece - 2 + PIECES, 3); // nobody needs that piece any longer
            wait<0>(sums[0]);
            wait<0>(sums[1]);
        }
        if (value == BETWEEN) {
            if (group == 0) come(OURS + 1);
            break;
        }
        float part[32]; // the values between
#pragma unroll
        for (int i = 0; i < 32; i++) part[i] = 0.0f;
#pragma unroll
        for (int sum = 0; sum < 2; sum++) {
            streams.multiply(part, sum, streams.there(piece + sum));
            if (sum == 0 && value > 0) copy(piece - 1 + PIECES, 0);
        }
        come(OURS + 1 - group); // the other's turn: the tensor cores still have enough to do
        if (group == 1) meet(READ); // the first group has read its pieces
        asm volatile("wgmma.wait_group.sync.aligned 1;" : : : "memory");
        copy(piece + PIECES, 1);
        wait<0>(part);
        if (group == 0) come(READ);
        copy(piece + 1 + PIECES, 2);

        float largest[2] = {0.0f, 0.0f};
#pragma unroll
        for (int j = 0; j < 8; j++)
#pragma unroll
            for (int c = 0; c < 2; c++) {
                const float bias = biases[value + 8 * j + lane % 4 * 2 + c];
#pragma unroll
                for (int n = 0; n < 2; n++) {
                    float &v = part[4 * j + 2 * n + c];
                    v = rounded_activation(fma(v, unit[n], bias));
                    largest[n] = max(largest[n], fabsf(v));
                }
            }
#pragma unroll
        for (int n = 0; n < 2; n++) {
            largest[n] = max(largest[n], __shfl_xor_sync(MSL_ALL, largest[n], 1));
            largest[n] = max(largest[n], __shfl_xor_sync(MSL_ALL, largest[n], 2));
        }
        const float HOLDS = 32768.0f; // units
        if (__any_sync(MSL_ALL, largest[0] > between[0] * HOLDS || largest[1] > between[1] * HOLDS || value == 0)) {
#pragma unroll
            for (int n = 0; n < 2; n++) {
                float shrunk = 1.0f;
                if (largest[n] > between[n] * HOLDS || value == 0) {
                    const int exponent = max((int) (__float_as_uint(largest[n]) >> 23) - 127, -100);
                    shrunk = between[n] * power_of_two(11 - exponent);
                    between[n] = power_of_two(exponent - 11); // a value eight times as large still has a half
                }
#pragma unroll
                for (int j = 0; j < 24; j++)
#pragma unroll
                    for (int c = 0; c < 2; c++) {
                        sums[0][4 * j + 2 * n + c] *= shrunk;
                        sums[1][4 * j + 2 * n + c] *= shrunk;
                    }
            }
        }
        const float scale[2] = {reciprocal(between[0]), reciprocal(between[1])};
#pragma unroll
        for (int k = 0; k < 4; k++)
#pragma unroll
            for (int i = 0; i < 4; i++) a[k][i] = halves_of(part[8 * k + 2 * i] * scale[i % 2], part[8 * k + 2 * i + 1] * scale[i % 2]);
    }

#pragma unroll
    for (int j = 0; j < 48; j++) {
        const int column = 8 * j + lane % 4 * 2;
        const float2 bias = *(const float2 *) (biases + BETWEEN + column);
#pragma unroll
        for (int n = 0; n < 2; n++) {
            if (row + 8 * n >= args.rows) break;
            const float *sum = sums[j / 24] + 4 * (j % 24) + 2 * n;
            *(float2 *) (y + (long) (row + 8 * n) * FED + column) = float2(fma(sum[0], between[n], bias.x), fma(sum[1], between[n], bias.y));
        }
    }
}

} // namespace own
