// quantize_x: x in levels of 8 bits for the products with weights in block types.
// A piece covers row_block rows, whole tiles.
//
// 32 values of a row are a run: level = value/scale rounded to the nearest, with
// the scale that gives the largest magnitude the level 127. The levels of a run
// that holds a NaN or an infinity are 0 and its scale is NaN, which makes the
// whole row of the result NaN.
//
// Runs lie in the order in which the tiles of linear read them: for each tile of
// up to MR rows, for each run of k, the rows of the tile.

struct x_run {
	int8_t level[RUN];
	// Of all, of the first half, of the second: scale·(sum of the levels), and the
	// sum of every first two and of every last two of four levels.
	float sum[3], scale;
	int16_t pair[3][2];
	int32_t unused;
};
_Static_assert(sizeof(struct x_run) == 64, "a cache line");

// x_pairs is the form in which instructions for 16 bits multiply levels of 8 bits.
struct x_pairs {
	float scale;
	int32_t cross; // the sum of even·odd
	int16_t even[RUN / 2], odd[RUN / 2]; // levels 0, 2, 4 … and 1, 3, 5 …
};

// run_scale gives the scale of a run whose largest magnitude has the given bits,
// and what to multiply values with, 0 for levels of 0.
INLINE float run_scale(int32_t bits, float *inverse) {
	float largest;
	memcpy(&largest, &bits, 4);
	*inverse = 0;
	if (bits >= 0x7f800000) {
		return NAN;
	}
	if (bits < 0x02000000) { // below 9.4e-38, where the inverse can be infinite
		return 0;
	}
	*inverse = 127 / largest;
	return largest * (1 / 127.0f);
}

#if defined(HAVE_AVX2) || defined(HAVE_AVX512)

// round_run rounds a run to levels and gives its scale.
INLINE float round_run(const float *x, __m256i *level) {
	const __m256i magnitude = _mm256_set1_epi32(0x7fffffff);
	__m256 v[4];
	__m256i most = _mm256_setzero_si256(); // of bits, which order like the magnitudes
	UNROLL for (int i = 0; i < 4; i++) {
		v[i] = _mm256_loadu_ps(x + 8 * i);
		most = _mm256_max_epi32(most, _mm256_and_si256((__m256i)v[i], magnitude));
	}
	__m128i top = _mm_max_epi32(_mm256_castsi256_si128(most), _mm256_extracti128_si256(most, 1));
	top = _mm_max_epi32(top, _mm_shuffle_epi32(top, 0x4e));
	top = _mm_max_epi32(top, _mm_shuffle_epi32(top, 0xb1));
	float inverse, scale = run_scale(_mm_cvtsi128_si32(top), &inverse);
	if (inverse == 0) {
		*level = _mm256_setzero_si256();
		return scale;
	}
	__m256i n[4];
	UNROLL for (int i = 0; i < 4; i++) {
		n[i] = _mm256_cvtps_epi32(_mm256_mul_ps(v[i], _mm256_set1_ps(inverse)));
	}
	__m256i packed = _mm256_packs_epi16(_mm256_packs_epi32(n[0], n[1]), _mm256_packs_epi32(n[2], n[3]));
	*level = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
	return scale;
}

INLINE __m256i even_bytes(__m256i v) { return _mm256_srai_epi16(_mm256_slli_epi16(v, 8), 8); }
INLINE __m256i odd_bytes(__m256i v) { return _mm256_srai_epi16(v, 8); }

INLINE void quantize_run(const float *x, struct x_run *to) {
	__m256i level;
	float scale = round_run(x, &level);
	_mm256_storeu_si256((__m256i *)to->level, level);
	__m256i two = _mm256_add_epi16(even_bytes(level), odd_bytes(level));
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

INLINE void quantize_pairs(const float *x, struct x_pairs *to) {
	__m256i level;
	to->scale = round_run(x, &level);
	__m256i even = even_bytes(level), odd = odd_bytes(level), cross = _mm256_madd_epi16(even, odd);
	_mm256_storeu_si256((__m256i *)to->even, even);
	_mm256_storeu_si256((__m256i *)to->odd, odd);
	__m128i sum = _mm_add_epi32(_mm256_castsi256_si128(cross), _mm256_extracti128_si256(cross, 1));
	sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
	sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
	to->cross = _mm_cvtsi128_si32(sum);
}

#else

INLINE void quantize_run(const float *x, struct x_run *to) {
	int32_t most = 0, level[RUN]; // of bits, which order like the magnitudes
	for (int i = 0; i < RUN; i++) {
		int32_t bits;
		memcpy(&bits, x + i, 4);
		bits &= 0x7fffffff;
		most = bits > most ? bits : most;
	}
	float inverse;
	to->scale = run_scale(most, &inverse);
	const float magic = 12582912.0f; // 1.5·2^23: adding it rounds to an integer
	for (int i = 0; i < RUN; i++) {
		float v = (inverse != 0 ? x[i] * inverse : 0) + magic;
		memcpy(level + i, &v, 4);
		level[i] -= 0x4b400000; // magic's own bits
		to->level[i] = (int8_t)level[i];
	}
	int sum[2][2] = {0};
	for (int i = 0; i < RUN; i++) {
		sum[i / 16][i / 2 % 2] += level[i];
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

INLINE void quantize_pairs(const float *x, struct x_pairs *to) { (void)x, (void)to; } // nothing here reads pairs

#endif

// x_form says in which form rows of x are multiplied with a type: 1 is pairs.
static int x_form(int dtype, int64_t rows) {
#if defined(HAVE_PAIRS)
	return in_bytes(dtype) && rows > 1;
#else
	(void)dtype, (void)rows;
	return 0;
#endif
}

// x_size is the number of bytes of a run.
INLINE int64_t x_size(int pairs) { return pairs ? sizeof(struct x_pairs) : sizeof(struct x_run); }

static void quantize_x(const struct op *o, int64_t piece, float *scratch) {
	(void)scratch;
	int64_t runs = o->inner / RUN, end = least((piece + 1) * o->row_block, o->rows);
	for (int64_t r = piece * o->row_block; r < end; r++) {
		int64_t high = o->pairs ? PAIR_ROWS : MR, tile = r / high * high, rows = least(high, o->rows - tile);
		const float *x = o->x + r * o->inner;
		for (int64_t k = 0; k < runs; k++, x += RUN) {
			int64_t at = tile * runs + k * rows + r - tile;
			if (o->pairs) {
				quantize_pairs(x, (struct x_pairs *)o->levels + at);
			} else {
				quantize_run(x, (struct x_run *)o->levels + at);
			}
		}
	}
}
