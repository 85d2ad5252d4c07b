#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/mman.h>

#include "cpu.h"

enum { LARGE_PAGE = 2 << 20 };

// Large pieces start on a large page, or the system could not use one there.
static size_t slack(size_t bytes) { return bytes >= LARGE_PAGE ? LARGE_PAGE : 0; }

void *memory_map(size_t bytes) {
	if (bytes > SIZE_MAX - LARGE_PAGE) {
		return NULL;
	}
	size_t extra = slack(bytes);
	char *p = mmap(NULL, bytes + extra, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
	if (p == MAP_FAILED) {
		return NULL;
	}
	if (extra == 0) {
		return p;
	}
	char *start = (char *)(((uintptr_t)p + LARGE_PAGE - 1) & ~(uintptr_t)(LARGE_PAGE - 1));
	size_t before = start - p;
	if (before > 0) {
		munmap(p, before);
	}
	size_t page = 64 << 10; // a multiple of every page size
	size_t end = (bytes + page - 1) & ~(page - 1);
	if (extra - before > end - bytes) {
		munmap(start + end, extra - before - (end - bytes));
	}
#ifdef MADV_HUGEPAGE
	madvise(start, bytes, MADV_HUGEPAGE);
#endif
	return start;
}

void memory_unmap(void *p, size_t bytes) {
	size_t page = 64 << 10;
	if (bytes >= LARGE_PAGE) {
		bytes = (bytes + page - 1) & ~(page - 1);
	}
	munmap(p, bytes);
}
