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

// stands_out reports whether the magnitude most is more than four times the others.
// If so it sets most to the magnitude that is to have the level 127.
INLINE int stands_out(int32_t *most, int32_t others) {
	float m, o;
	memcpy(&m, most, 4);
	memcpy(&o, &others, 4);
	if (!(m > 4 * o)) {
		return 0;
	}
	m *= 1 / 128.0f;
	m = m > o ? m : o;
	memcpy(most, &m, 4);
	return 1;
}

#if defined(HAVE_AVX2) || defined(HAVE_AVX512)

// words_of returns the largest integer of each word, in the order 0 2 4 6 1 3 5 7.
INLINE __m256i words_of(const __m256i *v) {
	__m256i a = _mm256_max_epi32(_mm256_unpacklo_epi32(v[0], v[1]), _mm256_unpackhi_epi32(v[0], v[1]));
	__m256i b = _mm256_max_epi32(_mm256_unpacklo_epi32(v[2], v[3]), _mm256_unpackhi_epi32(v[2], v[3]));
	return _mm256_max_epi32(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
}

// two_most finds the largest magnitude of a run, its word, and the largest magnitude
// of the other words.
INLINE void two_most(const float *x, int32_t *most, int32_t *word, int32_t *others) {
	__m256i level[VECTORS];
	magnitudes(x, level);
	__m256i words = words_of(level);
	__m128i a = _mm256_castsi256_si128(words), b = _mm256_extracti128_si256(words, 1);
	__m128i first = _mm_max_epi32(a, b), second = _mm_min_epi32(a, b);
	b = _mm_shuffle_epi32(first, 0x4e);
	second = _mm_max_epi32(_mm_min_epi32(first, b), _mm_max_epi32(second, _mm_shuffle_epi32(second, 0x4e)));
	first = _mm_max_epi32(first, b);
	b = _mm_shuffle_epi32(first, 0xb1);
	second = _mm_max_epi32(_mm_min_epi32(first, b), _mm_max_epi32(second, _mm_shuffle_epi32(second, 0xb1)));
	first = _mm_max_epi32(first, b);
	*most = _mm_cvtsi128_si32(first);
	*others = _mm_cvtsi128_si32(second);
	__m256i same = _mm256_cmpeq_epi32(words, _mm256_broadcastd_epi32(first));
	int lane = __builtin_ctz(_mm256_movemask_ps((__m256)same));
	*word = lane % 4 * 2 + lane / 4;
}

// sum_of_half returns the sum of the levels of half a run.
INLINE int32_t sum_of_half(const int8_t *level) {
	__m128i above = _mm_xor_si128(_mm_loadu_si128((const __m128i *)level), _mm_set1_epi8(-128));
	__m128i eights = _mm_sad_epu8(above, _mm_setzero_si128());
	return _mm_cvtsi128_si32(eights) + _mm_extract_epi32(eights, 2) - 128 * RUN / 2;
}

#else

INLINE void two_most(const float *x, int32_t *most, int32_t *word, int32_t *others) {
	int32_t level[RUN], words[WORDS];
	magnitudes(x, level);
	*word = 0;
	for (int q = 0; q < WORDS; q++) {
		words[q] = most_of(level + 4 * q, 4);
		*word = words[q] > words[*word] ? q : *word;
	}
	*most = words[*word];
	words[*word] = 0;
	*others = most_of(words, WORDS);
}

INLINE int32_t sum_of_half(const int8_t *level) {
	int32_t sum = 0;
	for (int i = 0; i < RUN / 2; i++) {
		sum += level[i];
	}
	return sum;
}

#endif

INLINE void quantize_wide(const float *x, int64_t rows, struct x_wide *to) {
	(void)rows; // the form is the same for any number of rows
	int32_t most, others, high_sum[2] = {0};
	float inverse;
	two_most(x, &most, &to->word, &others);
	int out = stands_out(&most, others);
	to->scale = run_scale(most, 127, &inverse);
	round_run(x, inverse, to->level);
	memset(to->high, 0, sizeof to->high);
	if (out && inverse != 0) {
		for (int i = 4 * to->word; i < 4 * to->word + 4; i++) {
			int32_t level = nearest(x[i] * inverse), high = (level + 64) >> 7;
			to->high[i % 4] = (int8_t)high;
			to->level[i] = (int8_t)(level - 128 * high);
			high_sum[i / (RUN / 2)] += high;
		}
	}
	to->first = -WIDE_ZERO * (sum_of_half(to->level) + 128 * high_sum[0]);
	to->start = to->first - WIDE_ZERO * (sum_of_half(to->level + RUN / 2) + 128 * high_sum[1]);
}

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
				UNROLL for (int q = 0; q < WORDS; q++) {
					*(vb_any *)(to->level[q] + v * 4 * VW) = run_level(dtype, run_at(dtype, panel, r), v, q);
				}
			}
		}
	}
}

// high_products returns the start of a group plus 128 times the products with the high
// levels of x. A start is a multiple of 128.
INLINE vi high_products(const struct x_wide *x, int32_t start, vb level) {
	return dot((vi){0} + start / 128, level, everywhere(x->high)) << 7;
}

// tile_wide adds the products of mr rows with open runs to sum [mr, PANEL].
INLINE void tile_wide(const int mr, const int groups, int64_t runs, const struct x_wide *x, const struct open_wide *w, float *sum) {
	const int words = WORDS / groups;
	for (int64_t k = 0; k < runs; k++, x += mr, w++) {
		int32_t out = 0;
		UNROLL for (int r = 0; r < mr; r++) {
			out |= high_of(x + r);
		}
		UNROLL for (int g = 0; g < groups; g++) {
			vi all[WIDE_ROWS][NV];
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
