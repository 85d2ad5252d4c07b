// What the kernels share that keep 128 rows of 384 halves in shared memory, 64 for each of two
// groups of four warps, and stream weights past them in pieces of 24 KB.
//
// The groups take turns: while one has the tensor cores, the other does what comes after the
// products. The second group, which needs a piece last, copies a later one to its place. Lines
// of shared memory are those of hopper.cu.

#undef MSL_BOUNDS
#define MSL_BOUNDS __launch_bounds__(256, 1)

namespace own {

enum { FED = 384, PIECE = FED / 2 * LINE, PIECES = 5, GROUP = 128, BARRIERS = 1024 }; // GROUP: threads. BARRIERS: bytes
enum { OURS = 1, READ = 3 }; // named barriers: a group's turn, of two; what the first group has read

MSL_FN void meet(int barrier) { asm volatile("bar.sync %0, 256;" : : "r"(barrier) : "memory"); }
MSL_FN void come(int barrier) { asm volatile("bar.arrive %0, 256;" : : "r"(barrier) : "memory"); }

// Streams is a block's shared memory, as addresses: a barrier for each piece, the rows of x
// [FED / 64, TILE] as lines, and the pieces.
struct Streams {
    unsigned barriers, x, pieces;
    int group, line, at; // of this thread; the first line that it copies, and the first half in it

    MSL_FN Streams() : barriers(((unsigned) __cvta_generic_to_shared(msl::shared()) + 1023) / 1024 * 1024), group(group_of_warp()) {
        x = barriers + BARRIERS;
        pieces = x + FED / 64 * TILE * LINE;
        line = threadIdx.x % GROUP / 8;
        at = threadIdx.x % 8 * 8;
        if (threadIdx.x < PIECES) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "r"(barriers + 8 * threadIdx.x), "r"((int) GROUP) : "memory");
        __syncthreads();
    }

    // behind returns what follows the pieces.
    MSL_FN float *behind() const { return (float *) ((char *) msl::shared() + (pieces + PIECES * PIECE - (unsigned) __cvta_generic_to_shared(msl::shared()))); }

    // copy_rows begins to copy the block's rows of x.
    MSL_FN void copy_rows(const half *from, int rows) const {
#pragma unroll
        for (int i = 0; i < 24; i++) {
            const int line = threadIdx.x / 8 + 32 * i;
            copy16(x + line * LINE + (threadIdx.x % 8 ^ line % 8) * 16, from + min((int) blockIdx.x * TILE + line % TILE, rows - 1) * (long) FED + line / TILE * 64 + at, 16);
        }
    }

    // copy begins to copy a piece, of which this thread has 12 lines: further(i) is how many halves
    // the i-th is behind from.
    template <typename Further> MSL_FN void copy(int piece, const half *from, Further further) const {
        const int stage = piece % PIECES;
        const unsigned to = pieces + stage * PIECE + line * LINE + (threadIdx.x % 8 ^ line % 8) * 16;
#pragma unroll
        for (int i = 0; i < 12; i++) copy16(to + 16 * LINE * i, from + further(i), 16);
        asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" : : "r"(barriers + 8 * stage) : "memory");
    }

    // there waits for a piece, and returns where it is, as a matrix.
    MSL_FN unsigned there(int piece) const {
        const int stage = piece % PIECES;
        asm volatile("{.reg .pred p; WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @p bra DONE; bra WAIT; DONE: }"
                     : : "r"(barriers + 8 * stage), "r"(piece / PIECES % 2) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" : : : "memory"); // the tensor cores see it
        return matrix(pieces + stage * PIECE);
    }

    // multiply begins sum += x·wᵀ of this group's rows with 64 rows of w, of which a piece has half of
    // the sum. It is a group of products of its own.
    MSL_FN void multiply(float (&sum)[32], int half_sum, unsigned w) const {
        const unsigned rows = matrix(x + group * 64 * LINE);
        begin_products();
#pragma unroll
        for (int k = 0; k < 12; k++)
            own::multiply(sum, rows + ((3 * half_sum + k / 4) * TILE * LINE + 32 * (k % 4)) / 16, w + (k / 4 * 64 * LINE + 32 * (k % 4)) / 16, 1);
        end_products();
    }
};

} // namespace own
