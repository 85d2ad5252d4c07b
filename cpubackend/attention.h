// attention: out = softmax(scale·q·kᵀ + bias)·v per head and text; x is q, y is
// k, z is v, all [rows, heads·size]. A piece is one span: some queries and some
// heads of one text. Per head the keys and values of the text are packed into
// panels, then each tile of queries makes its whole rows of scores.

// Scratch holds, in floats: keys, values, scores of one tile, and the bias by distance.
INLINE int64_t panels_up(int64_t n) { return pieces_of(n, PANEL) * PANEL; }

// pack_keys lays k [n, size] out as panels of keys: for each column of the head,
// PANEL keys side by side, zeros past the last.
INLINE void pack_keys(const float *k, int64_t ld, int64_t n, int64_t size, float *to) {
	for (int64_t first = 0; first < n; first += PANEL) {
		int64_t some = least(PANEL, n - first);
		for (int64_t c = 0; c < size; c++, to += PANEL) {
			for (int64_t i = 0; i < some; i++) {
				to[i] = k[(first + i) * ld + c];
			}
			for (int64_t i = some; i < PANEL; i++) {
				to[i] = 0;
			}
		}
	}
}

// pack_values lays v [n, size] out as panels of columns: for each row, PANEL
// columns side by side, zeros past the last.
INLINE void pack_values(const float *v, int64_t ld, int64_t n, int64_t size, float *to) {
	for (int64_t first = 0; first < size; first += PANEL) {
		int64_t some = least(PANEL, size - first);
		for (int64_t r = 0; r < n; r++, to += PANEL) {
			if (some == PANEL) {
				memcpy(to, v + r * ld + first, 4 * PANEL);
				continue;
			}
			memcpy(to, v + r * ld + first, 4 * some);
			memset(to + some, 0, 4 * (PANEL - some));
		}
	}
}

// soften turns n scores into weights e^(scale·s + bias - largest) and gives their sum.
INLINE float soften(float *s, int64_t n, float scale, const float *bias) {
	vf top = splat(-INFINITY);
	int64_t whole = n / VW * VW, rest = n - whole;
	for (int64_t i = 0; i < whole; i += VW) {
		vf v = load(s + i) * scale;
		if (bias != NULL) {
			v += load(bias + i);
		}
		store(s + i, v);
		top = larger(top, v);
	}
	float largest = largest_of(top);
	for (int64_t i = whole; i < n; i++) {
		s[i] = s[i] * scale + (bias != NULL ? bias[i] : 0);
		largest = s[i] > largest ? s[i] : largest;
	}
	vf sum = {0};
	for (int64_t i = 0; i < whole; i += VW) {
		vf e = exp_of(load(s + i) - largest);
		store(s + i, e);
		sum += e;
	}
	float total = sum_of(sum);
	if (rest > 0) {
		vf e = exp_of(load_part(s + whole, rest) - largest);
		store_part(s + whole, e, rest);
		for (int64_t i = 0; i < rest; i++) {
			total += e[i];
		}
	}
	return total;
}

static void attention(const struct op *o, int64_t piece, float *scratch) {
	const struct span s = o->spans[piece];
	int64_t n = s.end - s.start, size = o->cols / o->heads, ld = o->cols;
	int64_t wide = panels_up(n);
	float *keys = scratch, *values = keys + wide * size, *scores = values + n * panels_up(size);
	float *result = scores + MR * wide, *bias = result + MR * panels_up(size);
	const float zeros[PANEL] = {0};

	for (int64_t h = s.head; h < s.head_end; h++) {
		const float *q = o->x + h * size;
		pack_keys(o->y + s.start * ld + h * size, ld, n, size, keys);
		pack_values(o->z + s.start * ld + h * size, ld, n, size, values);
		for (int64_t d = 1 - n; o->bias != NULL && d < n; d++) {
			bias[n - 1 + d] = o->bias[o->buckets[o->reach + d] * o->heads + h];
		}
		for (int64_t row = s.first; row < s.last; row += MR) {
			int64_t m = least(MR, s.last - row);
			for (int64_t c = 0; c < n; c += PANEL) {
				const char *panel = (const char *)(keys + c * size);
				strip(DTYPE_F32, m, size, q + row * ld, ld, panel, zeros, 0, scores + c, wide, panel);
			}
			float sum[MR];
			for (int64_t r = 0; r < m; r++) {
				// the key at distance 0 is the query's own row
				const float *line = o->bias != NULL ? bias + n - 1 - (row + r - s.start) : NULL;
				sum[r] = soften(scores + r * wide, n, o->scale, line);
			}
			for (int64_t c = 0; c < size; c += PANEL) {
				const char *panel = (const char *)(values + c * n);
				strip(DTYPE_F32, m, n, scores, wide, panel, zeros, 0, result, PANEL, panel);
				int64_t cols = least(PANEL, size - c);
				for (int64_t r = 0; r < m; r++) {
					float *out = o->out + (row + r) * ld + h * size + c;
					for (int64_t i = 0; i < cols; i++) {
						out[i] = result[r * PANEL + i] / sum[r];
					}
				}
			}
		}
	}
}
