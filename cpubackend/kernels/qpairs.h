// The inner loops of linear for levels of 8 bits where the instructions for dot
// products of bytes overflow: products of 16 bits, two at a time.
//
// Many rows use that (Winograd 1968, "A new algorithm for inner product")
//   x0·w0 + x1·w1 = (x0 + w1)·(x1 + w0) − x0·x1 − w0·w1
// where the last two products belong to one side alone: half of the
// multiplications become additions, of which the machine does twice as many.

// open_pairs is a run of a panel: levels by even and odd place.
struct open_pairs {
	float scale[PANEL];
	int32_t cross[PANEL]; // minus the sum of even·odd
	vs even[WORDS][NV], odd[WORDS][NV];
};

INLINE vs even_levels(vb w) { return (vs)w << 8 >> 8; }
INLINE vs odd_levels(vb w) { return (vs)w >> 8; }

INLINE void open_pairs_as(const int dtype, const uint8_t *panel, int64_t runs, struct open_pairs *to) {
	const struct form f = forms[dtype];
	for (int64_t s = 0; s < runs; s += f.span, panel += span_bytes(dtype) * PANEL) {
		for (int r = 0; r < f.span; r++, to++) {
			UNROLL for (int v = 0; v < NV; v++) {
				store(to->scale + v * VW, group_scale(dtype, panel, r, v));
				vi cross = {0};
				UNROLL for (int q = 0; q < WORDS; q++) {
					vb level = run_level(dtype, run_at(dtype, panel, r), v, q);
					to->even[q][v] = even_levels(level);
					to->odd[q][v] = odd_levels(level);
					cross -= madd(even_levels(level), odd_levels(level));
				}
				memcpy(to->cross + v * VW, &cross, sizeof cross);
			}
		}
	}
}

INLINE void tile_pairs(const int mr, int64_t runs, const struct x_pairs *x, const struct open_pairs *w, float *sum) {
	for (int64_t k = 0; k < runs; k++, x += mr, w++) {
		vi all[PAIR_ROWS][NV];
		UNROLL for (int r = 0; r < mr; r++) {
			UNROLL for (int v = 0; v < NV; v++) {
				memcpy(&all[r][v], w->cross + v * VW, sizeof(vi));
			}
		}
		UNROLL for (int q = 0; q < WORDS; q++) {
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
				vf products = __builtin_convertvector(all[r][v] - x[r].cross, vf);
				store(at, muladd(products, load(w->scale + v * VW) * scale, load(at)));
			}
		}
		__asm__ volatile("" ::: "memory");
	}
}

#define TILE_PAIRS(M) \
	case M: \
		tile_pairs(M, runs, x, w, sum); \
		break;

static __attribute__((noinline)) void strip_pairs(int64_t rows, int64_t first, int64_t runs, int64_t all,
	const struct x_pairs *from, const struct open_pairs *w, float *sum, struct ahead next) {
	for (int64_t r = 0; r < rows; r += PAIR_ROWS, sum += PAIR_ROWS * PANEL) {
		int64_t m = least(PAIR_ROWS, rows - r);
		fetch(next, r / PAIR_ROWS, pieces_of(rows, PAIR_ROWS));
		const struct x_pairs *x = from + r * all + first * m;
		switch (m) {
			TILE_PAIRS(1) TILE_PAIRS(2) TILE_PAIRS(3) TILE_PAIRS(4)
#if PAIR_ROWS > 4
			TILE_PAIRS(5) TILE_PAIRS(6) TILE_PAIRS(7) TILE_PAIRS(8)
#endif
		}
	}
}
#undef TILE_PAIRS
