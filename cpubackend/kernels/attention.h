// attention: out = softmax(scale·q·kᵀ + bias)·v per head and text; x is q, y is
// k, z is v, all [rows, heads·size]. A row sees those near it. A piece is one span: some queries and some
// heads of one text. For each head it packs the keys and values that it sees into
// panels. Then each tile of queries computes whole rows of scores.

// Scratch holds, in floats: keys, values, scores and result of one tile, and the
// bias by distance.
INLINE int64_t panels_up(int64_t n) { return pieces_of(n, PANEL) * PANEL; }

// pack_some lays out columns from..to of n keys side by side, with zeros up to PANEL.
INLINE void pack_some(const float *k, int64_t ld, int64_t n, int64_t from, int64_t to, float *panel) {
	for (int64_t c = from; c < to; c++) {
		for (int64_t i = 0; i < n; i++) {
			panel[c * PANEL + i] = k[i * ld + c];
		}
		for (int64_t i = n; i < PANEL; i++) {
			panel[c * PANEL + i] = 0;
		}
	}
}

// pack_keys lays out k [n, size] as panels of keys: for each column of the head,
// PANEL keys side by side, with zeros past the last.
INLINE void pack_keys(const float *k, int64_t ld, int64_t n, int64_t size, float *to) {
	for (int64_t first = 0; first < n; first += PANEL, to += size * PANEL) {
		int64_t some = least(PANEL, n - first), whole = 0;
		const float *from = k + first * ld;
#if defined(HAVE_AVX2) || defined(HAVE_AVX512)
		whole = size / 8 * 8;
		for (int64_t i = 0; i < PANEL; i += 8) {
			for (int64_t c = 0; c < whole; c += 8) {
				__m256i v[8], turned[8];
				UNROLL for (int j = 0; j < 8; j++) {
					v[j] = i + j < some ? _mm256_loadu_si256((const __m256i *)(from + (i + j) * ld + c)) : _mm256_setzero_si256();
				}
				turn(v, turned);
				UNROLL for (int j = 0; j < 8; j++) {
					_mm256_storeu_si256((__m256i *)(to + (c + j) * PANEL + i), turned[j]);
				}
			}
		}
#endif
		pack_some(from, ld, some, whole, size, to);
	}
}

// pack_values lays out v [n, size] as panels of columns: for each row, PANEL
// columns side by side, with zeros past the last.
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

// soften turns n scores into weights e^(scale·s + bias - largest) and returns their
// sum. The scale is positive: the largest score makes the largest weight.
INLINE float soften(float *s, int64_t n, float scale, const float *bias) {
	vf top = splat(-INFINITY);
	int64_t whole = n / VW * VW;
	for (int64_t i = 0; i < whole; i += VW) {
		vf v = load(s + i);
		if (bias != NULL) {
			v = muladd(v, splat(scale), load(bias + i));
			store(s + i, v);
		}
		top = larger(top, v);
	}
	float largest = largest_of(top);
	for (int64_t i = whole; i < n; i++) {
		s[i] = bias != NULL ? s[i] * scale + bias[i] : s[i];
		largest = s[i] > largest ? s[i] : largest;
	}
	return weights_of(s, n, largest, bias != NULL ? LOG2E : scale * LOG2E);
}

// bias_line returns head h's bias for the distances 1-n..n-1, or NULL without bias.
INLINE const float *bias_line(const struct op *o, int64_t n, int64_t h, float *line) {
	if (o->bias == NULL && o->gain == NULL) {
		return NULL;
	}
	for (int64_t d = 1 - n; d < n; d++) {
		line[n - 1 + d] = o->bias != NULL ? o->bias[o->buckets[o->reach + d] * o->heads + h] : -o->gain[h] * (float)(d < 0 ? -d : d);
	}
	return line;
}

static void attention(const struct op *o, int64_t piece, float *scratch) {
	const struct span s = o->spans[piece];
	int64_t low = greatest(s.start, s.first - o->before), high = least(s.end, s.last + o->after); // what its queries see
	int64_t n = high - low, text = s.end - s.start, size = o->cols / o->heads, ld = o->cols;
	int64_t wide = panels_up(n);
	float *keys = scratch, *values = keys + wide * size, *scores = values + n * panels_up(size);
	float *result = scores + MR * wide, *line = result + MR * panels_up(size);
	const float zeros[PANEL] = {0};

	for (int64_t h = s.head; h < s.head_end; h++) {
		const float *q = o->x + h * size;
		pack_keys(o->y + low * ld + h * size, ld, n, size, keys);
		pack_values(o->z + low * ld + h * size, ld, n, size, values);
		const float *bias = bias_line(o, text, h, line);
		for (int64_t row = s.first; row < s.last; row += MR) {
			int64_t m = least(MR, s.last - row);
			// the keys of the tile, from a whole panel on
			int64_t from = greatest(0, row - o->before - low) / PANEL * PANEL, to = least(n, row + m + o->after - low);
			for (int64_t c = from; c < to; c += PANEL) {
				const char *panel = (const char *)(keys + c * size);
				strip(DTYPE_F32, m, size, q + row * ld, ld, panel, zeros, 0, scores + c, wide, panel);
			}
			float sum[MR];
			for (int64_t r = 0; r < m; r++) {
				float *score = scores + r * wide;
				int64_t first = greatest(0, row + r - o->before - low), last = least(n, row + r + 1 + o->after - low);
				// the key at distance 0 is the query's own row
				const float *by = bias != NULL ? bias + text - 1 - (row + r - low) + first : NULL;
				sum[r] = soften(score + first, last - first, o->scale, by);
				memset(score + from, 0, 4 * (first - from));
				memset(score + last, 0, 4 * (to - last));
			}
			for (int64_t c = 0; c < size; c += PANEL) {
				const char *panel = (const char *)(values + c * n + from * PANEL);
				strip(DTYPE_F32, m, to - from, scores + from, wide, panel, zeros, 0, result, PANEL, panel);
				int64_t cols = least(PANEL, size - c);
				for (int64_t r = 0; r < m; r++) {
					float *out = o->out + (row + r) * ld + h * size + c;
					float by = 1 / sum[r];
					if (cols == PANEL) {
						UNROLL for (int v = 0; v < NV; v++) {
							store(out + v * VW, load(result + r * PANEL + v * VW) * by);
						}
						continue;
					}
					for (int64_t i = 0; i < cols; i++) {
						out[i] = result[r * PANEL + i] * by;
					}
				}
			}
		}
	}
}
