// fetch_experts: the weight of each expert that has rows, read from its file into panels
// at `weight`. A piece is row_block rows of one expert, whole panels. The file is read and
// not mapped, so that one that is cut short meanwhile ends no program.

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cpu.h"

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

// read_all reads n bytes and returns 0 if there are not as many.
static int read_all(int file, char *to, int64_t n, int64_t at) {
	while (n > 0) {
		ssize_t got = pread(file, to, (size_t)n, (off_t)at);
		if (got < 0 && errno == EINTR) {
			continue;
		}
		if (got <= 0) {
			return 0;
		}
		to += got, at += got, n -= got;
	}
	return 1;
}

void fetch_experts(const struct op *o, int64_t piece, float *scratch) {
	const struct experts *e = o->experts;
	const struct in_file *f = e->in_file;
	int64_t blocks = (o->cols + o->row_block - 1) / o->row_block;
	int64_t expert = piece / blocks, first = piece % blocks * o->row_block;
	if (e->start[expert] == e->start[expert + 1]) {
		return;
	}
	int64_t rows = least(o->row_block, o->cols - first), panel = f->kernels->panel;
	if (!read_all(f->file, (char *)scratch, rows * f->row, f->first + expert * f->apart + first * f->row)) {
		__atomic_store_n(f->failed, 1, __ATOMIC_RELAXED);
		return;
	}
	int64_t packed = kernels_packed_bytes(f->kernels, o->dtype, o->inner);
	char *to = (char *)o->weight + expert * e->stride + first * packed;
	memset(to, 0, (size_t)((rows + panel - 1) / panel * panel * packed));
	kernels_pack(f->kernels, o->dtype, scratch, rows, o->inner, to);
}
