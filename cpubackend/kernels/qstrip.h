// What surrounds the inner loops of linear for weights in block types: a strip is the
// rows of a piece and one panel, in tiles.

// pass_panel applies the activation to the sums [rows, PANEL] of a tile and quantizes
// them, as quantize_x does for the result: a panel is a run of it.
static void pass_panel(const struct op *o, int64_t row, int64_t rows, int64_t panel, float *sum) {
	const int64_t at = row * (o->cols / RUN) + panel * rows;
	apply(o->activation, sum, PANEL, rows, PANEL);
	if (o->form) {
		quantize_wide(sum, PANEL, rows, o->rows, (struct x_wide *)o->passed + at, 1);
		return;
	}
	for (int64_t r = 0; r < rows; r++) {
		quantize_run(sum + r * PANEL, (struct x_run *)o->passed + at + r);
	}
}

// share is what a strip multiplies: rows of a piece with `runs` runs of one panel, from
// run `first` on, of `all` in a row.
struct share {
	const struct op *op;
	int64_t row, rows, panel, first, runs, all;
};

// A tile begins with the bias and ends in the result, while its sums are in the
// first-level cache. If that is in one share, all tiles use the same sums.
INLINE int64_t sums_apart(const struct share *s) { return s->runs == s->all ? 0 : PANEL; }

INLINE void begin_tile(const struct share *s, int64_t rows, float *sum) {
	if (s->first == 0) {
		start_panel(s->op, rows, s->panel, sum);
	}
}

INLINE void end_tile(const struct share *s, int64_t row, int64_t rows, float *sum) {
	if (s->first + s->runs < s->all) {
		return;
	}
	if ((int)PANEL == (int)RUN && s->op->passed != NULL) {
		pass_panel(s->op, s->row + row, rows, s->panel, sum);
	} else {
		put_panels(s->op, s->row + row, rows, s->panel, 1, sum);
	}
}

// ahead is memory that is read next: a strip fetches it into the cache meanwhile.
struct ahead {
	const char *from;
	int64_t bytes;
};

// fetch fetches the share that one of the tiles has to fetch.
INLINE void fetch(struct ahead a, int64_t tile, int64_t tiles) {
	int64_t share = pieces_of(pieces_of(a.bytes, 64), tiles) * 64;
	for (int64_t i = tile * share; i < least((tile + 1) * share, a.bytes); i += 64) {
		__builtin_prefetch(a.from + i, 0, 2);
	}
}

// strip_runs_as multiplies a strip with open runs of the panel, in levels of up to 6 bits.
#define TILE_RUNS(M) \
	case M: \
		tile_runs(M, m, zero, runs, x, w, sum); \
		break;

INLINE void strip_runs_as(const enum family m, int zero, const struct share *s, const struct x_run *from,
	const struct open_run *w, float *sum, struct ahead next) {
	const int64_t rows = s->rows, runs = s->runs;
	for (int64_t r = 0; r < rows; r += MR, sum += MR * sums_apart(s)) {
		int64_t n = least(MR, rows - r);
		fetch(next, r / MR, pieces_of(rows, MR));
		begin_tile(s, n, sum);
		const struct x_run *x = from + r * s->all + s->first * n;
		switch (n) {
			TILE_RUNS(1) TILE_RUNS(2) TILE_RUNS(3) TILE_RUNS(4) TILE_RUNS(5) TILE_RUNS(6)
#if MR > 6
			TILE_RUNS(7) TILE_RUNS(8) TILE_RUNS(9) TILE_RUNS(10) TILE_RUNS(11) TILE_RUNS(12)
#endif
		}
		end_tile(s, r, n, sum);
	}
}
#undef TILE_RUNS

static __attribute__((noinline)) void strip_runs(const struct share *s, const struct x_run *x, const struct open_run *w,
	float *sum, struct ahead next) {
	const int zero = zero_of(s->op->dtype);
	switch (family_of(s->op->dtype)) {
#define CASE(M) \
	case M: \
		strip_runs_as(M, zero, s, x, w, sum, next); \
		break;
	CASE(FLOORS) CASE(ZEROS) CASE(BOTH) CASE(HALF_FLOORS) CASE(HALF_ZEROS)
#undef CASE
	}
}
