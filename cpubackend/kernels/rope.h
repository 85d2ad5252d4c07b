// rope: turns pairs of columns of each head by the angles in y. Row r of y holds
// `inner` cosines, then as many sines. The columns after the pairs are copied.
// A piece covers row_block rows.

INLINE void turn_halves(int64_t pairs, const float *turn, const float *x, float *out) {
	int64_t i = 0;
	for (; i + VW <= pairs; i += VW) {
		vf c = load(turn + i), s = load(turn + pairs + i), a = load(x + i), b = load(x + pairs + i);
		store(out + i, a * c - b * s);
		store(out + pairs + i, b * c + a * s);
	}
	for (; i < pairs; i++) {
		float c = turn[i], s = turn[pairs + i], a = x[i], b = x[pairs + i];
		out[i] = a * c - b * s;
		out[pairs + i] = b * c + a * s;
	}
}

INLINE void turn_neighbours(int64_t pairs, const float *turn, const float *restrict x, float *restrict out) {
	for (int64_t i = 0; i < pairs; i++) {
		float c = turn[i], s = turn[pairs + i], a = x[2 * i], b = x[2 * i + 1];
		out[2 * i] = a * c - b * s;
		out[2 * i + 1] = b * c + a * s;
	}
}

static void rope(const struct op *o, int64_t piece, float *scratch) {
	(void)scratch;
	int64_t pairs = o->inner, size = o->cols / o->heads;
	int64_t end = least((piece + 1) * o->row_block, o->rows);
	for (int64_t r = piece * o->row_block; r < end; r++) {
		const float *turn = o->y + r * 2 * pairs;
		for (int64_t h = 0; h < o->heads; h++) {
			const float *x = o->x + r * o->cols + h * size;
			float *out = o->out + r * o->cols + h * size;
			if (o->interleaved) {
				turn_neighbours(pairs, turn, x, out);
			} else {
				turn_halves(pairs, turn, x, out);
			}
			memcpy(out + 2 * pairs, x + 2 * pairs, 4 * (size - 2 * pairs));
		}
	}
}
