// causal_attention: softmax(scale·q·kᵀ + bias)·v over the rows of a cache up to
// each query's own, or in cross attention over all that the cache holds, with a running maximum (Milakov and Gimelshein 2018,
// arXiv:1805.02867; Dao et al. 2022, arXiv:2205.14135), so that scratch does not
// grow with the cache.
//
// A piece is some queries of the heads that share one key and value head, and
// one range of keys. Its rows are the queries, each with the heads of its group
// one after the other. With several ranges, a piece stores its sums, and
// causal_merge adds them in order.

// STEP keys are scored at once, a multiple of KEYS. Pieces of up to DIRECT rows
// read the caches without unpacking them.
#ifdef SLOW_HALVES
enum { STEP = 128, DIRECT = MR };
#else
enum { STEP = 128, DIRECT = 2 * MR };
#endif

// rows_at is what a piece works on.
struct rows_at {
	const struct op *o;
	const struct causal *c;
	int64_t group, head;   // heads that share the key and value head; the first of them
	int64_t first, n;      // queries of the piece, as rows of q
	int64_t across;        // size, up to a multiple of KEYS
	float *q, *sums;       // [n·group, size] and [n·group, across]
	float *largest, *total; // one a row
	float *scores;         // [n·group, STEP]
	float *keys, *values;  // panels of STEP keys and values
};

// is_shaped reports whether scores need more than a scale.
INLINE int is_shaped(const struct causal *c) { return c->cap > 0 || c->slopes != NULL || c->relative != NULL; }

// by_of returns the factor of the scores inside 2^x.
INLINE float by_of(const struct op *o) {
	return !is_shaped(o->causal) ? o->scale * LOG2E : LOG2E;
}

INLINE float exp2_one(float x) { return exp2_of(larger(splat(-126), splat(x)))[0]; }

INLINE vf round_bf16(vf v) {
	vu u = (vu)v;
	return (vf)((u + 0x7fffu + (u >> 16 & 1u)) & 0xffff0000u);
}

// bias_of returns the bias of a head with that slope for the VW keys from position
// `key` on, minus its bias for the first position of this pass. A term that all
// scores of a query share does not change their softmax, but costs digits.
INLINE vf bias_of(const struct causal *c, float slope, int64_t key) {
	vf lane;
	for (int i = 0; i < VW; i++) {
		lane[i] = i;
	}
	if (c->round_bias) {
		return (round_bf16((lane + (float)key) * slope) - round_bf16(splat(slope * (float)c->past))) * c->bias_scale;
	}
	return (lane + (float)(key - c->past)) * slope * c->bias_scale;
}

// relative_of returns a head's biases for the VW keys from position `key` on; those
// behind the query's own position count as that.
INLINE vf relative_of(const struct causal *c, int64_t heads, int64_t head, int64_t own, int64_t key) {
	vf bias;
	for (int i = 0; i < VW; i++) {
		int64_t back = own - key - i;
		bias[i] = c->relative[c->buckets[back > 0 ? back : 0] * heads + head];
	}
	return bias;
}

// shape_scores applies scale, bound and bias to VW scores, for models that have more
// than a scale.
INLINE vf shape_scores(const struct op *o, vf s, float slope, int64_t head, int64_t own, int64_t key) {
	const struct causal *c = o->causal;
	s *= o->scale;
	if (c->cap > 0) {
		s = c->cap * tanh_of(s / c->cap);
	}
	if (c->relative != NULL) {
		return s + relative_of(c, o->heads, head, own, key);
	}
	return c->slopes != NULL ? s + bias_of(c, slope, key) : s;
}

// weigh turns row r's scores of the n keys from position `key` on into weights
// e^(s - largest so far), or 0 for keys that the row's query does not see. If the
// largest score grows, the sums so far are scaled to the new one.
static void weigh(const struct rows_at *w, int64_t r, int64_t key, int64_t n) {
	const struct causal *c = w->c;
	int64_t own = c->past + w->first + r / w->group; // the query's position
	int64_t from = own - c->window + 1 - key, to = least(n, own + 1 - key);
	float *s = w->scores + r * STEP;
	from = from > 0 ? least(from, n) : 0;
	to = to > from ? to : from;
	for (int64_t i = 0; i < from; i++) {
		s[i] = 0;
	}
	for (int64_t i = to; i < n; i++) {
		s[i] = 0;
	}
	if (from == to) {
		return;
	}
	const int shaped = is_shaped(c);
	int64_t head = w->head + r % w->group;
	float slope = c->slopes != NULL ? c->slopes[head] : 0;
	int64_t whole = from + (to - from) / VW * VW, rest = to - whole;
	vf top = splat(w->largest[r]);
	for (int64_t i = from; i < whole; i += VW) {
		vf v = load(s + i);
		if (shaped) {
			v = shape_scores(w->o, v, slope, head, own, key + i);
			store(s + i, v);
		}
		top = larger(top, v);
	}
	float largest = largest_of(top);
	if (rest > 0) {
		vf v = load_part(s + whole, rest);
		if (shaped) {
			v = shape_scores(w->o, v, slope, head, own, key + whole);
			store_part(s + whole, v, rest);
		}
		for (int64_t i = 0; i < rest; i++) {
			largest = v[i] > largest ? v[i] : largest;
		}
	}
	const float by = by_of(w->o), total = weights_of(s + from, to - from, largest, by);
	if (largest != w->largest[r]) {
		float less = exp2_one((w->largest[r] - largest) * by);
		w->total[r] *= less;
		for (int64_t i = 0; i < w->across; i += VW) {
			store(w->sums + r * w->across + i, load(w->sums + r * w->across + i) * less);
		}
		w->largest[r] = largest;
	}
	w->total[r] += total;
}

// unpack_as widens n keys and values of one head from position `key` on.
INLINE void unpack_as(const int dtype, const struct rows_at *w, int64_t head, int64_t key, int64_t n) {
	const struct causal *c = w->c;
	int64_t cols = c->kv_heads * c->size, bytes = block_bytes(dtype, cols);
	for (int64_t k = 0; k < n; k += KEYS) {
		int64_t at = (key + k) / KEYS * bytes;
		unpack_keys(dtype, c->keys + at, cols, head, c->size, w->keys + k * c->size);
		unpack_values(dtype, c->values + at, least(KEYS, n - k), cols, head, c->size, STEP, w->values + k * PANEL);
	}
}

static void unpack(const struct rows_at *w, int64_t head, int64_t key, int64_t n) {
	switch (w->c->dtype) {
	case DTYPE_F16:
		unpack_as(DTYPE_F16, w, head, key, n);
		break;
	case DTYPE_Q8_0:
		unpack_as(DTYPE_Q8_0, w, head, key, n);
		break;
	default:
		unpack_as(DTYPE_F32, w, head, key, n);
	}
}

// attend_widened adds the n keys from position `key` on to the sums. It widens keys
// and values once, which pays with many rows.
static void attend_widened(const struct rows_at *w, int64_t key, int64_t n) {
	const float zeros[PANEL] = {0};
	int64_t rows = w->n * w->group, size = w->c->size;
	unpack(w, w->head / w->group, key, n);
	for (int64_t k = 0; k < n; k += PANEL) {
		// queries before these keys do not see them
		int64_t before = key + k - w->c->past - w->first, skip = before > 0 ? before * w->group : 0;
		const char *panel = (const char *)(w->keys + k * size);
		strip(DTYPE_F32, rows - skip, size, w->q + skip * size, size, panel, zeros, 0, w->scores + skip * STEP + k, STEP, panel);
	}
	for (int64_t r = 0; r < rows; r++) {
		weigh(w, r, key, n);
	}
	enum { SOME = 2 * MR }; // rows that stop at the same key
	for (int64_t c = 0; c < size; c += PANEL) {
		const char *panel = (const char *)(w->values + c * STEP);
		for (int64_t r = 0; r < rows; r += SOME) {
			int64_t m = least(SOME, rows - r);
			int64_t seen = least(n, w->c->past + w->first + (r + m - 1) / w->group + 1 - key);
			if (seen > 0) {
				float *sums = w->sums + r * w->across + c;
				strip(DTYPE_F32, m, seen, w->scores + r * STEP, STEP, panel, sums, w->across, sums, w->across, panel);
			}
		}
	}
}

// score multiplies all rows with the keys of a block: `chunk` bytes from `keys` on.
INLINE void score(const struct rows_at *w, const char *keys, const uint16_t *scales, int64_t chunk, float *scores, const char *ahead) {
	int64_t rows = w->n * w->group, size = w->c->size;
	if (w->c->dtype != DTYPE_Q8_0) {
		products(w->c->dtype, rows, size, w->q, size, keys, KEYS, KEYS, NULL, 0, scores, STEP, ahead, chunk);
		return;
	}
	for (int64_t c = 0; c < size; c += QUANTS, scales += KEYS) {
		const char *levels = keys + c * KEYS;
		products(DTYPE_Q8_0, rows, QUANTS, w->q + c, size, levels, KEYS, KEYS, scales, c > 0, scores, STEP, ahead + c * KEYS, QUANTS * KEYS);
	}
}

// gather adds the first n values of a block, `chunk` bytes from `values` on, to
// the sums, each times its weight.
INLINE void gather(const struct rows_at *w, int64_t n, const char *values, const uint16_t *scales, int64_t chunk, const float *weights, const char *ahead) {
	int64_t rows = w->n * w->group, size = w->c->size;
	if (w->c->dtype != DTYPE_Q8_0) {
		products(w->c->dtype, rows, n, weights, STEP, values, size, size, NULL, 1, w->sums, w->across, ahead, chunk);
		return;
	}
	float scaled[DIRECT * KEYS];
	for (int64_t c = 0; c < size; c += QUANTS, scales += KEYS) {
		for (int64_t r = 0; r < rows; r++) {
			UNROLL for (int k = 0; k < KEYS; k += VW) {
				store(scaled + r * KEYS + k, load(weights + r * STEP + k) * from_f16(scales + k));
			}
		}
		products(DTYPE_Q8_0, rows, n, scaled, KEYS, values + c, size, QUANTS, NULL, 1, w->sums + c, w->across, ahead + c * KEYS, QUANTS * KEYS);
	}
}

// attend_direct does the same for few rows, straight from the caches. It reads each
// of their bytes once and fetches what comes next meanwhile.
static void attend_direct(const struct rows_at *w, int64_t key, int64_t n) {
	const struct causal *c = w->c;
	int64_t cols = c->kv_heads * c->size, bytes = block_bytes(c->dtype, cols), first = w->head / w->group * c->size;
	int64_t chunk = c->size * KEYS * cached_size(c->dtype), at = first * KEYS * cached_size(c->dtype);
	int64_t scales = KEYS * cols + first / QUANTS * KEYS * 2; // where they lie in a block of Q8_0
	const char *keys = c->keys + key / KEYS * bytes, *values = c->values + key / KEYS * bytes;
	for (int64_t k = 0; k < n; k += KEYS, keys += bytes) {
		const char *ahead = k + KEYS < n ? keys + bytes : values;
		score(w, keys + at, (const uint16_t *)(keys + scales), chunk, w->scores + k, ahead + at);
	}
	for (int64_t r = 0; r < w->n * w->group; r++) {
		weigh(w, r, key, n);
	}
	for (int64_t k = 0; k < n; k += KEYS, values += bytes) {
		const char *ahead = k + KEYS < n ? values + bytes : keys;
		gather(w, least(KEYS, n - k), values + at, (const uint16_t *)(values + scales), chunk, w->scores + k, ahead + at);
	}
}

// attend adds the n keys from position `key` on, a multiple of KEYS, to the sums.
static void attend(const struct rows_at *w, int64_t key, int64_t n) {
	if (w->n * w->group > DIRECT || (w->c->dtype == DTYPE_Q8_0 && w->c->size % QUANTS != 0)) {
		attend_widened(w, key, n);
	} else {
		attend_direct(w, key, n);
	}
}

static void causal_attention(const struct op *o, int64_t piece, float *scratch) {
	const struct causal *c = o->causal;
	int64_t blocks = pieces_of(o->rows, c->queries), range = piece % c->ranges;
	int64_t head = piece / c->ranges % c->kv_heads;
	int64_t block = blocks - 1 - piece / c->ranges / c->kv_heads; // the last ones see most: they come first
	int64_t group = o->heads / c->kv_heads, size = c->size;
	struct rows_at w = {.o = o, .c = c, .group = group, .head = head * group, .across = pieces_of(size, KEYS) * KEYS};
	w.first = block * c->queries;
	w.n = least(c->queries, o->rows - w.first);
	int64_t rows = w.n * group;
	w.q = scratch;
	w.sums = w.q + rows * size;
	w.scores = w.sums + rows * w.across;
	w.keys = w.scores + rows * STEP;
	w.values = w.keys + STEP * size;
	w.largest = w.values + STEP * w.across;
	w.total = w.largest + rows;

	const int sinks = c->sinks != NULL && range == 0; // the first range begins with their weight
	for (int64_t r = 0; r < rows; r++) {
		memcpy(w.q + r * size, o->x + (w.first + r / group) * o->cols + (w.head + r % group) * size, 4 * size);
		w.largest[r] = sinks ? c->sinks[w.head + r % group] * (LOG2E / by_of(o)) : -INFINITY;
		w.total[r] = sinks;
	}
	memset(w.sums, 0, 4 * rows * w.across);
	int64_t from = c->first_key + range * c->range;
	int64_t to = least(from + c->range, least(c->past + w.first + w.n, c->held));
	int64_t hidden = c->past + w.first - c->window + 1; // keys that the window hides from all queries here
	if (hidden > from) {
		from = hidden / KEYS * KEYS;
	}
	for (int64_t key = from; key < to; key += STEP) {
		attend(&w, key, least(STEP, to - key));
	}
	for (int64_t r = 0; r < rows; r++) {
		int64_t row = (w.first + r / group) * o->heads + w.head + r % group; // of [rows·heads, size]
		const float *sums = w.sums + r * w.across;
		if (c->ranges > 1) {
			float *part = c->parts + (range * o->rows * o->heads + row) * (size + 2);
			memcpy(part, sums, 4 * size);
			part[size] = w.largest[r];
			part[size + 1] = w.total[r];
			continue;
		}
		float by = 1 / w.total[r];
		for (int64_t i = 0; i < size; i++) {
			o->out[row * size + i] = sums[i] * by;
		}
	}
}

// causal_merge: out = the sums of all ranges, scaled to the same largest score,
// divided by their total. A row of the operation is one head of a query.
static void causal_merge(const struct op *o, int64_t piece, float *scratch) {
	(void)scratch;
	const struct causal *c = o->causal;
	int64_t size = o->cols, apart = o->rows * (size + 2);
	float by = by_of(o);
	int64_t end = least((piece + 1) * o->row_block, o->rows);
	for (int64_t r = piece * o->row_block; r < end; r++) {
		const float *part = c->parts + r * (size + 2);
		float *out = o->out + r * size, largest = -INFINITY, total = 0;
		for (int64_t i = 0; i < c->ranges; i++) {
			largest = part[i * apart + size] > largest ? part[i * apart + size] : largest;
		}
		memset(out, 0, 4 * size);
		for (int64_t i = 0; i < c->ranges; i++) {
			float less = exp2_one((part[i * apart + size] - largest) * by);
			total += part[i * apart + size + 1] * less;
			for (int64_t j = 0; j < size; j++) {
				out[j] += part[i * apart + j] * less;
			}
		}
		for (int64_t j = 0; j < size; j++) {
			out[j] /= total;
		}
	}
}
