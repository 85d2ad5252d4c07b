// Matrix products by a function of another library, as a kernel of linear layers.
#ifndef INGLENOOK_SGEMM_H
#define INGLENOOK_SGEMM_H

#include "../kernels/cpu.h"

// cblas_sgemm with sizes of 32 bits: out = alpha·a·b + beta·out.
typedef void (*sgemm)(int order, int turn_a, int turn_b, int rows, int cols, int inner, float alpha, const float *a, int lda,
	const float *b, int ldb, float beta, float *out, int ldo);

// factor is the weight of sgemm_linear.
struct factor {
	const void *panels; // as linear has them
	const struct kernels *kernels; // that packed them
	sgemm product;
};

// Every product has as many rows, so that a row's result does not depend on how many come
// with it. Missing rows are zeros.
enum { SGEMM_ROWS = 64 };

// sgemm_linear: out = activation(x·wᵀ + bias) as linear does it, with weights in F32, F16
// or BF16. weight is a factor; a piece covers row_block rows and col_block panels. Scratch
// holds what sgemm_scratch says.
void sgemm_linear(const struct op *o, int64_t piece, float *scratch);
int64_t sgemm_scratch(int64_t inner, int64_t cols);

#endif
