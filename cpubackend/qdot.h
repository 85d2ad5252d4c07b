// Dot products of levels: unsigned bytes of weights with signed bytes of x. What
// every instruction set that has them defines besides HAVE_DOT:
//   vdot      sums of one vector, not yet 32 bits wide everywhere
//   dot       adds the four products of each row's word
//   total     makes 32 bits of it
//   words_before_total  how many words of levels of so many bits vdot holds
//   HAVE_PAIRS  levels of 8 bits are multiplied by the means of qpairs.h instead,
//   PAIR_ROWS   so many rows at a time

#if defined(HAVE_VNNI)
#define HAVE_DOT
typedef vi vdot;
INLINE vdot dot(vdot sum, vb w, vb x) {
#if defined(HAVE_AVX512)
	return (vdot)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)w, (__m512i)x);
#else
	return (vdot)_mm256_dpbusd_avx_epi32((__m256i)sum, (__m256i)w, (__m256i)x);
#endif
}
INLINE vi total(vdot sum) { return sum; }
INLINE int words_before_total(const int bits) {
	(void)bits;
	return WORDS;
}

#elif defined(HAVE_AVX2) || defined(HAVE_AVX512)
#define HAVE_DOT
#define HAVE_PAIRS
#define PAIR_ROWS (VW / 2)
typedef int16_t vs __attribute__((vector_size(4 * VW)));
typedef vs vdot;
#if defined(HAVE_AVX512)
#define INTEGER(name, a, b) _mm512_##name((__m512i)(a), (__m512i)(b))
#else
#define INTEGER(name, a, b) _mm256_##name((__m256i)(a), (__m256i)(b))
#endif
// Two products of levels up to 15, 31 and 63 with ±127 are at most 3810, 7874 and
// 16002, so that 8, 4 and 2 of their sums fit into 16 bits.
INLINE vdot dot(vdot sum, vb w, vb x) { return sum + (vs)INTEGER(maddubs_epi16, w, x); }
INLINE vi madd(vs a, vs b) { return (vi)INTEGER(madd_epi16, a, b); }
INLINE vi total(vdot sum) { return madd(sum, (vs){0} + 1); }
INLINE int words_before_total(const int bits) { return bits <= 4 ? 8 : bits == 5 ? 4 : 2; }

// signed_dot multiplies bytes with a sign: x takes over that of w, and 128·127
// twice still fits into 16 bits.
INLINE vi signed_dot(vb w, vb x) {
#if defined(HAVE_AVX512)
	__m512i flipped = _mm512_mask_sub_epi8((__m512i)x, _mm512_movepi8_mask((__m512i)w), _mm512_setzero_si512(), (__m512i)x);
	return total((vs)_mm512_maddubs_epi16(_mm512_abs_epi8((__m512i)w), flipped));
#else
	__m256i flipped = _mm256_sign_epi8((__m256i)x, (__m256i)w);
	return total((vs)_mm256_maddubs_epi16(_mm256_abs_epi8((__m256i)w), flipped));
#endif
}
#endif

#if defined(HAVE_DOTPROD)
#include <arm_neon.h>
#define HAVE_DOT
typedef vi vdot;
INLINE vdot dot(vdot sum, vb w, vb x) { return (vdot)vdotq_s32((int32x4_t)sum, (int8x16_t)w, (int8x16_t)x); }
INLINE vi total(vdot sum) { return sum; }
INLINE int words_before_total(const int bits) {
	(void)bits;
	return WORDS;
}
#endif

#if !defined(HAVE_PAIRS)
#define PAIR_ROWS MR
#endif

#if defined(HAVE_DOT)
// word gives four levels of x to all rows.
INLINE vb word(const int8_t *x) {
	int32_t four;
	memcpy(&four, x, 4);
	return (vb)((vi){0} + four);
}
#endif
