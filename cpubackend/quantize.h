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
	float scale;
	float sum[3]; // scale·(sum of the levels): of all, of the first half, of the second
	int8_t level[RUN];
};

// x_pairs is the form in which instructions for 16 bits multiply levels of 8 bits.
struct x_pairs {
	float scale;
	int32_t cross; // the sum of even·odd
	int16_t even[RUN / 2], odd[RUN / 2]; // levels 0, 2, 4 … and 1, 3, 5 …
};

// run_scale gives the scale of a run and what to multiply values with, 0 for
// levels of 0.
INLINE float run_scale(const float *x, float *inverse) {
	vi most = {0}; // bits of magnitudes, which order like the magnitudes
	UNROLL for (int i = 0; i < RUN; i += VW) {
		vi bits = (vi)load(x + i) & 0x7fffffff, larger = bits > most;
		most = (larger & bits) | (~larger & most);
	}
	int32_t top = most[0];
	UNROLL for (int i = 1; i < VW; i++) {
		top = most[i] > top ? most[i] : top;
	}
	float largest;
	memcpy(&largest, &top, 4);
	*inverse = 127 / largest;
	if (top >= 0x7f800000) {
		*inverse = 0;
		return NAN;
	}
	if (top < 0x02000000) { // below 9.4e-38, where the inverse can be infinite
		*inverse = 0;
		return 0;
	}
	return largest * (1 / 127.0f);
}

// round_run rounds a run to levels, and gives the sums of both halves.
INLINE void round_run(const float *x, float inverse, int8_t *level, int32_t sum[2]) {
	const vf magic = splat(12582912.0f); // 1.5·2^23: adding it rounds to an integer
	UNROLL for (int h = 0; h < 2; h++) {
		vi all = {0};
		UNROLL for (int i = h * RUN / 2; i < (h + 1) * RUN / 2; i += VW) {
			vi n = (vi)(muladd(load(x + i), splat(inverse), magic)) - (vi)magic;
			vc narrow = __builtin_convertvector(n, vc);
			memcpy(level + i, &narrow, sizeof narrow);
			all += n;
		}
		sum[h] = 0;
		UNROLL for (int i = 0; i < VW; i++) {
			sum[h] += all[i];
		}
	}
}

INLINE void quantize_run(const float *x, struct x_run *to) {
	float inverse;
	int32_t sum[2] = {0};
	to->scale = run_scale(x, &inverse);
	if (inverse == 0) {
		memset(to->level, 0, RUN);
	} else {
		round_run(x, inverse, to->level, sum);
	}
	to->sum[0] = to->scale * (float)(sum[0] + sum[1]);
	to->sum[1] = to->scale * (float)sum[0];
	to->sum[2] = to->scale * (float)sum[1];
}

INLINE void quantize_pairs(const float *x, struct x_pairs *to) {
	float inverse;
	int8_t level[RUN] = {0};
	int32_t sum[2] = {0}, cross = 0;
	to->scale = run_scale(x, &inverse);
	if (inverse != 0) {
		round_run(x, inverse, level, sum);
	}
	for (int i = 0; i < RUN / 2; i++) {
		to->even[i] = level[2 * i];
		to->odd[i] = level[2 * i + 1];
	}
	for (int i = 0; i < RUN / 2; i++) {
		cross += to->even[i] * to->odd[i];
	}
	to->cross = cross;
}

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
