// Dot products of a vector with rows of vectors. Included once by each scan_*.c,
// which says for which instruction set, as vec.h describes.

#include "vec.h"

enum { SUMS = 4 };

// from_bytes widens VW bytes with their signs.
INLINE vf from_bytes(const int8_t *p) {
#if defined(HAVE_AVX512)
	return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)p)));
#elif defined(HAVE_AVX2)
	return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)p)));
#else
	typedef int8_t vb __attribute__((vector_size(VW), aligned(1), may_alias));
	return __builtin_convertvector(__builtin_convertvector(*(const vb *)p, vi), vf);
#endif
}

// scan_floats: out[i] = query·row i, for n rows of `dimension` floats end to end.
void JOIN(scan_floats_, ISA)(float *out, const float *query, const float *row, int64_t n, int64_t dimension) {
	for (int64_t r = 0; r < n; r++, row += dimension) {
		vf sum[SUMS] = {{0}};
		int64_t i = 0;
		for (; i + SUMS * VW <= dimension; i += SUMS * VW) {
			UNROLL for (int k = 0; k < SUMS; k++) {
				sum[k] = muladd(load(row + i + k * VW), load(query + i + k * VW), sum[k]);
			}
		}
		for (; i + VW <= dimension; i += VW) {
			sum[0] = muladd(load(row + i), load(query + i), sum[0]);
		}
		if (i < dimension) {
			sum[1] = muladd(load_part(row + i, dimension - i), load_part(query + i, dimension - i), sum[1]);
		}
		out[r] = sum_of((sum[0] + sum[1]) + (sum[2] + sum[3]));
	}
}

// scan_bytes is the same for rows of bytes that are `stride` bytes apart.
void JOIN(scan_bytes_, ISA)(float *out, const float *query, const int8_t *row, int64_t n, int64_t dimension, int64_t stride) {
	for (int64_t r = 0; r < n; r++, row += stride) {
		vf sum[SUMS] = {{0}};
		int64_t i = 0;
		for (; i + SUMS * VW <= dimension; i += SUMS * VW) {
			UNROLL for (int k = 0; k < SUMS; k++) {
				sum[k] = muladd(from_bytes(row + i + k * VW), load(query + i + k * VW), sum[k]);
			}
		}
		for (; i + VW <= dimension; i += VW) {
			sum[0] = muladd(from_bytes(row + i), load(query + i), sum[0]);
		}
		if (i < dimension) {
			int8_t rest[VW] = {0};
			memcpy(rest, row + i, dimension - i);
			sum[1] = muladd(from_bytes(rest), load_part(query + i, dimension - i), sum[1]);
		}
		out[r] = sum_of((sum[0] + sum[1]) + (sum[2] + sum[3]));
	}
}
