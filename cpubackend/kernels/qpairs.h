// Weights with levels of 8 bits, for instructions whose dot products of bytes
// overflow. x can then have finer levels, of 12 bits: sums of a run are exact in 32
// bits, and in F32.
//
// Many rows use products of 16 bits, two at a time, by (Winograd 1968, "A new
// algorithm for inner product")
//   x0·w0 + x1·w1 = (x0 + w1)·(x1 + w0) − x0·x1 − w0·w1
// The last two products depend on one side only and are computed once. Half of the
// multiplications become additions, and the machine does twice as many of those.
//
// A single row uses products of bytes, with each level of x in two digits, so that
// the weights need not be widened.

#define WIDE_ROWS (VW / 2) // rows of a tile
enum { WIDE_DEPTH = 8 };   // runs of a panel that are opened at a time

enum { X_TOP = 2047 }; // the level of the largest magnitude

// x_wide is a run of x. With many rows it has levels 0, 2, 4 … and 1, 3, 5 … A single
// row has the two digits of each level, which is 64·high + low with digits up to ±32.
struct x_wide {
	float scale;
	// WIDE_ZERO times the sum of the levels; with many rows plus the sum of even·odd. Of
	// the run, and of its first half.
	int32_t rest, first;
	union {
		struct { int16_t even[RUN / 2], odd[RUN / 2]; };
		struct { int8_t high[RUN], low[RUN]; };
	};
};

// rest_of returns the rest of a run, or of group g of its two groups.
INLINE int32_t rest_of(const struct x_wide *x, const int groups, const int g) {
	return groups == 1 ? x->rest : g == 0 ? x->first : x->rest - x->first;
}

// put_digits stores the levels of a single row and `rest`, put_pairs those of one of
// many rows.
INLINE void put_digits(const __m256i *level, struct x_wide *to) {
	__m256i high[VECTORS], low[VECTORS], sum = _mm256_add_epi32(level[0], level[1]);
	UNROLL for (int i = 0; i < VECTORS; i++) {
		high[i] = _mm256_srai_epi32(_mm256_add_epi32(level[i], _mm256_set1_epi32(32)), 6);
		low[i] = _mm256_sub_epi32(level[i], _mm256_slli_epi32(high[i], 6));
	}
	narrow(high, to->high);
	narrow(low, to->low);
	to->first = WIDE_ZERO * total_of(sum);
	to->rest = to->first + WIDE_ZERO * total_of(_mm256_add_epi32(level[2], level[3]));
}

INLINE void put_pairs(const __m256i *level, struct x_wide *to) {
	// in each group of four levels, the even ones first
	const __m256i apart = _mm256_setr_epi8(
		0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15, 0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
	const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
	__m256i a = _mm256_shuffle_epi8(_mm256_packs_epi32(level[0], level[1]), apart);
	__m256i b = _mm256_shuffle_epi8(_mm256_packs_epi32(level[2], level[3]), apart);
	__m256i even = _mm256_permutevar8x32_epi32(_mm256_unpacklo_epi64(a, b), order);
	__m256i odd = _mm256_permutevar8x32_epi32(_mm256_unpackhi_epi64(a, b), order);
	_mm256_storeu_si256((__m256i *)to->even, even);
	_mm256_storeu_si256((__m256i *)to->odd, odd);
	__m256i sum = _mm256_madd_epi16(_mm256_add_epi16(even, odd), _mm256_set1_epi16(WIDE_ZERO));
	sum = _mm256_add_epi32(_mm256_madd_epi16(even, odd), sum);
	to->first = total_of(_mm256_permute2x128_si256(sum, sum, 0x80)); // of the lower half
	to->rest = total_of(sum);
}

// quantize_wide quantizes n runs, `apart` floats apart, of an x of `rows` rows, to places
// that are to_apart runs apart.
INLINE void quantize_wide(const float *x, int64_t apart, int64_t n, int64_t rows, struct x_wide *to, int64_t to_apart) {
	for (; n > 0; n--, x += apart, to += to_apart) {
		__m256i level[VECTORS];
		float inverse;
		magnitudes(x, level);
		to->scale = run_scale(most_of_run(level), X_TOP, &inverse);
		round_wide(x, inverse, level);
		if (rows == 1) {
			put_digits(level, to);
		} else {
			put_pairs(level, to);
		}
	}
}

// open_wide is a run of a panel, unpacked: the levels at even and at odd places, which
// include WIDE_ZERO.
struct open_wide {
	float scale[2][PANEL];   // of the groups
	int32_t cross[2][PANEL]; // minus the sum of even·odd
	vs even[WORDS][NV], odd[WORDS][NV];
};

INLINE vs even_levels(vb w) { return (vs)((vw)w & 255); }
INLINE vs odd_levels(vb w) { return (vs)((vw)w >> 8); }

INLINE void open_wide_as(const int dtype, const uint8_t *panel, int64_t runs, struct open_wide *to) {
	const struct form f = forms[dtype];
	const int groups = wide_groups(dtype), words = WORDS / groups;
	for (int64_t s = 0; s < runs; s += f.span, panel += span_bytes(dtype) * PANEL) {
		for (int r = 0; r < f.span; r++, to++) {
			UNROLL for (int v = 0; v < NV; v++) {
				UNROLL for (int g = 0; g < groups; g++) {
					store(to->scale[g] + v * VW, group_scale(dtype, panel, r * groups + g, v));
					vi cross = {0};
					UNROLL for (int q = g * words; q < (g + 1) * words; q++) {
						vb level = run_level(dtype, run_at(dtype, panel, r), v, q);
						to->even[q][v] = even_levels(level);
						to->odd[q][v] = odd_levels(level);
						cross -= madd(even_levels(level), odd_levels(level));
					}
					memcpy(to->cross[g] + v * VW, &cross, sizeof cross);
				}
			}
		}
	}
}

// tile_wide adds the products of mr rows with open runs to sum [mr, PANEL].
INLINE void tile_wide(const int mr, const int groups, int64_t runs, const struct x_wide *x, const struct open_wide *w, float *sum) {
	const int words = WORDS / groups;
	for (int64_t k = 0; k < runs; k++, x += mr, w++) {
		UNROLL for (int g = 0; g < groups; g++) {
			vi all[WIDE_ROWS][NV];
			UNROLL for (int r = 0; r < mr; r++) {
				UNROLL for (int v = 0; v < NV; v++) {
					memcpy(&all[r][v], w->cross[g] + v * VW, sizeof(vi));
				}
			}
			UNROLL for (int q = g * words; q < (g + 1) * words; q++) {
				UNROLL for (int r = 0; r < mr; r++) {
					vs even = (vs)everywhere(x[r].even + 2 * q), odd = (vs)everywhere(x[r].odd + 2 * q);
					UNROLL for (int v = 0; v < NV; v++) {
						all[r][v] += madd(even + w->odd[q][v], odd + w->even[q][v]);
						KEEP(all[r][v]);
					}
				}
			}
			UNROLL for (int r = 0; r < mr; r++) {
				vf scale = splat(x[r].scale);
				UNROLL for (int v = 0; v < NV; v++) {
					float *at = sum + r * PANEL + v * VW;
					vf products = floats_of(all[r][v] - rest_of(x + r, groups, g));
					store(at, muladd(products, load(w->scale[g] + v * VW) * scale, load(at)));
				}
			}
		}
		__asm__ volatile("" ::: "memory");
	}
}

INLINE vs maddubs(vb w, vb x) { return (vs)INTEGER(maddubs_epi16, w, x); }

// wide_products returns the sums of products of the groups of a run with one row of x. Four products
// of a digit with a level of the weights are 32·255·4 at most, which fits in 16 bits.
INLINE void wide_products(const int dtype, const uint8_t *run, const struct x_wide *x, vi all[2][NV]) {
	const int groups = wide_groups(dtype), words = WORDS / groups;
	UNROLL for (int g = 0; g < groups; g++) {
		UNROLL for (int v = 0; v < NV; v++) {
			all[g][v] = (vi){0} - rest_of(x, groups, g);
		}
	}
	UNROLL for (int q = 0; q < WORDS; q += 2) {
		vs high[NV], low[NV];
		UNROLL for (int i = 0; i < 2; i++) {
			vb h = everywhere(x->high + 4 * (q + i)), l = everywhere(x->low + 4 * (q + i));
			UNROLL for (int v = 0; v < NV; v++) {
				vb level = run_level(dtype, run, v, q + i);
				high[v] = i == 0 ? maddubs(level, h) : high[v] + maddubs(level, h);
				low[v] = i == 0 ? maddubs(level, l) : low[v] + maddubs(level, l);
			}
		}
		UNROLL for (int v = 0; v < NV; v++) {
			vi *at = &all[q / words][v];
			*at += madd(high[v], (vs){0} + 64) + madd(low[v], (vs){0} + 1);
			KEEP(*at);
		}
	}
}
