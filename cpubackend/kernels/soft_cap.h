// soft_cap: out = scale·tanh(x/scale). A piece covers row_block rows.

static void soft_cap(const struct op *o, int64_t piece, float *scratch) {
	(void)scratch;
	int64_t i = piece * o->row_block * o->cols;
	int64_t end = least((piece + 1) * o->row_block, o->rows) * o->cols;
	for (; i + VW <= end; i += VW) {
		store(o->out + i, o->scale * tanh_of(load(o->x + i) / o->scale));
	}
	if (i < end) {
		store_part(o->out + i, o->scale * tanh_of(load_part(o->x + i, end - i) / o->scale), end - i);
	}
}
