// The inner loops of linear for weights in block types and several rows of x, with
// instructions for dot products of bytes. They open the runs of a panel into the
// first-level cache, where all rows of x then use them. An open run has bytes for
// its levels, and an F32 scale and floor for each group.
//
// Every result is computed in the same order, whatever the number of rows. It
// begins with the bias. Each group of values adds (sum of products)·(scale of
// w·scale of x), then floor·(sum of x). The sums of products are exact, so a row
// does not depend on the other rows. Types with groups of 16 and without floors
// differ: the sums of a run's two groups are multiplied with the groups' multiples
// of the span's scale and added as whole numbers, before one multiplication in F32.

// family says which loop takes a type.
enum family { FLOORS, ZEROS, BOTH, HALF_FLOORS, HALF_ZEROS };
INLINE enum family family_of(const int dtype) {
	const struct form f = forms[dtype];
	if (f.group < RUN) {
		return f.floors ? HALF_FLOORS : HALF_ZEROS;
	}
	return !f.floors ? ZEROS : f.bits > 4 ? BOTH : FLOORS;
}
INLINE int has_zero(const enum family m) { return m == ZEROS || m == BOTH || m == HALF_ZEROS; }
INLINE int has_floor(const enum family m) { return m == FLOORS || m == BOTH || m == HALF_FLOORS; }
INLINE int groups_of(const enum family m) { return m == HALF_FLOORS || m == HALF_ZEROS ? 2 : 1; }

// run_floor returns what a group adds for each unit of the sum of x.
INLINE vf run_floor(const int dtype, const uint8_t *span, int g, const int v) {
	vf floor = -group_floor(dtype, span, g, v);
	return zero_of(dtype) ? muladd(group_scale(dtype, span, g, v), splat(zero_of(dtype)), floor) : floor;
}

// run_factors returns the multiples of the span's scale, as `scaled` takes them.
INLINE vi run_factors(const int dtype, const uint8_t *span, int g, const int v) {
	return factors_of(nested_of(dtype, span, g, v));
}

// open_run is a run of a panel, unpacked.
struct open_run {
	float scale[2][PANEL]; // of the groups
	union {
		float floor[2][PANEL];
		vi factors[2][NV];
	};
	uint8_t level[WORDS][QUAD];
};

#if !defined(HAVE_I8MM)
// open_levels unpacks the levels of vector v of a run, word by word; with matrices
// qmatrix.h does it.
INLINE void open_levels(const int dtype, const uint8_t *run, const int v, uint8_t level[WORDS][QUAD]) {
	UNROLL for (int q = 0; q < WORDS; q++) {
		*(vb_any *)(level[q] + v * 4 * VW) = run_level(dtype, run, v, q);
	}
}
#endif

INLINE void open_runs_as(const int dtype, const uint8_t *panel, int64_t runs, struct open_run *to) {
	const struct form f = forms[dtype];
	const enum family m = family_of(dtype);
	for (int64_t s = 0; s < runs; s += f.span, panel += span_bytes(dtype) * PANEL) {
		for (int r = 0; r < f.span; r++, to++) {
			UNROLL for (int v = 0; v < NV; v++) {
				UNROLL for (int g = 0; g < groups_of(m); g++) {
					const int at = r * groups_of(m) + g;
					if (m == HALF_ZEROS) {
						to->factors[g][v] = run_factors(dtype, panel, at, v);
						store(to->scale[0] + v * VW, span_scale(dtype, panel, v));
						continue;
					}
					store(to->scale[g] + v * VW, group_scale(dtype, panel, at, v));
					if (has_floor(m)) {
						store(to->floor[g] + v * VW, run_floor(dtype, panel, at, v));
					}
				}
				open_levels(dtype, run_at(dtype, panel, r), v, to->level);
			}
		}
	}
}

// group_products returns the sums of products of group g of an open run, `words` words,
// with mr rows.
#if defined(HAVE_I8MM)
INLINE void group_products(const int mr, const enum family m, int zero, const struct x_run *x, const struct open_run *w,
	int g, const int words, vdot some[MR][NV]) {
	(void)m, (void)zero; // the levels are less their zero
	twos sums = {0};
	add_twos(mr, x->level, sizeof *x, w->level, g * words, words, sums);
	by_rows(mr, sums, some);
}
#else
INLINE void group_products(const int mr, const enum family m, int zero, const struct x_run *x, const struct open_run *w,
	int g, const int words, vdot some[MR][NV]) {
	const int part = words == WORDS ? 0 : 1 + g;
	UNROLL for (int q = 0; q < words; q++) {
		vb level[NV];
		UNROLL for (int v = 0; v < NV; v++) {
			level[v] = load_bytes(w->level[g * words + q] + v * 4 * VW);
		}
		UNROLL for (int r = 0; r < mr; r++) {
			vb four = everywhere(x[r].level + 4 * (g * words + q));
			vdot first = q == 0 && has_zero(m) ? begin(zero, (vs)everywhere(x[r].pair[part])) : (vdot){0};
			UNROLL for (int v = 0; v < NV; v++) {
				some[r][v] = dot(q == 0 ? first : some[r][v], level[v], four);
				KEEP(some[r][v]);
			}
		}
	}
}
#endif

// tile_runs adds the products of mr rows with open runs to sum [mr, PANEL].
INLINE void tile_runs(const int mr, const enum family m, int zero, int64_t runs, const struct x_run *x,
	const struct open_run *w, float *sum) {
	const int groups = groups_of(m), words = WORDS / groups;
	for (int64_t k = 0; k < runs; k++, x += mr, w++) {
		vi all[MR][NV];
		UNROLL for (int g = 0; g < groups; g++) {
			const int part = groups == 1 ? 0 : 1 + g;
			vdot some[MR][NV];
			group_products(mr, m, zero, x, w, g, words, some);
			UNROLL for (int r = 0; r < mr; r++) {
				UNROLL for (int v = 0; v < NV; v++) {
					if (m == HALF_ZEROS) {
						vi product = scaled(some[r][v], w->factors[g][v]);
						all[r][v] = g == 0 ? product : all[r][v] + product;
						continue;
					}
					float *at = sum + r * PANEL + v * VW;
					vf scale = load(w->scale[g] + v * VW) * x[r].scale;
					vf result = muladd(floats_of(total(some[r][v])), scale, load(at));
					if (has_floor(m)) {
						result = muladd(load(w->floor[g] + v * VW), splat(x[r].sum[part]), result);
					}
					store(at, result);
				}
			}
		}
		if (m == HALF_ZEROS) {
			UNROLL for (int r = 0; r < mr; r++) {
				UNROLL for (int v = 0; v < NV; v++) {
					float *at = sum + r * PANEL + v * VW;
					vf scale = load(w->scale[0] + v * VW) * x[r].scale;
					store(at, muladd(floats_of(all[r][v]), scale, load(at)));
				}
			}
		}
		__asm__ volatile("" ::: "memory"); // keep the sums in memory between runs: registers are too few
	}
}
