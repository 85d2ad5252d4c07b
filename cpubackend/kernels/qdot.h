// Dot products of levels: unsigned bytes of weights with signed bytes of x (or
// both signed). Every instruction set that has them defines HAVE_DOT and
//   vdot     sums of one vector, of 16 or 32 bits
//   begin    -zero times the sum of x, from its pairs (qlevels.h)
//   dot      adds the four products of each row's word
//   total    the sums in 32 bits
//   scaled   the same times a whole number for each row, as factors_of lays it out
// and, where sums of levels of 8 bits overflow, HAVE_PAIRS: qpairs.h then multiplies
// those in another way. HAVE_FEW says that qfew.h has loops for a few rows: where it was
// measured that they are faster.
// Only the final sum of a group has to fit into vdot: 16 products of (level−16)
// with ±127, or 8 of (level−32), are at most 32512.

typedef int16_t vs __attribute__((vector_size(4 * VW)));

#if defined(HAVE_AVX512)
#define INTEGER(name, a, b) _mm512_##name((__m512i)(a), (__m512i)(b))
#else
#define INTEGER(name, a, b) _mm256_##name((__m256i)(a), (__m256i)(b))
#endif

#if defined(HAVE_VNNI)
#define HAVE_DOT
typedef vi vdot;
INLINE vdot begin(int zero, vs pairs) { return (vi)INTEGER(madd_epi16, pairs, (vs){0} - (int16_t)zero); }
INLINE vdot dot(vdot sum, vb w, vb x) {
#if defined(HAVE_AVX512)
	return (vdot)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)w, (__m512i)x);
#else
	return (vdot)_mm256_dpbusd_avx_epi32((__m256i)sum, (__m256i)w, (__m256i)x);
#endif
}
INLINE vi total(vdot sum) { return sum; }
INLINE vi scaled(vdot sum, vi factors) { return sum * factors; }
INLINE vi factors_of(vi n) { return n; }

#elif defined(HAVE_AVX2) || defined(HAVE_AVX512)
#define HAVE_DOT
#define HAVE_PAIRS
#if !defined(HAVE_AVX512)
#define HAVE_FEW
#endif
typedef vs vdot;
INLINE vi madd(vs a, vs b) { return (vi)INTEGER(madd_epi16, a, b); }
INLINE vdot begin(int zero, vs pairs) { return pairs * (int16_t)-zero; }
INLINE vdot dot(vdot sum, vb w, vb x) { return sum + (vs)INTEGER(maddubs_epi16, w, x); }
INLINE vi total(vdot sum) { return madd(sum, (vs){0} + 1); }
INLINE vi scaled(vdot sum, vi factors) { return madd(sum, (vs)factors); }
INLINE vi factors_of(vi n) { return (n & 0xffff) | n << 16; }

#elif defined(HAVE_DOTPROD)
#include <arm_neon.h>
#define HAVE_DOT
typedef vi vdot;
INLINE vdot begin(int zero, vs pairs) { return (vi){0} - zero * (pairs[0] + pairs[1]); }
INLINE vdot dot(vdot sum, vb w, vb x) { return (vdot)vdotq_s32((int32x4_t)sum, (int8x16_t)w, (int8x16_t)x); }
INLINE vi total(vdot sum) { return sum; }
INLINE vi scaled(vdot sum, vi factors) { return sum * factors; }
INLINE vi factors_of(vi n) { return n; }
#endif

// everywhere copies four bytes of x to all rows: four levels, or two pairs.
INLINE vb everywhere(const void *x) {
	int32_t four;
	memcpy(&four, x, 4);
	return (vb)((vi){0} + four);
}
