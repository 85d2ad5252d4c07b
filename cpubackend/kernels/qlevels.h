// x in levels of 8 bits, for products with weights of up to 6 bits.
//
// 32 values of a row are a run. A level is value/scale rounded to the nearest, and
// the scale gives the largest magnitude the level 127. A run that holds a NaN or an
// infinity has levels of 0 and the scale NaN, so that the whole row of the result
// becomes NaN.

struct x_run {
	int8_t level[RUN];
	// For the run, its first half and its second half: scale·(sum of the levels), and
	// two sums of levels, of the first two and of the last two of each four.
	float sum[3], scale;
	int16_t pair[3][2];
	int32_t unused;
};
_Static_assert(sizeof(struct x_run) == 64, "a cache line");

// run_scale returns the scale that gives a magnitude with these bits the level
// `top`. It sets inverse to the factor that turns values into levels, 0 if all
// levels are to be 0.
INLINE float run_scale(int32_t bits, float top, float *inverse) {
	float largest;
	memcpy(&largest, &bits, 4);
	*inverse = 0;
	if (bits >= 0x7f800000) {
		return NAN;
	}
	if (bits < 0x04000000) { // below 1.5e-36, where the inverse can be infinite
		return 0;
	}
	*inverse = top / largest;
	return largest * (1 / top);
}

// nearest rounds to an integer below 2^22.
INLINE int32_t nearest(float x) {
	const float magic = 12582912.0f; // 1.5·2^23: adding it leaves no bits below 1
	int32_t bits;
	x += magic;
	memcpy(&bits, &x, 4);
	return bits - 0x4b400000; // magic's own bits
}

#if defined(HAVE_AVX2) || defined(HAVE_AVX512)

// A run is four vectors of eight.
enum { VECTORS = RUN / 8 };

// magnitudes stores the bits of the magnitudes, which order like the magnitudes.
INLINE void magnitudes(const float *x, __m256i *to) {
	UNROLL for (int i = 0; i < VECTORS; i++) {
		to[i] = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)x + i), _mm256_set1_epi32(0x7fffffff));
	}
}

// most_of returns the largest of eight integers.
INLINE int32_t most_of(__m256i v) {
	__m128i most = _mm_max_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
	most = _mm_max_epi32(most, _mm_shuffle_epi32(most, 0x4e));
	most = _mm_max_epi32(most, _mm_shuffle_epi32(most, 0xb1));
	return _mm_cvtsi128_si32(most);
}

// most_of_run returns the largest of 32 integers.
INLINE int32_t most_of_run(const __m256i *v) {
	return most_of(_mm256_max_epi32(_mm256_max_epi32(v[0], v[1]), _mm256_max_epi32(v[2], v[3])));
}

// total_of returns the sum of eight integers.
INLINE int32_t total_of(__m256i v) {
	__m128i sum = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
	sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
	sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
	return _mm_cvtsi128_si32(sum);
}

// round_wide rounds x·by to levels; by = 0 makes all of them 0.
INLINE void round_wide(const float *x, float by, __m256i *level) {
	UNROLL for (int i = 0; i < VECTORS; i++) {
		__m256i n = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(x + 8 * i), _mm256_set1_ps(by)));
		level[i] = by == 0 ? _mm256_setzero_si256() : n;
	}
}

// narrow stores levels as bytes.
INLINE __m256i narrow(const __m256i *level, int8_t *to) {
	__m256i packed = _mm256_packs_epi16(_mm256_packs_epi32(level[0], level[1]), _mm256_packs_epi32(level[2], level[3]));
	packed = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
	_mm256_storeu_si256((__m256i *)to, packed);
	return packed;
}

// round_run rounds a run to bytes.
INLINE __m256i round_run(const float *x, float by, int8_t *to) {
	__m256i level[VECTORS];
	round_wide(x, by, level);
	return narrow(level, to);
}

INLINE __m256i even_bytes(__m256i v) { return _mm256_srai_epi16(_mm256_slli_epi16(v, 8), 8); }
INLINE __m256i odd_bytes(__m256i v) { return _mm256_srai_epi16(v, 8); }

INLINE void quantize_run(const float *x, struct x_run *to) {
	__m256i level[VECTORS];
	float inverse;
	magnitudes(x, level);
	float scale = run_scale(most_of_run(level), 127, &inverse);
	__m256i bytes = round_run(x, inverse, to->level);
	__m256i two = _mm256_add_epi16(even_bytes(bytes), odd_bytes(bytes));
	two = _mm256_add_epi16(two, _mm256_shuffle_epi32(two, 0x4e));
	two = _mm256_add_epi16(two, _mm256_shuffle_epi32(two, 0xb1)); // the halves' pairs in all words of each half
	__m128i first = _mm256_castsi256_si128(two), second = _mm256_extracti128_si256(two, 1);
	__m128i pairs = _mm_blend_epi32(_mm_add_epi16(first, second), first, 2);
	pairs = _mm_blend_epi32(_mm_blend_epi32(pairs, second, 4), _mm_set1_epi32(1), 8);
	_mm_storeu_si128((__m128i *)to->pair, pairs);
	// the fourth sum is 1
	__m128 sums = _mm_cvtepi32_ps(_mm_madd_epi16(pairs, _mm_set1_epi16(1)));
	_mm_storeu_ps(to->sum, _mm_mul_ps(sums, _mm_set1_ps(scale)));
}

#else

// magnitudes stores the bits of the magnitudes, which order like the magnitudes.
INLINE void magnitudes(const float *x, int32_t *to) {
	memcpy(to, x, 4 * RUN);
	for (int i = 0; i < RUN; i++) {
		to[i] &= 0x7fffffff;
	}
}

// most_of returns the largest of n integers, none below 0.
INLINE int32_t most_of(const int32_t *v, const int n) {
	int32_t most = 0;
	for (int i = 0; i < n; i++) {
		most = v[i] > most ? v[i] : most;
	}
	return most;
}

// round_run rounds x·by to bytes; by = 0 makes all of them 0.
INLINE void round_run(const float *x, float by, int8_t *to) {
	for (int i = 0; i < RUN; i++) {
		int32_t level = by != 0 ? nearest(x[i] * by) : 0;
		to[i] = (int8_t)(level > 127 ? 127 : level < -128 ? -128 : level);
	}
}

INLINE void quantize_run(const float *x, struct x_run *to) {
	int32_t level[RUN];
	float inverse;
	magnitudes(x, level);
	to->scale = run_scale(most_of(level, RUN), 127, &inverse);
	round_run(x, inverse, to->level);
	int sum[2][2] = {0};
	for (int i = 0; i < RUN; i++) {
		sum[i / 16][i / 2 % 2] += to->level[i];
	}
	for (int lane = 0; lane < 2; lane++) {
		to->pair[0][lane] = (int16_t)(sum[0][lane] + sum[1][lane]);
		to->pair[1][lane] = (int16_t)sum[0][lane];
		to->pair[2][lane] = (int16_t)sum[1][lane];
	}
	for (int i = 0; i < 3; i++) {
		to->sum[i] = to->scale * (float)(to->pair[i][0] + to->pair[i][1]);
	}
}

#endif
