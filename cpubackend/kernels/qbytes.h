// Weights with levels of 8 bits, for instructions whose dot products of bytes do not
// overflow.
//
// Levels of x from −127 to 127 are too coarse for these weights. A few values of an
// activation are many times larger than their neighbours, and they alone would decide
// the scale of their run. So a run may have a word that stands out: four values whose
// largest magnitude is more than four times that of the other words. Its levels are
// 128·high + low. The scale gives the largest magnitude of the other words the level
// 127, and that of this word 127·128 at most. The products with `high` are one more
// step, for rows that have such a word: 3 to 10 runs of 100. With a limit of twice
// instead of four times it would be 12 to 30 of 100, with the same cosines.

_Static_assert(WIDE_ZERO == 0 || WIDE_ZERO == 128, "high_products relies on it");

#define WIDE_ROWS MR      // rows of a tile
enum { WIDE_DEPTH = 16 }; // runs of a panel that are opened at a time

// x_wide is a run of x. The level of value i of the word that stands out is
// 128·high[i] + level[4·word+i]; high is 0 if there is none.
struct x_wide {
	float scale;
	int32_t start, first; // -WIDE_ZERO times the sum of the levels, of the run and of its first half
	int32_t word;
	int8_t high[4], level[RUN];
};

// start_of returns the start of a run, or of group g of its two groups.
INLINE int32_t start_of(const struct x_wide *x, const int groups, const int g) {
	return groups == 1 ? x->start : g == 0 ? x->first : x->start - x->first;
}

INLINE int32_t high_of(const struct x_wide *x) {
	int32_t four;
	memcpy(&four, x->high, 4);
	return four;
}

INLINE int32_t sum_of_half(const int8_t *level);

// put_wide stores the levels of a run. inverse turns values into levels; if `out` is set,
// a word stands out.
INLINE void put_wide(const float *x, float scale, float inverse, int out, int word, struct x_wide *to) {
	int32_t high_sum[2] = {0};
	to->scale = scale;
	to->word = word;
	memset(to->high, 0, sizeof to->high);
	round_run(x, inverse, to->level);
	if (out && inverse != 0) {
		for (int i = 4 * word; i < 4 * word + 4; i++) {
			int32_t level = nearest(x[i] * inverse), high = (level + 64) >> 7;
			to->high[i % 4] = (int8_t)high;
			to->level[i] = (int8_t)(level - 128 * high);
			high_sum[i / (RUN / 2)] += high;
		}
	}
	to->first = -WIDE_ZERO * (sum_of_half(to->level) + 128 * high_sum[0]);
	to->start = to->first - WIDE_ZERO * (sum_of_half(to->level + RUN / 2) + 128 * high_sum[1]);
}

// OUTSTANDING is by how much a word must exceed the others.
#define OUTSTANDING 4

#if defined(HAVE_AVX2) || defined(HAVE_AVX512)

// words_of returns the largest integer of each word of a run, in the order 0 2 4 6 1 3 5 7.
INLINE __m256i words_of(const float *x) {
	__m256i v[VECTORS];
	magnitudes(x, v);
	__m256i a = _mm256_max_epi32(_mm256_unpacklo_epi32(v[0], v[1]), _mm256_unpackhi_epi32(v[0], v[1]));
	__m256i b = _mm256_max_epi32(_mm256_unpacklo_epi32(v[2], v[3]), _mm256_unpackhi_epi32(v[2], v[3]));
	return _mm256_max_epi32(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
}

INLINE int32_t sum_of_half(const int8_t *level) {
	__m128i above = _mm_xor_si128(_mm_loadu_si128((const __m128i *)level), _mm_set1_epi8(-128));
	__m128i eights = _mm_sad_epu8(above, _mm_setzero_si128());
	return _mm_cvtsi128_si32(eights) + _mm_extract_epi32(eights, 2) - 128 * RUN / 2;
}

// most_and_next moves the largest integers to *most, and the largest of the others to
// *next, for each of the eight places of 8 vectors.
INLINE void most_and_next(const __m256i *v, __m256i *most, __m256i *next) {
	*most = v[0];
	*next = _mm256_setzero_si256();
	UNROLL for (int i = 1; i < 8; i++) {
		*next = _mm256_max_epi32(*next, _mm256_min_epi32(*most, v[i]));
		*most = _mm256_max_epi32(*most, v[i]);
	}
}

// scales_of does what run_scale does, for eight runs.
INLINE __m256 scales_of(__m256i bits, __m256 *inverse) {
	const __m256 top = _mm256_set1_ps(127), one = _mm256_set1_ps(1 / 127.0f);
	__m256 value = _mm256_castsi256_ps(bits);
	__m256 bad = _mm256_castsi256_ps(_mm256_cmpgt_epi32(bits, _mm256_set1_epi32(0x7f800000 - 1)));
	__m256 tiny = _mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32(0x04000000), bits));
	*inverse = _mm256_andnot_ps(_mm256_or_ps(bad, tiny), _mm256_div_ps(top, value));
	__m256 scale = _mm256_andnot_ps(tiny, _mm256_mul_ps(value, one));
	return _mm256_blendv_ps(scale, _mm256_set1_ps(NAN), bad);
}

// quantize_wide quantizes n runs, `apart` floats apart, of an x of `rows` rows, to places
// that are to_apart runs apart. Eight runs share the search for their largest words.
INLINE void quantize_wide(const float *x, int64_t apart, int64_t n, int64_t rows, struct x_wide *to, int64_t to_apart) {
	(void)rows; // the form is the same for any number of rows
	for (; n > 0; n -= 8, x += 8 * apart, to += 8 * to_apart) {
		__m256i words[8], across[8], most, next;
		__m256 inverse;
		float by[8], scale[8];
		const int some = (int)least(n, 8);
		UNROLL for (int i = 0; i < 8; i++) {
			words[i] = words_of(x + least(i, some - 1) * apart);
		}
		turn(words, across);
		most_and_next(across, &most, &next);
		__m256 m = _mm256_castsi256_ps(most), o = _mm256_castsi256_ps(next);
		__m256 out = _mm256_cmp_ps(m, _mm256_mul_ps(o, _mm256_set1_ps(OUTSTANDING)), _CMP_GT_OQ);
		__m256 less = _mm256_max_ps(_mm256_mul_ps(m, _mm256_set1_ps(1 / 128.0f)), o);
		_mm256_storeu_ps(scale, scales_of(_mm256_castps_si256(_mm256_blendv_ps(m, less, out)), &inverse));
		_mm256_storeu_ps(by, inverse);
		const int outs = _mm256_movemask_ps(out);
		for (int i = 0; i < some; i++) {
			int word = 0;
			if (outs >> i & 1) {
				__m256i same = _mm256_cmpeq_epi32(words_of(x + i * apart), _mm256_set1_epi32(((int32_t *)&most)[i]));
				int lane = __builtin_ctz(_mm256_movemask_ps(_mm256_castsi256_ps(same)));
				word = lane % 4 * 2 + lane / 4;
			}
			put_wide(x + i * apart, scale[i], by[i], outs >> i & 1, word, to + i * to_apart);
		}
	}
}

#else

INLINE int32_t sum_of_half(const int8_t *level) {
	int32_t sum = 0;
	for (int i = 0; i < RUN / 2; i++) {
		sum += level[i];
	}
	return sum;
}

// stands_out reports whether the magnitude most is that much larger than the others.
// If so it sets most to the magnitude that is to have the level 127.
INLINE int stands_out(int32_t *most, int32_t others) {
	float m, o;
	memcpy(&m, most, 4);
	memcpy(&o, &others, 4);
	if (!(m > OUTSTANDING * o)) {
		return 0;
	}
	m *= 1 / 128.0f;
	m = m > o ? m : o;
	memcpy(most, &m, 4);
	return 1;
}

// quantize_wide quantizes n runs, `apart` floats apart, of an x of `rows` rows, to places
// that are to_apart runs apart.
INLINE void quantize_wide(const float *x, int64_t apart, int64_t n, int64_t rows, struct x_wide *to, int64_t to_apart) {
	(void)rows; // the form is the same for any number of rows
	for (; n > 0; n--, x += apart, to += to_apart) {
		int32_t level[RUN], words[WORDS];
		int word = 0;
		magnitudes(x, level);
		for (int q = 0; q < WORDS; q++) {
			words[q] = most_of(level + 4 * q, 4);
			word = words[q] > words[word] ? q : word;
		}
		int32_t most = words[word];
		words[word] = 0;
		int out = stands_out(&most, most_of(words, WORDS));
		float inverse, scale = run_scale(most, 127, &inverse);
		put_wide(x, scale, inverse, out, word, to);
	}
}

#endif

// open_wide is a run of a panel, unpacked.
struct open_wide {
	float scale[2][PANEL]; // of the groups
	uint8_t level[WORDS][QUAD];
};

INLINE void open_wide_as(const int dtype, const uint8_t *panel, int64_t runs, struct open_wide *to) {
	const struct form f = forms[dtype];
	const int groups = wide_groups(dtype);
	for (int64_t s = 0; s < runs; s += f.span, panel += span_bytes(dtype) * PANEL) {
		for (int r = 0; r < f.span; r++, to++) {
			UNROLL for (int v = 0; v < NV; v++) {
				UNROLL for (int g = 0; g < groups; g++) {
					store(to->scale[g] + v * VW, group_scale(dtype, panel, r * groups + g, v));
				}
				open_levels(dtype, run_at(dtype, panel, r), v, to->level);
			}
		}
	}
}

// high_products returns the start of a group plus 128 times the products with the high
// levels of x. A start is a multiple of 128.
INLINE vi high_products(const struct x_wide *x, int32_t start, vb level) {
	return dot((vi){0} + start / 128, level, everywhere(x->high)) << 7;
}

// wide_group returns the sums of products of group g of an open run with mr rows. `out` is
// not 0 if any of them has a word that stands out.
#if defined(HAVE_I8MM)
_Static_assert(WIDE_ZERO == 0, "products begin with nothing");

INLINE void wide_group(const int mr, const struct x_wide *x, int32_t out, const struct open_wide *w, int g, const int groups,
	vi all[WIDE_ROWS][NV]) {
	const int words = WORDS / groups;
	twos sums = {0};
	if (out != 0) {
		UNROLL for (int r = 0; r < mr; r++) {
			if (high_of(x + r) != 0 && x[r].word / words == g) {
				add_high(r, x[r].high, x[r].word, w->level, sums);
			}
		}
		shift_twos(mr, 7, sums);
	}
	add_twos(mr, x->level, sizeof *x, w->level, g * words, words, sums);
	by_rows(mr, sums, all);
}
#else
INLINE void wide_group(const int mr, const struct x_wide *x, int32_t out, const struct open_wide *w, int g, const int groups,
	vi all[WIDE_ROWS][NV]) {
	const int words = WORDS / groups;
	UNROLL for (int r = 0; r < mr; r++) {
		UNROLL for (int v = 0; v < NV; v++) {
			all[r][v] = (vi){0} + start_of(x + r, groups, g);
		}
	}
	if (out != 0) {
		UNROLL for (int r = 0; r < mr; r++) {
			if (high_of(x + r) != 0 && x[r].word / words == g) {
				UNROLL for (int v = 0; v < NV; v++) {
					all[r][v] = high_products(x + r, start_of(x + r, groups, g), load_bytes(w->level[x[r].word] + v * 4 * VW));
				}
			}
		}
	}
	UNROLL for (int q = g * words; q < (g + 1) * words; q++) {
		vb level[NV];
		UNROLL for (int v = 0; v < NV; v++) {
			level[v] = load_bytes(w->level[q] + v * 4 * VW);
		}
		UNROLL for (int r = 0; r < mr; r++) {
			vb four = everywhere(x[r].level + 4 * q);
			UNROLL for (int v = 0; v < NV; v++) {
				all[r][v] = dot(all[r][v], level[v], four);
				KEEP(all[r][v]);
			}
		}
	}
}
#endif

// tile_wide adds the products of mr rows with open runs to sum [mr, PANEL].
INLINE void tile_wide(const int mr, const int groups, int64_t runs, const struct x_wide *x, const struct open_wide *w, float *sum) {
	for (int64_t k = 0; k < runs; k++, x += mr, w++) {
		int32_t out = 0;
		UNROLL for (int r = 0; r < mr; r++) {
			out |= high_of(x + r);
		}
		__asm__ volatile("" : "+r"(out) : : "memory"); // registers are too few to keep what was read
		UNROLL for (int g = 0; g < groups; g++) {
			vi all[WIDE_ROWS][NV];
			wide_group(mr, x, out, w, g, groups, all);
			UNROLL for (int r = 0; r < mr; r++) {
				vf scale = splat(x[r].scale);
				UNROLL for (int v = 0; v < NV; v++) {
					float *at = sum + r * PANEL + v * VW;
					store(at, muladd(floats_of(all[r][v]), load(w->scale[g] + v * VW) * scale, load(at)));
				}
			}
		}
		__asm__ volatile("" ::: "memory");
	}
}

// wide_products returns the sums of products of the groups of a run with one row of x.
INLINE void wide_products(const int dtype, const uint8_t *run, const struct x_wide *x, vi all[2][NV]) {
	const int groups = wide_groups(dtype), words = WORDS / groups, out = high_of(x) != 0;
	UNROLL for (int g = 0; g < groups; g++) {
		int32_t start = start_of(x, groups, g);
		UNROLL for (int v = 0; v < NV; v++) {
			all[g][v] = out && x->word / words == g ? high_products(x, start, run_level(dtype, run, v, x->word)) : (vi){0} + start;
		}
	}
	UNROLL for (int q = 0; q < WORDS; q++) {
		vb four = everywhere(x->level + 4 * q);
		UNROLL for (int v = 0; v < NV; v++) {
			vi *at = &all[q / words][v];
			*at = dot(*at, run_level(dtype, run, v, q), four);
			KEEP(*at);
		}
	}
}
