// quantize_x: x in levels, for the products with weights in block types. A piece
// covers row_block rows.
//
// Runs are stored in the order in which the tiles of linear read them: tile by tile
// of as many rows as tile_of says, in a tile run by run, and for
// each run the rows of the tile.

#if !defined(HAVE_FEW)
INLINE int64_t tile_of(int form, int64_t rows) {
	(void)rows; // tiles are as high for any number of rows
	return form ? WIDE_ROWS : MR;
}
#endif

static void quantize_x(const struct op *o, int64_t piece, float *scratch) {
	(void)scratch;
	int64_t runs = o->inner / RUN, end = least((piece + 1) * o->row_block, o->rows);
	for (int64_t r = piece * o->row_block; r < end; r++) {
		int64_t high = tile_of(o->form, o->rows), tile = r / high * high, rows = least(high, o->rows - tile);
		const float *x = o->x + (o->slot != NULL ? o->slot[r] / o->experts->share : r) * o->inner;
		int64_t at = tile * runs + r - tile;
		if (o->form) {
			quantize_wide(x, RUN, runs, o->rows, (struct x_wide *)o->levels + at, rows);
			continue;
		}
		for (int64_t k = 0; k < runs; k++, at += rows) {
			quantize_run(x + k * RUN, (struct x_run *)o->levels + at);
		}
	}
}
