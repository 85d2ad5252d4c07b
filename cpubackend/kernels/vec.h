// Vectors of floats for the kernels: the compiler's vector extension in the
// width that isa.h chose, and the few things that need an instruction set's own
// intrinsics.

#include <math.h>
#include <string.h>

#if defined(HAVE_AVX2) || defined(HAVE_AVX512)
#include <immintrin.h>
#endif

#include "cpu.h"

#define JOIN_(A, B) A##B
#define JOIN(A, B) JOIN_(A, B)

// KERNEL is an entry in a list of kernels.
#define KERNEL(F) {#F, F}

#define INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif

// KEEP makes the compiler hold a vector in a register at this point. It then
// computes sums in the order in which they are written, few at a time.
#if defined(__x86_64__)
#define KEEP(V) __asm__("" : "+v"(V))
#else
#define KEEP(V) __asm__("" : "+w"(V))
#endif

enum { PANEL = NV * VW };

typedef float vf __attribute__((vector_size(4 * VW)));
typedef int32_t vi __attribute__((vector_size(4 * VW)));
typedef uint32_t vu __attribute__((vector_size(4 * VW)));
typedef uint16_t vh __attribute__((vector_size(2 * VW)));

// The same without alignment, to reach memory.
typedef vf vf_any __attribute__((aligned(4), may_alias));
typedef vh vh_any __attribute__((aligned(2), may_alias));

INLINE vf load(const float *p) { return *(const vf_any *)p; }
INLINE void store(float *p, vf v) { *(vf_any *)p = v; }
INLINE vf splat(float x) { return x - (vf){0}; }

// load_part and store_part touch only the first n floats; load_part fills the rest with zeros.
INLINE vf load_part(const float *p, int64_t n) {
	vf v = {0};
	memcpy(&v, p, 4 * n);
	return v;
}
INLINE void store_part(float *p, vf v, int64_t n) { memcpy(p, &v, 4 * n); }

// larger returns b where a or b is a NaN, so that larger(bound, x) keeps a NaN in x;
// smaller likewise.
INLINE vf larger(vf a, vf b) {
#if defined(HAVE_AVX512)
	return _mm512_max_ps(a, b);
#elif defined(HAVE_AVX2)
	return _mm256_max_ps(a, b);
#else
	vi m = a > b;
	return (vf)((m & (vi)a) | (~m & (vi)b));
#endif
}

INLINE vf smaller(vf a, vf b) {
#if defined(HAVE_AVX512)
	return _mm512_min_ps(a, b);
#elif defined(HAVE_AVX2)
	return _mm256_min_ps(a, b);
#else
	vi m = a < b;
	return (vf)((m & (vi)a) | (~m & (vi)b));
#endif
}

// muladd is a*b + c, in one rounding where the machine has it.
INLINE vf muladd(vf a, vf b, vf c) {
#if defined(HAVE_AVX512)
	return _mm512_fmadd_ps(a, b, c);
#elif defined(HAVE_AVX2)
	return _mm256_fmadd_ps(a, b, c);
#else
	return a * b + c;
#endif
}

INLINE float sum_of(vf v) {
#if defined(HAVE_AVX512)
	return _mm512_reduce_add_ps(v);
#elif defined(HAVE_AVX2)
	__m128 half = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
	half = _mm_add_ps(half, _mm_movehl_ps(half, half));
	return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
#else
	float s[VW];
	memcpy(s, &v, sizeof s);
	for (int n = VW / 2; n > 0; n /= 2) {
		for (int i = 0; i < n; i++) {
			s[i] += s[i + n];
		}
	}
	return s[0];
#endif
}

INLINE float largest_of(vf v) {
#if defined(HAVE_AVX512)
	return _mm512_reduce_max_ps(v);
#elif defined(HAVE_AVX2)
	__m128 half = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
	half = _mm_max_ps(half, _mm_movehl_ps(half, half));
	return _mm_cvtss_f32(_mm_max_ss(half, _mm_movehdup_ps(half)));
#else
	float m = v[0];
	for (int i = 1; i < VW; i++) {
		m = v[i] > m ? v[i] : m;
	}
	return m;
#endif
}

#if defined(HAVE_AVX2) || defined(HAVE_AVX512)
// turn transposes eight vectors of eight words.
INLINE void turn(const __m256i *v, __m256i *to) {
	__m256i two[8], four[8];
	UNROLL for (int i = 0; i < 8; i += 2) {
		two[i] = _mm256_unpacklo_epi32(v[i], v[i + 1]);
		two[i + 1] = _mm256_unpackhi_epi32(v[i], v[i + 1]);
	}
	UNROLL for (int i = 0; i < 8; i += 4) {
		UNROLL for (int j = 0; j < 2; j++) {
			four[i + 2 * j] = _mm256_unpacklo_epi64(two[i + j], two[i + j + 2]);
			four[i + 2 * j + 1] = _mm256_unpackhi_epi64(two[i + j], two[i + j + 2]);
		}
	}
	UNROLL for (int i = 0; i < 4; i++) {
		to[i] = _mm256_permute2x128_si256(four[i], four[i + 4], 0x20);
		to[i + 4] = _mm256_permute2x128_si256(four[i], four[i + 4], 0x31);
	}
}
#endif

// from_f16 widens IEEE 754 half floats.
INLINE vf from_f16(const uint16_t *p) {
#if defined(HAVE_AVX512)
	return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p));
#elif defined(HAVE_AVX2)
	return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
#elif defined(__aarch64__)
	typedef __fp16 half __attribute__((vector_size(2 * VW), aligned(2), may_alias));
	return __builtin_convertvector(*(const half *)p, vf);
#else
	vu h = __builtin_convertvector(*(const vh_any *)p, vu);
	vu sign = (h & 0x8000u) << 16, magnitude = (h & 0x7fffu) << 13;
	vu top = (vu)((h & 0x7c00u) == 0x7c00u), tiny = (vu)((h & 0x7c00u) == 0);
	vu normal = magnitude + (112u << 23) + (top & (112u << 23));
	// no implicit one: put one there and take it away again as a float
	vu subnormal = (vu)((vf)(magnitude + (113u << 23)) - 6.103515625e-05f);
	return (vf)(sign | (tiny & subnormal) | (~tiny & normal));
#endif
}

// f16_at widens one half float, at any address.
INLINE float f16_at(const uint8_t *p) {
	uint16_t lanes[VW] = {0};
	memcpy(lanes, p, 2);
	return from_f16(lanes)[0];
}

// bf16_at widens the upper half of a float.
INLINE float bf16_at(uint16_t half) {
	uint32_t bits = (uint32_t)half << 16;
	float x;
	memcpy(&x, &bits, 4);
	return x;
}

// from_bf16 widens the upper halves of floats.
INLINE vf from_bf16(const uint16_t *p) {
#if defined(HAVE_AVX512)
	return (vf)_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p)), 16);
#elif defined(HAVE_AVX2)
	return (vf)_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p)), 16);
#else
	return (vf)(__builtin_convertvector(*(const vh_any *)p, vu) << 16);
#endif
}

// ints_of widens VW signed bytes at any address to integers, from_i8 to floats.
INLINE vi ints_of(const int8_t *p) {
#if defined(HAVE_AVX512)
	return (vi)_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)p));
#elif defined(HAVE_AVX2)
	return (vi)_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)p));
#else
	typedef int8_t bytes __attribute__((vector_size(VW), aligned(1), may_alias));
	return __builtin_convertvector(*(const bytes *)p, vi);
#endif
}

INLINE vf floats_of(vi n) { return __builtin_convertvector(n, vf); }
INLINE vf from_i8(const int8_t *p) { return floats_of(ints_of(p)); }

// load_as loads VW values of the given type from index i on.
INLINE vf load_as(const int dtype, const void *p, int64_t i) {
	switch (dtype) {
	case DTYPE_F16:
		return from_f16((const uint16_t *)p + i);
	case DTYPE_BF16:
		return from_bf16((const uint16_t *)p + i);
	default:
		return load((const float *)p + i);
	}
}

INLINE int64_t size_of(int dtype) { return dtype == DTYPE_F32 ? 4 : 2; }
INLINE int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
INLINE int64_t greatest(int64_t a, int64_t b) { return a > b ? a : b; }
INLINE int64_t pieces_of(int64_t n, int64_t size) { return (n + size - 1) / size; }
