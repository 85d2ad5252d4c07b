// experts: the products of the rows of each expert with its weight, as linear computes
// them. Three records: the slots are sorted by expert, the rows of x are gathered in that
// order, and each expert multiplies its rows, whose results go back to their slots.

#include "experts_of.h"

// sort_slots fills the lists of o->experts from routes x [rows, 2·slots]. It keeps the
// order of an expert's slots.
static void sort_slots(const struct op *o, int64_t piece, float *scratch) {
	(void)piece, (void)scratch;
	const struct experts *e = o->experts;
	int32_t *start = e->start;
	memset(start, 0, 4 * (e->count + 1));
	for (int64_t r = 0; r < o->rows; r++) {
		for (int64_t s = 0; s < e->slots; s++) {
			start[(int32_t)o->x[r * 2 * e->slots + s] + 1]++;
		}
	}
	for (int64_t i = 0; i < e->count; i++) {
		start[i + 1] += start[i];
	}
	for (int64_t r = 0; r < o->rows; r++) {
		for (int64_t s = 0; s < e->slots; s++) {
			e->slot[start[(int32_t)o->x[r * 2 * e->slots + s]]++] = (int32_t)(r * e->slots + s);
		}
	}
	memmove(start + 1, start, 4 * e->count); // each start has moved to the next one
	start[0] = 0;
}

// gather_rows copies the rows of x [.., inner] to levels, sorted. A piece is a block of
// the rows of one expert.
static void gather_rows(const struct op *o, int64_t piece, float *scratch) {
	(void)scratch;
	const struct experts *e = o->experts;
	int64_t expert = piece / e->blocks, first = e->start[expert] + piece % e->blocks * o->row_block;
	int64_t end = least(first + o->row_block, e->start[expert + 1]);
	for (int64_t i = first; i < end; i++) {
		memcpy((float *)o->levels + i * o->inner, o->x + e->slot[i] / e->share * o->inner, 4 * o->inner);
	}
}

static void experts(const struct op *o, int64_t piece, float *scratch) {
	struct op one;
	int64_t expert = expert_of(o, piece);
	if (expert_op(o, expert, &one)) {
		one.x = (const float *)o->levels + o->experts->start[expert] * o->inner;
		EXPERT_BLOCKS(linear, one, piece, scratch);
	}
}
