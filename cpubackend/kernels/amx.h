// Tiles: registers of 16 rows of 64 bytes, and instructions that multiply two of them (AMX).
// They are written as assembly, for gcc 12 takes its own intrinsic to read 8 bytes of a
// configuration only and drops what was stored to the others.

enum { AMX_ROWS = 16 };

// tiles says how many rows each register has, and how long they are.
struct tiles {
	uint8_t palette, start, reserved[14];
	uint16_t bytes[16];
	uint8_t rows[16];
};
_Static_assert(sizeof(struct tiles) == 64, "as the processor reads it");

// A thread has tiles from tiles_begin to tiles_end. Without any its registers are
// smaller to save for the system.
INLINE void tiles_begin(const struct tiles *t) { __asm__ volatile("ldtilecfg %0" : : "m"(*t)); }
INLINE void tiles_end(void) { __asm__ volatile("tilerelease"); }

// T, and SUM, X and W below, are numbers of registers.
#define TILE_ZERO(T) __asm__ volatile("tilezero %%tmm" #T : :)
#define TILE_LOAD(T, FROM, APART) \
	__asm__ volatile("tileloadd (%0,%1,1), %%tmm" #T : : "r"(FROM), "r"((int64_t)(APART)) : "memory")
#define TILE_STORE(T, TO, APART) \
	__asm__ volatile("tilestored %%tmm" #T ", (%0,%1,1)" : : "r"(TO), "r"((int64_t)(APART)) : "memory")

// TILE_HALVES adds products of BF16 to SUM: of the rows of x with pairs of values of the columns of w.
#define TILE_HALVES(SUM, X, W) __asm__ volatile("tdpbf16ps %%tmm" #W ", %%tmm" #X ", %%tmm" #SUM : :)
