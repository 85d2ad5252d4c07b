// delta_rule: for each head and row S = decay·S + k·(β·(v - decay·Sᵀk))ᵀ and
// out = Sᵀq. The columns of a state do not depend on each other. So a piece takes
// ABREAST columns of one head through all rows, in scratch that stays in the nearest
// cache. A state is [size, columns of the head].

enum { SPAN = 4, ABREAST = SPAN * VW }; // vectors and columns of a piece

INLINE float square_sum(const float *x, int64_t n) {
	vf sum = {0};
	int64_t i = 0;
	for (; i + VW <= n; i += VW) {
		vf v = load(x + i);
		sum = muladd(v, v, sum);
	}
	if (i < n) {
		vf v = load_part(x + i, n - i);
		sum = muladd(v, v, sum);
	}
	return sum_of(sum);
}

// scaled copies x times a factor.
INLINE void scaled(const float *x, int64_t n, float by, float *to) {
	for (int64_t i = 0; i < n; i++) {
		to[i] = x[i] * by;
	}
}

// decay_of returns e^(rate·softplus(a + shift)).
INLINE float decay_of(const struct op *o, int64_t head, float a) {
	float x = a + o->bias[head], rate = o->gain[head];
	if (o->recurrent->log_rates) {
		rate = -expf(rate);
	}
	return expf(rate * (x > 20 ? x : log1pf(expf(x))));
}

// delta_row moves the state [size, ABREAST] on by one row of q and k, and of ABREAST
// values v, of which it leaves the result in v.
INLINE void delta_row(float *state, const float *q, const float *k, int64_t size, float decay, float beta, float *v) {
	vf found[SPAN] = {{0}}, out[SPAN] = {{0}};
	for (int64_t i = 0; i < size; i++) {
		UNROLL for (int j = 0; j < SPAN; j++) {
			found[j] = muladd(splat(k[i]), load(state + i * ABREAST + j * VW), found[j]);
		}
	}
	UNROLL for (int j = 0; j < SPAN; j++) {
		found[j] = beta * (load(v + j * VW) - decay * found[j]);
	}
	for (int64_t i = 0; i < size; i++) {
		UNROLL for (int j = 0; j < SPAN; j++) {
			vf s = muladd(splat(k[i]), found[j], decay * load(state + i * ABREAST + j * VW));
			store(state + i * ABREAST + j * VW, s);
			out[j] = muladd(splat(q[i]), s, out[j]);
		}
	}
	UNROLL for (int j = 0; j < SPAN; j++) {
		store(v + j * VW, out[j]);
	}
}

static void delta_rule(const struct op *o, int64_t piece, float *scratch) {
	const struct recurrent *c = o->recurrent;
	int64_t size = c->size, value = o->cols / o->heads, across = pieces_of(value, ABREAST);
	int64_t head = piece / across, col = piece % across * ABREAST, n = least(ABREAST, value - col);
	int64_t key = c->tiled ? head % c->key_heads : head / (o->heads / c->key_heads);
	int64_t keys = c->key_heads * size, line = 2 * keys + o->cols, at = head * size * value + col;
	float *q = scratch, *k = q + size, *state = k + size, v[ABREAST] = {0};
	memset(state, 0, 4 * size * ABREAST);
	for (int64_t i = 0; i < size && c->from != NULL; i++) {
		memcpy(state + i * ABREAST, c->from + at + i * value, 4 * n);
	}
	for (int64_t r = 0; r < o->rows; r++) {
		const float *x = o->x + r * line;
		scaled(x + key * size, size, 1 / sqrtf((square_sum(x + key * size, size) + o->epsilon) * size), q);
		x += keys;
		scaled(x + key * size, size, 1 / sqrtf(square_sum(x + key * size, size) + o->epsilon), k);
		memcpy(v, x + keys + head * value + col, 4 * n);
		float decay = decay_of(o, head, o->y[r * o->heads + head]);
		float beta = 1 / (1 + expf(-o->z[r * o->heads + head]));
		delta_row(state, q, k, size, decay, beta, v);
		memcpy(o->out + r * o->cols + head * value + col, v, 4 * n);
		memset(v + n, 0, 4 * (ABREAST - n));
	}
	for (int64_t i = 0; i < size; i++) {
		memcpy(c->to + at + i * value, state + i * ABREAST, 4 * n);
	}
}
