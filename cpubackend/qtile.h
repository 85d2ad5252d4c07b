// The inner loops of linear for weights in block types and several rows of x, with
// instructions for dot products of bytes. Runs of a panel are opened (unpacked,
// with a scale and a floor in F32 for each group) into the first-level cache and
// then serve all rows of x.
//
// Whatever the number of rows, a result is the bias, then for each group of values
// in order: plus (sum of products)·(scale of w·scale of x), minus floor·(sum of
// x). The sums of products are exact, so that rows do not depend on each other.

// open_run is a run of a panel, unpacked.
struct open_run {
	float scale[2][PANEL], floor[2][PANEL]; // of the groups; floors are negative
	uint8_t level[WORDS][QUAD];
};

// group_of gives scale and negative floor of group g of a span; what the level
// that means 0 is above 0 becomes part of the floor.
INLINE void group_of(const int dtype, const uint8_t *span, int g, const int v, vf *scale, vf *floor) {
	*scale = group_scale(dtype, span, g, v);
	*floor = forms[dtype].floors ? -group_floor(dtype, span, g, v) : *scale * -(float)forms[dtype].zero;
}

INLINE void open_runs_as(const int dtype, const uint8_t *panel, int64_t runs, struct open_run *to) {
	const struct form f = forms[dtype];
	for (int64_t s = 0; s < runs; s += f.span, panel += span_bytes(dtype) * PANEL) {
		for (int r = 0; r < f.span; r++, to++) {
			UNROLL for (int v = 0; v < NV; v++) {
				UNROLL for (int g = 0; g < RUN / f.group; g++) {
					vf scale, floor;
					group_of(dtype, panel, r * (RUN / f.group) + g, v, &scale, &floor);
					store(to->scale[g] + v * VW, scale);
					store(to->floor[g] + v * VW, floor);
				}
				UNROLL for (int q = 0; q < WORDS; q++) {
					*(vb_any *)(to->level[q] + v * 4 * VW) = run_level(dtype, run_at(dtype, panel, r), v, q);
				}
			}
		}
	}
}

// tile_runs adds to sum [mr, PANEL]. A group of values is `group` wide; `step`
// words are added up at a time.
INLINE void tile_runs(const int mr, const int group, const int step, int64_t runs, const struct x_run *x,
	const struct open_run *w, float *sum) {
	for (int64_t k = 0; k < runs; k++, x += mr, w++) {
		UNROLL for (int g = 0; g < RUN / group; g++) {
			vi all[MR][NV];
			UNROLL for (int s = 0; s < group / 4 / step; s++) {
				vdot some[MR][NV];
				UNROLL for (int q = 0; q < step; q++) {
					const int at = g * (group / 4) + s * step + q;
					vb level[NV];
					UNROLL for (int v = 0; v < NV; v++) {
						level[v] = load_bytes(w->level[at] + v * 4 * VW);
					}
					UNROLL for (int r = 0; r < mr; r++) {
						vb four = word(x[r].level + 4 * at);
						UNROLL for (int v = 0; v < NV; v++) {
							some[r][v] = dot(q == 0 ? (vdot){0} : some[r][v], level[v], four);
							KEEP(some[r][v]);
						}
					}
				}
				UNROLL for (int r = 0; r < mr; r++) {
					UNROLL for (int v = 0; v < NV; v++) {
						all[r][v] = s == 0 ? total(some[r][v]) : all[r][v] + total(some[r][v]);
					}
				}
			}
			UNROLL for (int r = 0; r < mr; r++) {
				vf scale = splat(x[r].scale), part = splat(x[r].sum[group == RUN ? 0 : 1 + g]);
				UNROLL for (int v = 0; v < NV; v++) {
					float *at = sum + r * PANEL + v * VW;
					vf t = muladd(__builtin_convertvector(all[r][v], vf), load(w->scale[g] + v * VW) * scale, load(at));
					store(at, muladd(load(w->floor[g] + v * VW), part, t));
				}
			}
		}
		__asm__ volatile("" ::: "memory"); // sums stay in memory between runs: there are no registers for them
	}
}

#define TILE_RUNS(M) \
	case M: \
		tile_runs(M, group, step, runs, x, w, sum); \
		break;

// strip_runs_as takes rows down one panel: runs from `first` on of `all`.
INLINE void strip_runs_as(const int group, const int step, int64_t rows, int64_t first, int64_t runs, int64_t all,
	const struct x_run *from, const struct open_run *w, float *sum) {
	for (int64_t r = 0; r < rows; r += MR, sum += MR * PANEL) {
		int64_t m = least(MR, rows - r);
		const struct x_run *x = from + r * all + first * m;
		switch (m) {
			TILE_RUNS(1) TILE_RUNS(2) TILE_RUNS(3) TILE_RUNS(4) TILE_RUNS(5) TILE_RUNS(6)
#if MR > 6
			TILE_RUNS(7) TILE_RUNS(8) TILE_RUNS(9) TILE_RUNS(10) TILE_RUNS(11) TILE_RUNS(12)
#endif
		}
	}
}
#undef TILE_RUNS

static __attribute__((noinline)) void strip_runs(int group, int step, int64_t rows, int64_t first, int64_t runs,
	int64_t all, const struct x_run *x, const struct open_run *w, float *sum) {
	if (group == RUN) {
		if (step == WORDS) {
			strip_runs_as(RUN, WORDS, rows, first, runs, all, x, w, sum);
		} else {
			strip_runs_as(RUN, WORDS / 2, rows, first, runs, all, x, w, sum);
		}
	} else {
		if (step >= WORDS / 2) {
			strip_runs_as(RUN / 2, WORDS / 2, rows, first, runs, all, x, w, sum);
		} else {
			strip_runs_as(RUN / 2, WORDS / 4, rows, first, runs, all, x, w, sum);
		}
	}
}
