// See sgemm.h. The vectors are those of any machine, which on arm64 are the best ones.

#define ISA generic

#include "../kernels/isa.h"
#include "../kernels/vec.h"
#include "../kernels/vecmath.h"
#include "../kernels/sums.h"
#include "sgemm.h"

// floats of scratch: the weights of a piece [inner, cols], a product [SGEMM_ROWS, cols],
// and either rows of x or a panel of weights, both in F32 and no wider than a tile.
int64_t sgemm_scratch(int64_t inner, int64_t cols) { return inner * cols + SGEMM_ROWS * cols + SGEMM_ROWS * inner; }

// spread writes the panels of a piece side by side: b [inner, cols]. What lies past the
// last panel is zero. wide has room for a panel in F32.
static void spread(const struct op *o, int64_t first, int64_t panels, float *wide, float *b, int64_t cols) {
	const struct factor *f = o->weight;
	const int64_t panel = f->kernels->panel, unit = o->dtype == DTYPE_F32 ? 4 : 2;
	for (int64_t p = 0; p * panel < cols; p++) {
		float *to = b + p * panel;
		if (first + p >= panels) {
			for (int64_t k = 0; k < o->inner; k++) {
				memset(to + k * cols, 0, 4 * panel);
			}
			continue;
		}
		const void *from = (const char *)f->panels + (first + p) * o->inner * panel * unit;
		if (o->dtype != DTYPE_F32) {
			f->kernels->widen(o->dtype, from, o->inner * panel, wide);
			from = wide;
		}
		for (int64_t k = 0; k < o->inner; k++) {
			memcpy(to + k * cols, (const float *)from + k * panel, 4 * panel);
		}
	}
}

// put adds the bias to a product, applies the activation and writes it to the result.
static void put(const struct op *o, int64_t row, int64_t rows, int64_t col, int64_t cols, float *sum, int64_t ld) {
	for (int64_t r = 0; r < rows; r++) {
		for (int64_t c = 0; c < cols; c++) {
			sum[r * ld + c] += o->bias[col + c];
		}
	}
	apply(o->activation, sum, ld, rows, cols);
	for (int64_t r = 0; r < rows; r++) {
		memcpy(o->out + (row + r) * o->cols + col, sum + r * ld, 4 * cols);
	}
}

void sgemm_linear(const struct op *o, int64_t piece, float *scratch) {
	enum { ROW_MAJOR = 101, AS_IT_IS = 111 };
	const struct factor *f = o->weight;
	const int64_t panels = pieces_of(o->cols, f->kernels->panel), across = pieces_of(panels, o->col_block);
	const int64_t cols = o->col_block * f->kernels->panel, first = piece % across * o->col_block, col = first * f->kernels->panel;
	const int64_t begin = piece / across * o->row_block, end = least(begin + o->row_block, o->rows);
	float *b = scratch, *sum = b + o->inner * cols, *spare = sum + SGEMM_ROWS * cols;
	spread(o, first, panels, spare, b, cols);
	for (int64_t row = begin; row < end; row += SGEMM_ROWS) {
		const int64_t n = least(SGEMM_ROWS, end - row);
		const float *x = o->x + row * o->inner;
		if (n < SGEMM_ROWS) {
			memcpy(spare, x, 4 * n * o->inner);
			memset(spare + n * o->inner, 0, 4 * (SGEMM_ROWS - n) * o->inner);
			x = spare;
		}
		f->product(ROW_MAJOR, AS_IT_IS, AS_IT_IS, SGEMM_ROWS, (int)cols, (int)o->inner, 1, x, (int)o->inner, b, (int)cols, 0, sum, (int)cols);
		put(o, row, n, col, least(cols, o->cols - col), sum, cols);
	}
}

#include "../kernels/isa_end.h"
