#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <string.h>
#include <sys/mman.h>

#include "cpu.h"

#if defined(__SANITIZE_ADDRESS__)

// Under the address sanitizer, memory comes from its heap, which knows to the byte
// where each allocation ends.
#include <stdlib.h>

void *memory_map(size_t bytes) {
	void *p = NULL;
	if (bytes > PTRDIFF_MAX || posix_memalign(&p, 64, bytes) != 0) {
		return NULL;
	}
	return memset(p, 0, bytes);
}

void memory_unmap(void *p, size_t bytes) {
	(void)bytes;
	free(p);
}

#else

enum { LARGE_PAGE = 2 << 20, PIECE = 64 << 10 }; // a piece is a multiple of every system's page

// whole rounds a size up to what memory_map maps for it and memory_unmap unmaps.
static size_t whole(size_t bytes) { return (bytes + PIECE - 1) & ~(size_t)(PIECE - 1); }

void *memory_map(size_t bytes) {
	if (bytes > SIZE_MAX - LARGE_PAGE - PIECE) {
		return NULL;
	}
	size_t size = whole(bytes);
	// Large memory starts at a multiple of the large page, or the system could not use one.
	size_t extra = bytes >= LARGE_PAGE ? LARGE_PAGE : 0;
	char *p = mmap(NULL, size + extra, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
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
	munmap(start + size, extra - before); // before < extra
#ifdef MADV_HUGEPAGE
	madvise(start, size, MADV_HUGEPAGE);
#endif
	return start;
}

void memory_unmap(void *p, size_t bytes) { munmap(p, whole(bytes)); }

#endif
