// disentangled: attention whose scores know the distance of two rows, out =
// softmax(scale·(q·k + q·a + k·b))·v with the rows a and b of two tables that belong to
// the distance; x is q, y is k, z is v, gain and bias are the tables [inner, heads·size],
// either of which may be missing, and index has the table's row for each distance, the
// distance 0 in the middle at reach. A piece is one span, as in attention.
//
// The rows of growing distances never fall. So what a tile of queries or of keys has to be
// multiplied with is one stretch of a table, about as long as the text at most.

// by_distance multiplies m rows with rows first..last of a packed table.
INLINE void by_distance(const float *a, int64_t ld, int64_t m, int64_t size, const float *table, int64_t first, int64_t last,
	float *line, int64_t width) {
	const float zeros[PANEL] = {0};
	for (int64_t c = first / PANEL * PANEL; c <= last; c += PANEL) {
		const char *panel = (const char *)(table + c * size);
		strip(DTYPE_F32, m, size, a, ld, panel, zeros, 0, line + c, width, panel);
	}
}

static void disentangled(const struct op *o, int64_t piece, float *scratch) {
	const struct span s = o->spans[piece];
	int64_t n = s.end - s.start, size = o->cols / o->heads, ld = o->cols;
	int64_t wide = panels_up(n), across = panels_up(size), width = panels_up(o->inner);
	float *keys = scratch, *values = keys + wide * size, *scores = values + n * across, *result = scores + MR * wide;
	float *for_queries = result + MR * across, *for_keys = for_queries + width * size;
	float *line = for_keys + width * size, *of_keys = line + MR * width; // of_keys: [queries of the span, keys]
	const float zeros[PANEL] = {0};

	const int32_t *rows = o->index + o->reach; // by distance
	int64_t lowest = rows[s.first - (s.end - 1)], count = rows[s.last - 1 - s.start] - lowest + 1;

	for (int64_t h = s.head; h < s.head_end; h++) {
		const float *q = o->x + h * size, *k = o->y + h * size;
		pack_keys(k + s.start * ld, ld, n, size, keys);
		pack_values(o->z + s.start * ld + h * size, ld, n, size, values);
		if (o->gain != NULL) {
			pack_keys(o->gain + lowest * ld + h * size, ld, count, size, for_queries);
		}
		if (o->bias != NULL) {
			pack_keys(o->bias + lowest * ld + h * size, ld, count, size, for_keys);
			for (int64_t j = s.start; j < s.end; j += MR) {
				int64_t m = least(MR, s.end - j);
				by_distance(k + j * ld, ld, m, size, for_keys, rows[s.first - (j + m - 1)] - lowest, rows[s.last - 1 - j] - lowest, line, width);
				for (int64_t r = 0; r < m; r++) {
					for (int64_t i = s.first; i < s.last; i++) {
						of_keys[(i - s.first) * wide + j + r - s.start] = line[r * width + rows[i - (j + r)] - lowest];
					}
				}
			}
		}
		for (int64_t row = s.first; row < s.last; row += MR) {
			int64_t m = least(MR, s.last - row);
			for (int64_t c = 0; c < n; c += PANEL) {
				const char *panel = (const char *)(keys + c * size);
				strip(DTYPE_F32, m, size, q + row * ld, ld, panel, zeros, 0, scores + c, wide, panel);
			}
			if (o->gain != NULL) {
				by_distance(q + row * ld, ld, m, size, for_queries, rows[row - (s.end - 1)] - lowest, rows[row + m - 1 - s.start] - lowest, line, width);
			}
			float sum[MR];
			for (int64_t r = 0; r < m; r++) {
				float *score = scores + r * wide;
				const int32_t *at = rows + row + r - s.start; // of the first key
				if (o->gain != NULL) {
					const float *from = line + r * width;
					for (int64_t j = 0; j < n; j++) {
						score[j] += from[at[-j] - lowest];
					}
				}
				if (o->bias != NULL) {
					const float *from = of_keys + (row + r - s.first) * wide;
					for (int64_t j = 0; j < n; j++) {
						score[j] += from[j];
					}
				}
				sum[r] = soften(score, n, o->scale, NULL);
			}
			for (int64_t c = 0; c < size; c += PANEL) {
				const char *panel = (const char *)(values + c * n);
				strip(DTYPE_F32, m, n, scores, wide, panel, zeros, 0, result, PANEL, panel);
				int64_t cols = least(PANEL, size - c);
				for (int64_t r = 0; r < m; r++) {
					float *out = o->out + (row + r) * ld + h * size + c;
					float by = 1 / sum[r];
					for (int64_t i = 0; i < cols; i++) {
						out[i] = result[r * PANEL + i] * by;
					}
				}
			}
		}
	}
}
