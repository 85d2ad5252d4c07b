// disentangled: attention whose scores know the distance of two rows, out =
// softmax(scale·(q·k + q·a + k·b))·v with the rows a and b of two tables that belong to
// the distance; x is q, y is k, z is v, gain and bias are the tables [inner, heads·size],
// either of which may be missing, and index has the table's row for each distance, the
// distance 0 in the middle at reach. A piece is one span, as in attention.
//
// The rows of growing distances never fall. So what a tile of queries or of keys has to be
// multiplied with is one stretch of a table, about as long as the text at most. Small
// distances have rows of their own, one after the other: what belongs to them is moved in
// whole vectors.

// TURNED rows and columns of products are transposed at once.
enum { TURNED = 8 };

// by_distance multiplies m rows with rows first..last of a packed table.
INLINE void by_distance(const float *a, int64_t ld, int64_t m, int64_t size, const float *table, int64_t first, int64_t last,
	float *line, int64_t width) {
	const int64_t from = first / PANEL * PANEL, panels = (last - from) / PANEL + 1, each = pieces_of(m, pieces_of(m, MR));
	for (int64_t r = 0; r < m; r += each) {
		several(least(each, m - r), size, a + r * ld, ld, table + from * size, PANEL * size, panels, NULL, 0, line + r * width + from, width);
	}
}

// stretch are distances, first..last, around 0, each of which has the row after that of
// the one before.
struct stretch {
	int64_t first, last;
};

INLINE struct stretch own_rows(const int32_t *rows, int64_t lowest, int64_t highest) {
	struct stretch s = {0, 0};
	while (s.first > lowest && rows[s.first - 1] == rows[s.first] - 1) {
		s.first--;
	}
	while (s.last < highest && rows[s.last + 1] == rows[s.last] + 1) {
		s.last++;
	}
	return s;
}

// add_row adds what a query has for the distance of each of n keys to its scores: its
// products with the rows of the table are line, the last row, end, first.
INLINE void add_row(float *score, const float *line, const int32_t *rows, int64_t query, int64_t n, int64_t end, struct stretch own) {
	int64_t from = greatest(0, query - own.last), to = greatest(from, least(n, query - own.first + 1)), j = 0;
	for (; j < from; j++) {
		score[j] += line[end - rows[query - j]];
	}
	const float *side = line + end - rows[query - from] - from; // of key 0, if it were near
	for (; j + VW <= to; j += VW) {
		store(score + j, load(score + j) + load(side + j));
	}
	for (; j < n; j++) {
		score[j] += line[end - rows[query - j]];
	}
}

// put_keys sets of_keys [queries, wide] to what up to TURNED keys have for each of n
// queries. Their products with the rows of the table are line, of which zero belongs to
// row 0; key is the distance from the first key to the first query.
INLINE void put_keys(float *of_keys, int64_t wide, const float *line, int64_t width, const int32_t *rows, int64_t zero, int64_t keys,
	int64_t key, int64_t n, struct stretch own) {
	int64_t i = 0;
	while (i < n) {
		int64_t some = least(TURNED, n - i);
#if defined(HAVE_AVX2) || defined(HAVE_AVX512)
		const int64_t at = key + i;
		if (some == TURNED && keys == TURNED && at - TURNED + 1 >= own.first && at + TURNED - 1 <= own.last) {
			__m256i v[TURNED], turned[TURNED];
			UNROLL for (int r = 0; r < TURNED; r++) {
				v[r] = _mm256_loadu_si256((const __m256i *)(line + r * width + rows[at - r] - zero));
			}
			turn(v, turned);
			UNROLL for (int r = 0; r < TURNED; r++) {
				_mm256_storeu_si256((__m256i *)(of_keys + (i + r) * wide), turned[r]);
			}
			i += TURNED;
			continue;
		}
#endif
		for (; some > 0; some--, i++) {
			for (int64_t r = 0; r < keys; r++) {
				of_keys[i * wide + r] = line[r * width + rows[key + i - r] - zero];
			}
		}
	}
}

static void disentangled(const struct op *o, int64_t piece, float *scratch) {
	const struct span s = o->spans[piece];
	int64_t n = s.end - s.start, size = o->cols / o->heads, ld = o->cols;
	int64_t wide = panels_up(n), across = panels_up(size), width = panels_up(o->inner);
	float *keys = scratch, *values = keys + wide * size, *scores = values + n * across, *result = scores + MR * wide;
	float *for_queries = result + MR * across, *for_keys = for_queries + width * size;
	float *line = for_keys + width * size, *of_keys = line + greatest(MR, TURNED) * width; // of_keys: [queries of the span, keys]

	const int32_t *rows = o->index + o->reach; // by distance
	int64_t lowest = rows[s.first - (s.end - 1)], count = rows[s.last - 1 - s.start] - lowest + 1, end = lowest + count - 1;
	const struct stretch own = own_rows(rows, s.first - (s.end - 1), s.last - 1 - s.start);

	for (int64_t h = s.head; h < s.head_end; h++) {
		const float *q = o->x + h * size, *k = o->y + h * size;
		pack_keys(k + s.start * ld, ld, n, size, keys);
		pack_values(o->z + s.start * ld + h * size, ld, n, size, values);
		if (o->gain != NULL) { // the last row first: the distances of the keys of a query fall
			pack_keys(o->gain + end * ld + h * size, -ld, count, size, for_queries);
		}
		if (o->bias != NULL) {
			pack_keys(o->bias + lowest * ld + h * size, ld, count, size, for_keys);
			for (int64_t j = s.start; j < s.end; j += TURNED) {
				int64_t m = least(TURNED, s.end - j);
				by_distance(k + j * ld, ld, m, size, for_keys, rows[s.first - (j + m - 1)] - lowest, rows[s.last - 1 - j] - lowest, line, width);
				put_keys(of_keys + j - s.start, wide, line, width, rows, lowest, m, s.first - j, s.last - s.first, own);
			}
		}
		for (int64_t row = s.first; row < s.last; row += MR) {
			int64_t m = least(MR, s.last - row);
			several(m, size, q + row * ld, ld, keys, PANEL * size, wide / PANEL, NULL, 0, scores, wide);
			if (o->gain != NULL) {
				by_distance(q + row * ld, ld, m, size, for_queries, end - rows[row + m - 1 - s.start], end - rows[row - (s.end - 1)], line, width);
			}
			float sum[MR];
			for (int64_t r = 0; r < m; r++) {
				float *score = scores + r * wide;
				if (o->gain != NULL) {
					add_row(score, line + r * width, rows, row + r - s.start, n, end, own);
				}
				float top;
				if (o->bias != NULL) {
					top = add_bias(score, n, 1, of_keys + (row + r - s.first) * wide, -INFINITY);
				} else {
					top = largest_of_scores(score, n, -INFINITY);
				}
				sum[r] = weights_of(score, n, top, o->scale * LOG2E);
			}
			several(m, n, scores, wide, values, n * PANEL, across / PANEL, NULL, 0, result, across);
			for (int64_t r = 0; r < m; r++) {
				put_sums(result + r * across, sum[r], size, o->out + (row + r) * ld + h * size);
			}
		}
	}
}
