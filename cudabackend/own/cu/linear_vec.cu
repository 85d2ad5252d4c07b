// linear_vec: one row of x. A warp computes ROWS neighbouring values of y, or all warps of
// a block share the sums of these. Blocks of w come through shared memory: a warp copies
// 16 bytes a thread, straight and several pieces ahead, so that the memory never waits for
// the arithmetic, and products read them there with whatever alignment their type has.
// The copies of the first pieces begin before the kernel in front has ended, since
// weights do not change.
//
// The types are those of linear_vec.metal and of the files linear_vec_*.

namespace own {

MSL_FN void copy16(char *to, const uchar *from, int bytes) { // zeros past the bytes
    const unsigned at = (unsigned) __cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(at), "l"(from), "r"(bytes) : "memory");
}

MSL_FN void copied() { asm volatile("cp.async.commit_group;" : : : "memory"); }
template <int LEFT> MSL_FN void wait_for_copies() { asm volatile("cp.async.wait_group %0;" : : "n"(LEFT) : "memory"); }

// Sixteen is four words of a weight.
struct __align__(16) Sixteen { unsigned a, b, c, d; };

MSL_FN Sixteen read16(const void *from) { // it will not be read again
    Sixteen v;
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.a), "=r"(v.b), "=r"(v.c), "=r"(v.d) : "l"(from));
    return v;
}

MSL_FN float from_bits(unsigned v) { return __uint_as_float(v); }
MSL_FN float lower_half(unsigned v) {
    half h;
    h.v = v & 0xffff;
    return float(h);
}
MSL_FN float upper_half(unsigned v) {
    half h;
    h.v = v >> 16;
    return float(h);
}

// quad returns four values of a plain type.
template <typename Type> MSL_FN float4 quad(Sixteen, int) { return float4(0.0f); } // other types are not read so
template <> MSL_FN float4 quad<VecPlain<QuadF32>>(Sixteen v, int) { return float4(from_bits(v.a), from_bits(v.b), from_bits(v.c), from_bits(v.d)); }
template <> MSL_FN float4 quad<VecPlain<QuadF16>>(Sixteen v, int i) {
    const unsigned a = i ? v.c : v.a, b = i ? v.d : v.b;
    return float4(lower_half(a), upper_half(a), lower_half(b), upper_half(b));
}
template <> MSL_FN float4 quad<VecPlain<QuadBF16>>(Sixteen v, int i) {
    const unsigned a = i ? v.c : v.a, b = i ? v.d : v.b;
    return float4(from_bits(a << 16), from_bits(a & 0xffff0000u), from_bits(b << 16), from_bits(b & 0xffff0000u));
}

// Pieces says how much of its rows a warp has under way.
template <typename Type> struct Pieces {
    enum {
        AT_ONCE = 32 / Type::PARTS,            // blocks of a row that a warp takes at a time
        WHOLE = Type::BYTES % 16 == 0 ? 1 : 8, // so many blocks are a multiple of 16 bytes
        LEAST = WHOLE > AT_ONCE ? WHOLE / AT_ONCE : 1,
        ALSO = 640 / (AT_ONCE * Type::BYTES) / LEAST * LEAST,
        TIMES = ALSO > LEAST ? ALSO : LEAST,
        TAKEN = AT_ONCE * TIMES, // blocks of one row in a piece
        BYTES = TAKEN * Type::BYTES,
        UNITS = (BYTES + 15 + 15) / 16, // of 16 bytes, wherever the first begins
        WEIGHTS = FC_linear_gate != 0 ? 2 : 1,
        ROWS = WEIGHTS * Type::ROWS,
        ALL = ROWS * UNITS * 16, // bytes of a piece of all rows
        STAGES = 3,
        COPIES = (ROWS * UNITS + 31) / 32, // of a lane
    };
};

// Copier copies the pieces of some rows to shared memory, one after the other.
template <typename Type> struct Copier {
    typedef Pieces<Type> P;
    const uchar *w, *up;
    long stride;
    int out;
    unsigned lane;
    const uchar *from[P::COPIES];

    MSL_FN Copier(const uchar *w, const uchar *up, const LinearArgs &args, unsigned lane) : w(w), up(up), stride(args.stride), out(args.out), lane(lane) {}

    // begin goes to a block of the rows from a column of y on.
    MSL_FN void begin(int column, int block) {
#pragma unroll
        for (int n = 0; n < P::COPIES; n++) {
            const int i = (lane + 32 * n) / P::UNITS, unit = (lane + 32 * n) % P::UNITS;
            from[n] = (i < Type::ROWS ? w : up) + (place(column, i, block) & ~15l) + unit * 16;
        }
    }

    // place returns where a block of row i lies. Rows past the end repeat the last one.
    MSL_FN long place(int column, int i, int block) const { return min(column + i % Type::ROWS, out - 1) * stride + (long) block * Type::BYTES; }

    // next copies a piece and goes on by so many blocks. At the end of the row there may
    // be nothing behind it.
    MSL_FN void next(char *to, bool end, int blocks) {
#pragma unroll
        for (int n = 0; n < P::COPIES; n++) {
            const int at = lane + 32 * n;
            if (32 * n + 32 <= P::ROWS * P::UNITS || at < P::ROWS * P::UNITS) {
                int bytes = 16;
                if (end) {
                    const long left = (at < Type::ROWS * P::UNITS ? w : up) + out * stride - from[n];
                    bytes = left >= 16 ? 16 : left > 0 ? (int) left : 0;
                }
                copy16(to + at * 16, bytes > 0 ? from[n] : w, bytes);
                from[n] += (long) blocks * Type::BYTES;
            }
        }
    }
};

// staged adds the products of a warp's rows, which come through shared memory.
template <typename Type>
MSL_FN void staged(const LinearArgs &args, const float *x, const uchar *w, const uchar *up, char *stages, int column, int first, int step,
                   unsigned lane, float (&sums)[Pieces<Type>::ROWS]) {
    typedef Pieces<Type> P;
    const int blocks = args.in / Type::VALUES;
    Copier<Type> copier(w, up, args, lane);
    copier.begin(column, first);
#pragma unroll
    for (int s = 0; s < P::STAGES - 1; s++) {
        const int at = first + s * step;
        if (at < blocks) copier.next(stages + s * P::ALL, at + P::TAKEN >= blocks, step);
        copied();
    }
    int offset[P::ROWS]; // of the first byte in a piece
#pragma unroll
    for (int i = 0; i < P::ROWS; i++) offset[i] = i * P::UNITS * 16 + (int) (copier.place(column, i, first) & 15);
    msl::wait_for_last();
    const int part = lane % Type::PARTS, own_block = lane / Type::PARTS;
    int stage = 0;
    for (int at = first; at < blocks; at += step) {
        wait_for_copies<P::STAGES - 2>();
        __syncwarp();
        const int ahead = at + (P::STAGES - 1) * step;
        if (ahead < blocks) copier.next(stages + (stage + P::STAGES - 1) % P::STAGES * P::ALL, ahead + P::TAKEN >= blocks, step);
        copied();
        const uchar *piece = (const uchar *) stages + stage * P::ALL;
#pragma unroll
        for (int t = 0; t < P::TIMES; t++) {
            const int block = t * P::AT_ONCE + own_block;
            if (at + block < blocks) {
                const typename Type::X v = Type::load(x + (long) (at + block) * Type::VALUES, part);
#pragma unroll
                for (int i = 0; i < P::ROWS; i++) sums[i] += Type::dot(piece + offset[i] + block * Type::BYTES, v, part);
            }
        }
        stage = stage + 1 == P::STAGES ? 0 : stage + 1;
    }
    wait_for_copies<0>(); // the memory is used again
}

// direct does the same for plain numbers, which it reads 16 bytes at a time.
template <typename Type>
MSL_FN void direct(const LinearArgs &args, const float *x, const uchar *w, const uchar *up, int column, int first, int step,
                   unsigned lane, float (&sums)[Pieces<Type>::ROWS]) {
    typedef Pieces<Type> P;
    enum { QUADS = 16 / Type::BYTES, VALUES = 4 * QUADS, AHEAD = P::WEIGHTS > 1 ? 1 : 2 };
    const Sixteen *rows[P::ROWS];
#pragma unroll
    for (int i = 0; i < P::ROWS; i++) {
        const int row = column + i % Type::ROWS;
        rows[i] = (const Sixteen *) ((i < Type::ROWS ? w : up) + (long) (row < args.out ? row : args.out - 1) * args.stride) + lane;
    }
    const int units = args.in / VALUES;
    Sixteen now[AHEAD][P::ROWS];
#pragma unroll
    for (int a = 0; a < AHEAD; a++)
#pragma unroll
        for (int i = 0; i < P::ROWS; i++) now[a][i] = first + a * step + (int) lane < units ? read16(rows[i] + first + a * step) : Sixteen{0, 0, 0, 0};
    msl::wait_for_last();
    for (int at = first; at + (int) lane < units; at += AHEAD * step) {
        Sixteen next[AHEAD][P::ROWS];
#pragma unroll
        for (int a = 0; a < AHEAD; a++) {
            const int then = at + (AHEAD + a) * step;
#pragma unroll
            for (int i = 0; i < P::ROWS; i++) next[a][i] = then + (int) lane < units ? read16(rows[i] + then) : Sixteen{0, 0, 0, 0};
        }
#pragma unroll
        for (int a = 0; a < AHEAD; a++) {
            const int unit = at + a * step + (int) lane;
            if (unit < units) {
#pragma unroll
                for (int c = 0; c < QUADS; c++) {
                    const float4 v = *(const float4 *) (x + (long) unit * VALUES + 4 * c);
#pragma unroll
                    for (int i = 0; i < P::ROWS; i++) sums[i] = multiply_add(quad<Type>(now[a][i], c), v, sums[i]);
                }
            }
        }
#pragma unroll
        for (int a = 0; a < AHEAD; a++)
#pragma unroll
            for (int i = 0; i < P::ROWS; i++) now[a][i] = next[a][i];
    }
}

// by_floats is linear_vec for all types.
template <typename Type>
MSL_FN void by_floats(const LinearArgs &args, const float *x, const uchar *w, const float *bias, float *y, const uchar *up,
                       char *shared, uint group, ushort index, ushort lane, ushort warp, ushort warps) {
    typedef Pieces<Type> P;
    const bool alone = FC_linear_own != 0;
    const int column = (alone ? (int) group * warps + warp : (int) group) * Type::ROWS;
    const int first = alone ? 0 : warp, step = alone ? 1 : warps;
    float sums[P::ROWS];
#pragma unroll
    for (int i = 0; i < P::ROWS; i++) sums[i] = 0.0f;
    if (column >= args.out) {
        msl::wait_for_last();
    } else if (Type::VALUES == 4 && args.stride % 16 == 0) {
        direct<Type>(args, x, w, up, column, first * 32, step * 32, lane, sums);
    } else {
        staged<Type>(args, x, w, up, shared + warp * (P::STAGES * P::ALL), column, first * P::TAKEN, step * P::TAKEN, lane, sums);
    }

    float sum = 0.0f, factor = 1.0f;
#pragma unroll
    for (int i = 0; i < P::ROWS; i++) {
        const float all = simd_sum(sums[i]);
        if (lane == i % Type::ROWS) (i < Type::ROWS ? sum : factor) = all;
    }
    if (!alone) {
        __syncthreads();
        float *all = (float *) shared, *factors = all + warps * Type::ROWS;
        if (lane < Type::ROWS) {
            all[warp * Type::ROWS + lane] = sum;
            factors[warp * Type::ROWS + lane] = factor;
        }
        __syncthreads();
        if (index < Type::ROWS) {
            sum = linear_total(all, index, Type::ROWS, warps);
            if (P::WEIGHTS > 1) factor = linear_total(factors, index, Type::ROWS, warps);
        }
    }
    const int i = alone ? lane : index;
    if (i < Type::ROWS && column + i < args.out) {
        const float v = activate(sum + linear_bias(bias, column + i));
        y[column + i] = P::WEIGHTS > 1 ? v * factor : v;
    }
}

} // namespace own
