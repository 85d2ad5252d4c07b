// What the Go side and the kernels share: operation records, the table of
// kernels of one instruction set, the team of threads and memory.
#ifndef INGLENOOK_CPU_H
#define INGLENOOK_CPU_H

#include <stddef.h>
#include <stdint.h>

// The values of engine.DType, as a test checks; DTYPES is their number.
enum dtype {
	DTYPE_F32, DTYPE_F16, DTYPE_BF16, DTYPE_I32,
	DTYPE_Q4_0, DTYPE_Q4_1, DTYPE_Q5_0, DTYPE_Q5_1, DTYPE_Q8_0,
	DTYPE_Q2_K, DTYPE_Q3_K, DTYPE_Q4_K, DTYPE_Q5_K, DTYPE_Q6_K,
	DTYPE_IQ4_NL, DTYPE_IQ4_XS, DTYPE_MXFP4,
	DTYPE_IQ2_XXS, DTYPE_IQ2_XS, DTYPE_IQ2_S, DTYPE_IQ3_XXS, DTYPE_IQ3_S,
	DTYPES
};

// The values of engine.Activation.
enum activation { ACT_NONE, ACT_GELU, ACT_GELU_TANH, ACT_QUICK_GELU, ACT_RELU, ACT_SILU, ACT_TANH, ACT_SIGMOID };

// The values of engine.PoolMode.
enum pool_mode { POOL_CLS, POOL_MEAN, POOL_MAX, POOL_LAST, POOL_MEAN_SQRT_LEN, POOL_WEIGHTED_MEAN };

// kernel computes one piece of an operation; scratch is the thread's own.
struct op;
typedef void (*kernel)(const struct op *o, int64_t piece, float *scratch);

// named_kernel is a kernel with its function's name, by which Go asks for it.
struct named_kernel {
	const char *name;
	kernel kernel;
};

// span is a piece of attention: queries first..last of the text that lies in
// rows start..end, heads head..head_end.
struct span {
	int32_t first, last, start, end, head, head_end;
};

// causal is what causal attention needs besides its operands; sizes in elements
// unless they say bytes.
struct causal {
	char *keys, *values;         // caches, laid out as cache.h says
	int32_t dtype;               // of the caches
	int32_t round_bias;          // round each bias to BF16
	int64_t past;                // rows that the caches held before
	int64_t kv_heads, size;      // size of a head
	int64_t window;              // positions that a query sees
	float cap;                   // bound of the scores, 0 for none
	float bias_scale;
	const float *slopes;         // one a head, or NULL
	const float *sinks;          // one a head: a score that no key has, or NULL
	const float *relative;       // biases by distance [buckets, heads], or NULL
	const int32_t *buckets;      // of them: the row for each distance back
	int64_t held;                // rows that the caches hold: no query sees more
	int64_t queries;             // of one piece
	int64_t first_key;           // the first that any query sees, rounded down to a block
	int64_t range, ranges;       // keys of one piece, and how many such ranges there are
	float *parts;                // results of the ranges where there are several
};

// experts are the slots of an operation on experts, sorted: those of expert e are
// slot[start[e]..start[e+1]].
struct experts {
	int64_t count, slots; // experts, and slots of a row
	int64_t share;        // slots that share a row of x: all of a row, or 1
	int64_t stride, bias_stride; // bytes of the weight, and floats of the bias, of one expert
	int64_t blocks;       // pieces of an expert when rows are gathered
	int32_t *start, *slot;
	const struct in_file *in_file; // of a weight that is left in its file
};

// in_file says where the matrices of a weight lie in a file.
struct in_file {
	const struct kernels *kernels;
	int64_t first, apart; // where the first matrix begins, and how far each is from the one before
	int64_t row;          // bytes of a row
	int32_t file;         // its descriptor
	int32_t *failed;      // set if it cannot be read
};

// recurrent is what recurrent operations need besides their operands.
struct recurrent {
	const float *from; // the state that is continued, NULL for zeros
	float *to;         // the state that is written, elsewhere
	int64_t key_heads, size; // delta rule: heads of queries and keys, and their columns
	int32_t tiled, log_rates;
};

// op is one operation with its operands bound to addresses. The Go file of an
// operation says which fields it uses; sizes and indexes were checked there.
// All matrices are row-major, result [rows, cols].
struct op {
	kernel kernel;
	int32_t dtype, activation, heads;
	int64_t rows, cols;
	int64_t inner;                // linear: columns of x
	int64_t row_block, col_block; // what one piece covers
	int64_t pieces;               // how many pieces make the operation
	float epsilon, scale;
	const float *x, *y, *z;       // activations
	const void *weight;           // in the layout that the kernel wants
	void *levels;                 // x quantized, see quantize.h; with `then` what it writes
	int32_t form;                 // the form of levels, 0 or 1, see x_form; of how many halves they are sums, see halves.h
	void *passed;                 // linear: the result goes here, quantized in the same form, and not to out; or NULL
	kernel then;                  // quantize_x or halve, called with the rows of out that a piece wrote, or NULL
	const float *gain, *bias;     // one row each
	const int32_t *index;         // ids, row numbers or text starts
	const int32_t *modes;         // pool: mode_count of them
	int64_t mode_count;
	const struct span *spans;     // attention: one a piece
	const int32_t *buckets;       // attention: row of bias for distance -reach..reach
	int64_t reach;
	int64_t before, after;        // attention: rows before and behind its own that a row sees at most
	const float *sight;           // attention: how far each row sees [heads, rows], or NULL
	const struct causal *causal;  // causal attention
	const struct recurrent *recurrent; // causal convolution, delta rule
	int32_t interleaved;          // rope: neighbours are pairs
	const struct experts *experts; // operations on experts
	const int32_t *slot;          // the slots of one expert: rows of x (divided by share) and of out, or NULL
	float limit, shift;           // gate: bound of both, 0 for none, and what is added to y
	float *out;
	int64_t nanoseconds;          // set by the run: how long the operation took
};

// block_kernels are the routines for weights in block types.
struct block_kernels {
	// If x is quantized for them: for each form of x the rows of a tile (0: x is not
	// quantized) and the bytes of a run, and bytes of scratch for open runs of a
	// panel.
	int32_t x_tile[2], x_bytes[2], open_bytes;
	int32_t passes; // whether linear can write a quantized result: a panel is a run
	// x_form returns the form of x that is multiplied with a type: 1 for weights of 8 bits.
	int (*x_form)(int dtype);
	// pack turns `rows` rows of a file's blocks into panels, in zeroed memory.
	void (*pack)(int dtype, const void *w, int64_t rows, int64_t inner, void *panels);
	// packed_bytes returns the bytes that a row of `inner` values takes in a panel.
	int64_t (*packed_bytes)(int dtype, int64_t inner);
	// widen converts n values, whole blocks, to f32.
	void (*widen)(int dtype, const void *from, int64_t n, float *to);
	const struct named_kernel *named; // the last one has no name
};

// kernels are the routines of one instruction set.
struct kernels {
	int32_t vector; // floats in a register
	int32_t panel;  // columns in a panel of packed weights
	int32_t tile;   // rows that the inner loop of linear covers
	// pack turns `rows` rows of a row-major weight [rows, inner] into panels:
	// for each k, `panel` values w[0..panel][k] side by side, zeros past the last row.
	void (*pack)(int dtype, const void *w, int64_t rows, int64_t inner, void *panels);
	// widen converts n values to f32.
	void (*widen)(int dtype, const void *from, int64_t n, float *to);
	const struct named_kernel *named; // the last one has no name
	struct block_kernels blocks;
	const struct named_kernel *more; // that only some sets have, or NULL
};

// These call the functions of a table, which Go cannot: it has no calls through C
// pointers.
void kernels_pack(const struct kernels *k, int dtype, const void *w, int64_t rows, int64_t inner, void *panels);
int64_t kernels_packed_bytes(const struct kernels *k, int dtype, int64_t inner);
int kernels_x_form(const struct kernels *k, int dtype);

// fetch_experts is a kernel that is the same for all instruction sets: it reads the
// matrices of the experts that have rows from a file into panels.
void fetch_experts(const struct op *o, int64_t piece, float *scratch);
void kernels_widen(const struct kernels *k, int dtype, const void *from, int64_t n, float *to);

// kernels_name returns the names of the instruction sets that were compiled in,
// best first, NULL past the last.
const char *kernels_name(int i);
// kernels_of returns the kernels of an instruction set, NULL where this machine
// cannot run them.
const struct kernels *kernels_of(const char *name);
// kernels_named returns kernel i of an instruction set. Past the last its name is
// NULL.
struct named_kernel kernels_named(const struct kernels *k, int i);

// The team of threads that runs operations.
struct team;
// team_new starts threads-1 threads; the caller of team_run is the last one.
// It returns NULL if the system refuses a thread.
struct team *team_new(int threads);
// team_scratch gives every thread at least `bytes` of scratch. It returns 0 if the
// system refuses the memory.
int team_scratch(struct team *p, size_t bytes);
// team_run executes n operations in order and sets their times. It returns
// early, with results missing, once *stop is not 0.
void team_run(struct team *p, struct op *ops, int64_t n, const int32_t *stop);
void team_free(struct team *p);

// memory_map returns zeroed anonymous memory, aligned to at least 64 bytes, large
// memory in large pages. It returns NULL if the system refuses.
void *memory_map(size_t bytes);
void memory_unmap(void *p, size_t bytes);

#endif
