// Which kernels this machine can run.

#include <pthread.h>
#include <string.h>

#include "cpu.h"

extern const struct kernels kernels_generic;
extern const struct block_kernels blocks_generic;

static int always(void) { return 1; }

#if defined(__x86_64__)
#include <cpuid.h>

extern const struct kernels kernels_avx2, kernels_avx512;
extern const struct block_kernels blocks_avx2, blocks_avxvnni, blocks_avx512, blocks_avx512vnni;

// AVX2 implies that the system saves the wide registers; F16C has a bit of its own.
static int has_f16c(void) {
	unsigned a, b, c, d;
	return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}

static int has_avx2(void) {
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c();
}

static int has_avxvnni(void) {
	unsigned a, b, c, d;
	return has_avx2() && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1 << 4);
}

static int has_avx512(void) {
	return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

static int has_avx512vnni(void) { return has_avx512() && __builtin_cpu_supports("avx512vnni"); }
#endif

#if defined(__aarch64__)
extern const struct block_kernels blocks_dotprod;

#if defined(__linux__)
#include <sys/auxv.h>
static int has_dotprod(void) { return (getauxval(AT_HWCAP) & 1 << 20) != 0; }
#elif defined(__APPLE__)
static int has_dotprod(void) { return 1; } // every Mac with arm64 has them
#else
static int has_dotprod(void) { return 0; }
#endif
#endif

// sets are the instruction sets, best first.
static const struct {
	const char *name;
	int (*usable)(void);
	const struct kernels *kernels;
	const struct block_kernels *blocks;
} sets[] = {
#if defined(__x86_64__)
	{"avx512vnni", has_avx512vnni, &kernels_avx512, &blocks_avx512vnni},
	{"avx512", has_avx512, &kernels_avx512, &blocks_avx512},
	{"avxvnni", has_avxvnni, &kernels_avx2, &blocks_avxvnni},
	{"avx2", has_avx2, &kernels_avx2, &blocks_avx2},
#endif
#if defined(__aarch64__)
	{"dotprod", has_dotprod, &kernels_generic, &blocks_dotprod},
#endif
	{"generic", always, &kernels_generic, &blocks_generic},
};

enum { SETS = sizeof sets / sizeof *sets };

// tables holds the kernels of each set, with its block kernels filled in.
static struct kernels tables[SETS];

static void put_together(void) {
	for (int i = 0; i < SETS; i++) {
		tables[i] = *sets[i].kernels;
		tables[i].blocks = *sets[i].blocks;
	}
}

const char *kernels_name(int i) { return i < SETS ? sets[i].name : NULL; }

const struct kernels *kernels_of(const char *name) {
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, put_together);
	for (int i = 0; i < SETS; i++) {
		if (strcmp(name, sets[i].name) == 0) {
			return sets[i].usable() ? &tables[i] : NULL;
		}
	}
	return NULL;
}

struct named_kernel kernels_named(const struct kernels *k, int i) {
	int first = 0;
	while (k->named[first].name != NULL) {
		first++;
	}
	return i < first ? k->named[i] : k->blocks.named[i - first];
}

static int in_blocks(int dtype) { return dtype > DTYPE_I32; }

void kernels_pack(const struct kernels *k, int dtype, const void *w, int64_t rows, int64_t inner, void *panels) {
	(in_blocks(dtype) ? k->blocks.pack : k->pack)(dtype, w, rows, inner, panels);
}

int64_t kernels_packed_bytes(const struct kernels *k, int dtype, int64_t inner) {
	if (in_blocks(dtype)) {
		return k->blocks.packed_bytes(dtype, inner);
	}
	return inner * (dtype == DTYPE_F32 ? 4 : 2);
}

int kernels_x_form(const struct kernels *k, int dtype) { return k->blocks.x_form(dtype); }

void kernels_widen(const struct kernels *k, int dtype, const void *from, int64_t n, float *to) {
	(in_blocks(dtype) ? k->blocks.widen : k->widen)(dtype, from, n, to);
}
