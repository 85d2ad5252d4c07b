// Several rows of x with weights in block types, by instructions that multiply matrices
// of bytes: two rows of x with two rows of a panel, eight values of each, which are four
// dot products of eight. One row of x keeps dot products of four (qrow.h): it would
// use half of such a product. Sums of products are whole numbers, so the results
// equal those of dot products, to the bit.
//
// An open run has its levels in that order, less their zero: eight values of a row of
// the panel, then those of the row below, for one pair of rows after the other, and
// then the next eight values.

#define TWOS ((MR + 1) / 2) // pairs of rows of x in a tile

// twos are sums of products: [r][v][h] of rows 2r and 2r+1 of x with rows 2h and 2h+1 of
// vector v of a panel, the two of the first row of x first.
typedef vi twos[TWOS][NV][2];

// matrices adds the products of two rows with two rows. It is written in assembly because
// clang's headers before version 16 have the intrinsic only where a whole file is compiled for it.
INLINE vi matrices(vi sum, vb x, vb w) {
	__asm__("smmla %0.4s, %1.16b, %2.16b" : "+w"(sum) : "w"(x), "w"(w));
	return sum;
}

// eights returns eight bytes from a on and eight from b on.
INLINE vb eights(const int8_t *a, const int8_t *b) { return (vb)vcombine_s8(vld1_s8(a), vld1_s8(b)); }

// eight_levels returns where in an open run the levels 4q.. of half h of vector v lie. q is even.
INLINE int64_t eight_levels(int q, const int v, const int h) { return q * QUAD + (2 * v + h) * 16; }

// open_levels unpacks the levels of vector v of a run.
INLINE void open_levels(const int dtype, const uint8_t *run, const int v, uint8_t level[WORDS][QUAD]) {
	UNROLL for (int q = 0; q < WORDS; q += 2) {
		int32x4_t first = (int32x4_t)(run_level(dtype, run, v, q) - (uint8_t)zero_of(dtype));
		int32x4_t next = (int32x4_t)(run_level(dtype, run, v, q + 1) - (uint8_t)zero_of(dtype));
		*(vb_any *)((uint8_t *)level + eight_levels(q, v, 0)) = (vb)vzip1q_s32(first, next);
		*(vb_any *)((uint8_t *)level + eight_levels(q, v, 1)) = (vb)vzip2q_s32(first, next);
	}
}

// add_twos adds the products of mr rows of x, `apart` bytes apart, with words q..q+words
// of a run. Of an odd number of rows the last one is its own neighbour.
INLINE void add_twos(const int mr, const int8_t *x, const int64_t apart, const uint8_t level[WORDS][QUAD],
	int q, const int words, twos sums) {
	UNROLL for (int i = 0; i < words; i += 2) {
		vb two[TWOS];
		UNROLL for (int r = 0; r < mr; r += 2) {
			const int8_t *at = x + r * apart + 4 * (q + i);
			two[r / 2] = eights(at, r + 1 < mr ? at + apart : at);
		}
		UNROLL for (int v = 0; v < NV; v++) {
			UNROLL for (int h = 0; h < 2; h++) {
				vb w = load_bytes((const uint8_t *)level + eight_levels(q + i, v, h));
				UNROLL for (int r = 0; r < mr; r += 2) {
					sums[r / 2][v][h] = matrices(sums[r / 2][v][h], two[r / 2], w);
				}
			}
		}
	}
}

// by_rows turns sums into those of each row.
INLINE void by_rows(const int mr, twos sums, vi rows[MR][NV]) {
	UNROLL for (int r = 0; r < mr; r++) {
		UNROLL for (int v = 0; v < NV; v++) {
			int64x2_t a = (int64x2_t)sums[r / 2][v][0], b = (int64x2_t)sums[r / 2][v][1];
			rows[r][v] = (vi)(r % 2 == 0 ? vzip1q_s64(a, b) : vzip2q_s64(a, b));
		}
	}
}

// add_high adds the products of row r with four levels of x that belong to one word of a run.
INLINE void add_high(const int r, const int8_t *high, int word, const uint8_t level[WORDS][QUAD], twos sums) {
	int8_t two[16] = {0};
	memcpy(two + r % 2 * 8 + word % 2 * 4, high, 4);
	UNROLL for (int v = 0; v < NV; v++) {
		UNROLL for (int h = 0; h < 2; h++) {
			vb w = load_bytes((const uint8_t *)level + eight_levels(word & ~1, v, h));
			sums[r / 2][v][h] = matrices(sums[r / 2][v][h], load_bytes(two), w);
		}
	}
}

// shift_twos multiplies the sums of mr rows with 1 << by.
INLINE void shift_twos(const int mr, const int by, twos sums) {
	UNROLL for (int r = 0; r < mr; r += 2) {
		UNROLL for (int v = 0; v < NV; v++) {
			sums[r / 2][v][0] <<= by;
			sums[r / 2][v][1] <<= by;
		}
	}
}
