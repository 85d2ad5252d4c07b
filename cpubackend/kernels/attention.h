// attention: out = softmax(scale·q·kᵀ + bias)·v per head and text; x is q, y is
// k, z is v, all [rows, heads·size]. A row sees those near it. A piece is one span: some queries and some
// heads of one text. It goes through the keys that its queries see, col_block at a time, with a running
// maximum (Milakov and Gimelshein 2018, arXiv:1805.02867): packed into panels, they stay in
// the second-level cache, and the scores of a tile of queries in the first. How the work was cut into
// spans does not show in a result: keys are cut at multiples of col_block, or, where all that a span
// sees fits, not at all.

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

// largest_of_scores returns the largest of n scores and of `so_far`.
INLINE float largest_of_scores(const float *s, int64_t n, float so_far) {
	vf top = splat(so_far);
	int64_t whole = n / VW * VW;
	for (int64_t i = 0; i < whole; i += VW) {
		top = larger(top, load(s + i));
	}
	float largest = largest_of(top);
	for (int64_t i = whole; i < n; i++) {
		largest = s[i] > largest ? s[i] : largest;
	}
	return largest;
}

// add_bias sets n scores to scale·s + bias and returns what largest_of_scores does.
INLINE float add_bias(float *s, int64_t n, float scale, const float *bias, float so_far) {
	vf top = splat(so_far);
	int64_t whole = n / VW * VW;
	for (int64_t i = 0; i < whole; i += VW) {
		vf v = muladd(load(s + i), splat(scale), load(bias + i));
		store(s + i, v);
		top = larger(top, v);
	}
	for (int64_t i = whole; i < n; i++) {
		s[i] = s[i] * scale + bias[i];
	}
	return largest_of_scores(s + whole, n - whole, largest_of(top));
}

// fade does the same with -slope·distance for a bias; the first score is that of the key at
// distance `at`.
INLINE float fade(float *s, int64_t n, float scale, float slope, int64_t at, float so_far) {
	vf top = splat(so_far), distance;
	for (int i = 0; i < VW; i++) {
		distance[i] = (float)(at + i);
	}
	int64_t whole = n / VW * VW;
	for (int64_t i = 0; i < whole; i += VW, distance += (float)VW) {
		vf v = muladd(load(s + i), splat(scale), larger(distance, -distance) * -slope);
		store(s + i, v);
		top = larger(top, v);
	}
	for (int64_t i = whole; i < n; i++) {
		s[i] = s[i] * scale - slope * (float)(at + i < 0 ? -(at + i) : at + i);
	}
	return largest_of_scores(s + whole, n - whole, largest_of(top));
}

// seen is what a row sees, as rows of the batch.
struct seen {
	int32_t first, last;
};

// seen_by returns what a row of a head sees of its text.
INLINE struct seen seen_by(const struct op *o, const struct span *s, int64_t h, int64_t row) {
	int64_t before = o->before, after = o->after;
	if (o->sight != NULL) {
		int64_t far = o->sight[h * o->rows + row];
		before = least(before, far);
		after = least(after, far);
	}
	return (struct seen){(int32_t)greatest(s->start, row - before), (int32_t)least(s->end, row + after + 1)};
}

// tile_of is what a tile of queries works on.
struct tile_of {
	const struct op *o;
	int64_t head, size, across; // across: size, in whole panels
	float *scores;              // [MR, col_block]
	const float *keys, *values; // panels of the keys in use
	const float *bias;          // by distance, distance 0 at its place, or NULL
};

// attend_keys adds what m queries from `row` on see of the n keys from `key` on to their sums.
INLINE void attend_keys(const struct tile_of *t, const struct seen *sees, int64_t row, int64_t m, int64_t key, int64_t n,
	float *sums, float *largest, float *total) {
	const struct op *o = t->o;
	int64_t from = n, to = 0; // of these keys
	for (int64_t r = 0; r < m; r++) {
		from = least(from, sees[r].first - key);
		to = greatest(to, least(n, sees[r].last - key));
	}
	if (from >= to) {
		return;
	}
	from = greatest(from, 0) / PANEL * PANEL;
	several(m, t->size, o->x + row * o->cols + t->head * t->size, o->cols, t->keys + from * t->size, PANEL * t->size, pieces_of(to - from, PANEL),
		NULL, 0, t->scores + from, o->col_block);
	const float by = t->bias != NULL || o->gain != NULL ? LOG2E : o->scale * LOG2E;
	int begun = 0; // whether there are sums
	for (int64_t r = 0; r < m; r++) {
		float *score = t->scores + r * o->col_block;
		int64_t first = least(to, greatest(from, sees[r].first - key)), last = greatest(first, least(to, sees[r].last - key));
		memset(score + from, 0, 4 * (first - from));
		memset(score + last, 0, 4 * (to - last));
		begun |= total[r] != 0;
		if (first == last) {
			continue;
		}
		float top;
		score += first;
		if (t->bias != NULL) {
			top = add_bias(score, last - first, o->scale, t->bias + key + first - (row + r), largest[r]);
		} else if (o->gain != NULL) {
			top = fade(score, last - first, o->scale, o->gain[t->head], key + first - (row + r), largest[r]);
		} else {
			top = largest_of_scores(score, last - first, largest[r]);
		}
		if (total[r] != 0 && top != largest[r]) {
			float less = exp2_of(larger(splat(-126), splat((largest[r] - top) * by)))[0];
			total[r] *= less;
			for (int64_t i = 0; i < t->across; i += VW) {
				store(sums + r * t->across + i, load(sums + r * t->across + i) * less);
			}
		}
		largest[r] = top;
		total[r] += weights_of(score, last - first, top, by);
	}
	several(m, to - from, t->scores + from, o->col_block, t->values + from * PANEL, n * PANEL, t->across / PANEL,
		sums, begun ? t->across : 0, sums, t->across);
}

// bias_line returns head h's bias by distance, distance 0 at its place, for the
// distances 1-n..n-1, or NULL without bias.
INLINE const float *bias_line(const struct op *o, int64_t n, int64_t h, float *line) {
	if (o->bias == NULL) {
		return NULL;
	}
	for (int64_t d = 1 - n; d < n; d++) {
		line[n - 1 + d] = o->bias[o->buckets[o->reach + d] * o->heads + h];
	}
	return line + n - 1;
}

// put_sums divides the sums of a row by their total into the result.
INLINE void put_sums(const float *sums, float total, int64_t size, float *out) {
	float by = 1 / total;
	int64_t whole = size / VW * VW;
	for (int64_t i = 0; i < whole; i += VW) {
		store(out + i, load(sums + i) * by);
	}
	for (int64_t i = whole; i < size; i++) {
		out[i] = sums[i] * by;
	}
}

// Scratch holds, in floats: keys and values, the scores of a tile; of each query sums, largest and total,
// and what it sees, in two; the bias by distance.
static void attention(const struct op *o, int64_t piece, float *scratch) {
	const struct span s = o->spans[piece];
	int64_t size = o->cols / o->heads, ld = o->cols, across = panels_up(size), together = o->col_block, queries = s.last - s.first;
	float *keys = scratch, *values = keys + together * size, *scores = values + together * across;
	float *sums = scores + MR * together, *largest = sums + queries * across, *total = largest + queries, *line = total + 3 * queries;
	struct seen *sees = (struct seen *)(total + queries);
	struct tile_of t = {.o = o, .size = size, .across = across, .scores = scores, .keys = keys, .values = values};

	for (int64_t h = s.head; h < s.head_end; h++) {
		t.head = h;
		t.bias = bias_line(o, s.end - s.start, h, line);
		int64_t low = s.end, high = s.start; // what its queries see
		for (int64_t r = 0; r < queries; r++) {
			sees[r] = seen_by(o, &s, h, s.first + r);
			low = least(low, sees[r].first);
			high = greatest(high, sees[r].last);
			largest[r] = -INFINITY;
			total[r] = 0;
		}
		const int limited = o->sight == NULL && o->before + o->after < together; // then all fits
		for (int64_t block = limited ? low : s.start + (low - s.start) / together * together; block < high; block += together) {
			int64_t key = block + greatest(0, low - block) / PANEL * PANEL, n = least(high, block + together) - key;
			pack_keys(o->y + key * ld + h * size, ld, n, size, keys);
			pack_values(o->z + key * ld + h * size, ld, n, size, values);
			for (int64_t r = 0; r < queries; r += MR) {
				attend_keys(&t, sees + r, s.first + r, least(MR, queries - r), key, n, sums + r * across, largest + r, total + r);
			}
		}
		for (int64_t r = 0; r < queries; r++) {
			put_sums(sums + r * across, total[r], size, o->out + (s.first + r) * ld + h * size);
		}
	}
}
