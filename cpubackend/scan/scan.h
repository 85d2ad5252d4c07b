// Dot products of a vector with rows of vectors. Each scan_*.c includes this file
// once, after isa.h.

#include "vec.h"
#include "scanner.h"

enum { SUMS = 4 };

// scan_floats: out[i] = query·row i, for n rows of `dimension` floats end to end.
static void scan_floats(float *out, const float *query, const float *row, int64_t n, int64_t dimension) {
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
static void scan_bytes(float *out, const float *query, const int8_t *row, int64_t n, int64_t dimension, int64_t stride) {
	for (int64_t r = 0; r < n; r++, row += stride) {
		vf sum[SUMS] = {{0}};
		int64_t i = 0;
		for (; i + SUMS * VW <= dimension; i += SUMS * VW) {
			UNROLL for (int k = 0; k < SUMS; k++) {
				sum[k] = muladd(from_i8(row + i + k * VW), load(query + i + k * VW), sum[k]);
			}
		}
		for (; i + VW <= dimension; i += VW) {
			sum[0] = muladd(from_i8(row + i), load(query + i), sum[0]);
		}
		if (i < dimension) {
			int8_t rest[VW] = {0};
			memcpy(rest, row + i, dimension - i);
			sum[1] = muladd(from_i8(rest), load_part(query + i, dimension - i), sum[1]);
		}
		out[r] = sum_of((sum[0] + sum[1]) + (sum[2] + sum[3]));
	}
}

#if defined(HAVE_AVX2) || defined(HAVE_AVX512)
// count_bytes counts the bits of each byte, by its halves (Mula 2008).
INLINE __m256i count_bytes(__m256i v) {
	const __m256i low = _mm256_set1_epi8(15);
	const __m256i counts = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
	__m256i high = _mm256_and_si256(_mm256_srli_epi16(v, 4), low);
	return _mm256_add_epi8(_mm256_shuffle_epi8(counts, _mm256_and_si256(v, low)), _mm256_shuffle_epi8(counts, high));
}

INLINE int64_t sum_of_words(__m256i v) {
	__m128i half = _mm_add_epi64(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
	return _mm_cvtsi128_si64(half) + _mm_extract_epi64(half, 1);
}
#endif

// scan_bits counts the bits that row i shares with four planes, those of plane p 2^p
// times, into out[i], and the bits of the row into ones[i]. Rows and planes are
// `words` words of 64 bits; rows are `stride` bytes apart, planes end to end.
static void scan_bits(int32_t *out, int32_t *ones, const uint64_t *planes, const uint8_t *row, int64_t n, int64_t words, int64_t stride) {
	for (int64_t r = 0; r < n; r++, row += stride) {
		int64_t shared = 0, all = 0, i = 0;
#if defined(HAVE_AVX2) || defined(HAVE_AVX512)
		__m256i sum = _mm256_setzero_si256(), count = sum;
		for (; i + 4 <= words; i += 4) {
			__m256i v = _mm256_loadu_si256((const __m256i *)(row + 8 * i));
			__m256i weighted = _mm256_setzero_si256(); // at most 8*15 a byte
			UNROLL for (int p = 3; p >= 0; p--) {
				__m256i plane = _mm256_loadu_si256((const __m256i *)(planes + p * words + i));
				weighted = _mm256_add_epi8(_mm256_add_epi8(weighted, weighted), count_bytes(_mm256_and_si256(v, plane)));
			}
			sum = _mm256_add_epi64(sum, _mm256_sad_epu8(weighted, _mm256_setzero_si256()));
			count = _mm256_add_epi64(count, _mm256_sad_epu8(count_bytes(v), _mm256_setzero_si256()));
		}
		shared = sum_of_words(sum);
		all = sum_of_words(count);
#endif
		for (; i < words; i++) {
			uint64_t w;
			memcpy(&w, row + 8 * i, 8);
			UNROLL for (int p = 0; p < 4; p++) {
				shared += (int64_t)__builtin_popcountll(w & planes[p * words + i]) << p;
			}
			all += __builtin_popcountll(w);
		}
		out[r] = (int32_t)shared;
		ones[r] = (int32_t)all;
	}
}

const struct scanner JOIN(scan_, ISA) = {
	.floats = scan_floats,
	.bytes = scan_bytes,
	.bits = scan_bits,
};
