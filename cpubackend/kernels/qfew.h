// A few rows of x with weights in block types, on AVX2 without VNNI. A run of a panel is
// unpacked in registers, where up to FEW rows use it at once. To open it into the cache
// first, as for many rows, would take as long as the products of two or three rows. The
// results equal those of the other loops, to the bit.

enum {
	FEW = 4,            // rows that use what is in registers
	FEW_ROWS = 2 * FEW, // with more rows, opened runs are faster
	FETCHED = 2048,     // bytes from what is in use to what is fetched
};

// are_few reports whether these loops take so many rows.
INLINE int are_few(int64_t rows) { return rows > 1 && rows <= FEW_ROWS; }

// tile_of returns the rows of a tile: x is stored tile by tile.
INLINE int64_t tile_of(int form, int64_t rows) {
	if (are_few(rows)) {
		return pieces_of(rows, pieces_of(rows, FEW)); // 5 rows are 3 and 2
	}
	return form ? WIDE_ROWS : MR;
}

// products_of returns the sums of products of group g of a run, for mr rows.
INLINE void products_of(const int mr, const int dtype, const uint8_t *run, int g, const struct x_run *x, vdot some[FEW][NV]) {
	const int groups = groups_of(family_of(dtype)), words = WORDS / groups, zero = zero_of(dtype);
	UNROLL for (int i = 0; i < words; i++) {
		const int q = groups == 1 ? place_of(forms[dtype].bits, i) : g * words + i;
		vb level[NV];
		UNROLL for (int v = 0; v < NV; v++) {
			level[v] = run_level(dtype, run, v, q);
		}
		UNROLL for (int r = 0; r < mr; r++) {
			vb four = everywhere(x[r].level + 4 * q);
			vdot first = i == 0 && zero ? begin(zero, (vs)everywhere(x[r].pair[groups == 1 ? 0 : 1 + g])) : (vdot){0};
			UNROLL for (int v = 0; v < NV; v++) {
				some[r][v] = dot(i == 0 ? first : some[r][v], level[v], four);
				KEEP(some[r][v]);
			}
		}
	}
}

// add_group adds group g of a run, whose products are in `some`, to sum [mr, PANEL].
INLINE void add_group(const int mr, const int dtype, const uint8_t *span, int k, int g, const struct x_run *x,
	vdot some[FEW][NV], float *sum) {
	const enum family m = family_of(dtype);
	const int groups = groups_of(m), at = k * groups + g;
	UNROLL for (int v = 0; v < NV; v++) {
		vf scale = group_scale(dtype, span, at, v);
		vf floor = has_floor(m) ? run_floor(dtype, span, at, v) : splat(0);
		UNROLL for (int r = 0; r < mr; r++) {
			float *to = sum + r * PANEL + v * VW;
			vf result = muladd(floats_of(total(some[r][v])), scale * x[r].scale, load(to));
			if (has_floor(m)) {
				result = muladd(floor, splat(x[r].sum[groups == 1 ? 0 : 1 + g]), result);
			}
			store(to, result);
		}
	}
}

// add_few adds run k of a span of one panel to sum [mr, PANEL].
INLINE void add_few(const int mr, const int dtype, const struct x_run *x, const uint8_t *span, int k, float *sum) {
	const enum family m = family_of(dtype);
	const uint8_t *run = run_at(dtype, span, k);
	vi all[FEW][NV];
	UNROLL for (int g = 0; g < groups_of(m); g++) {
		vdot some[FEW][NV];
		products_of(mr, dtype, run, g, x, some);
		if (m != HALF_ZEROS) {
			add_group(mr, dtype, span, k, g, x, some, sum);
			continue;
		}
		UNROLL for (int v = 0; v < NV; v++) {
			vi factors = run_factors(dtype, span, 2 * k + g, v);
			UNROLL for (int r = 0; r < mr; r++) {
				vi product = scaled(some[r][v], factors);
				all[r][v] = g == 0 ? product : all[r][v] + product;
			}
		}
	}
	UNROLL for (int v = 0; m == HALF_ZEROS && v < NV; v++) {
		vf scale = span_scale(dtype, span, v);
		UNROLL for (int r = 0; r < mr; r++) {
			float *to = sum + r * PANEL + v * VW;
			store(to, muladd(floats_of(all[r][v]), scale * x[r].scale, load(to)));
		}
	}
	__asm__ volatile("" ::: "memory"); // keep the sums in memory between runs: registers are too few
}

// add_few_wide does that for levels of 8 bits, see qpairs.h.
INLINE void add_few_wide(const int mr, const int dtype, const struct x_wide *x, const uint8_t *span, int k, float *sum) {
	const int groups = wide_groups(dtype), words = WORDS / groups;
	const uint8_t *run = run_at(dtype, span, k);
	UNROLL for (int v = 0; v < NV; v++) {
		UNROLL for (int g = 0; g < groups; g++) {
			vi all[FEW] = {0}, cross = {0};
			UNROLL for (int q = g * words; q < (g + 1) * words; q++) {
				vb level = run_level(dtype, run, v, q);
				vs even = even_levels(level), odd = odd_levels(level);
				cross += madd(even, odd);
				KEEP(cross);
				UNROLL for (int r = 0; r < mr; r++) {
					all[r] += madd((vs)everywhere(x[r].even + 2 * q) + odd, (vs)everywhere(x[r].odd + 2 * q) + even);
					KEEP(all[r]);
				}
			}
			vf scale = group_scale(dtype, span, k * groups + g, v);
			UNROLL for (int r = 0; r < mr; r++) {
				float *to = sum + r * PANEL + v * VW;
				vf products = floats_of(all[r] - cross - rest_of(x + r, groups, g));
				store(to, muladd(products, scale * x[r].scale, load(to)));
			}
		}
	}
	__asm__ volatile("" ::: "memory");
}

// few_as adds the products of a tile of mr rows with one panel to sum [mr, PANEL].
// Meanwhile it fetches what comes next, up to `end`.
INLINE void few_as(const int mr, const int dtype, int64_t runs, const void *x, const uint8_t *panel, const uint8_t *end, float *sum) {
	const int64_t span = span_bytes(dtype) * PANEL, share = span / forms[dtype].span;
	for (int64_t s = 0; s < runs; s += forms[dtype].span, panel += span) {
		for (int k = 0; k < forms[dtype].span; k++) {
			const uint8_t *next = panel + k * share + FETCHED;
			if (next + share <= end) {
				UNROLL for (int64_t i = 0; i < share; i += 64) {
					__builtin_prefetch(next + i);
				}
			}
			if (in_bytes(dtype)) {
				add_few_wide(mr, dtype, (const struct x_wide *)x + (s + k) * mr, panel, k, sum);
			} else {
				add_few(mr, dtype, (const struct x_run *)x + (s + k) * mr, panel, k, sum);
			}
		}
	}
}

typedef void few_function(int64_t rows, int64_t runs, const void *x, const uint8_t *panel, const uint8_t *end, float *sum);

#define FEW_OF(T) \
	static void few_##T(int64_t rows, int64_t runs, const void *x, const uint8_t *panel, const uint8_t *end, float *sum) { \
		switch (rows) { \
		case 1: \
			few_as(1, T, runs, x, panel, end, sum); \
			break; \
		case 2: \
			few_as(2, T, runs, x, panel, end, sum); \
			break; \
		case 3: \
			few_as(3, T, runs, x, panel, end, sum); \
			break; \
		case 4: \
			few_as(4, T, runs, x, panel, end, sum); \
			break; \
		} \
	}
EACH_BLOCK_TYPE(FEW_OF)
#undef FEW_OF

static few_function *const few_of[] = {
#define FEW_OF(T) [T] = few_##T,
	EACH_BLOCK_TYPE(FEW_OF)
#undef FEW_OF
};

// few_rows multiplies a piece's rows, whose levels begin at x, with its panels. Scratch
// holds the sums of a tile.
INLINE void few_rows(const struct op *o, struct cut c, const char *x, float *scratch) {
	const int64_t runs = o->inner / RUN, size = packed_bytes(o->dtype, o->inner) * PANEL, tile = tile_of(o->form, o->rows);
	const int64_t of_row = runs * (o->form ? sizeof(struct x_wide) : sizeof(struct x_run));
	const uint8_t *w = o->weight;
	struct share s = {.op = o, .row = c.row, .rows = c.rows, .runs = runs, .all = runs};
	for (s.panel = c.first; s.panel < c.last; s.panel++) {
		for (int64_t r = 0; r < c.rows; r += tile) {
			const int64_t n = least(tile, c.rows - r);
			begin_tile(&s, n, scratch);
			few_of[o->dtype](n, runs, x + r * of_row, w + s.panel * size, w + c.last * size, scratch);
			end_tile(&s, r, n, scratch);
		}
	}
}
