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
extern const struct named_kernel halves_amx[];

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

// has_amx asks the system for tiles as well: they are 8 KiB of registers, which it keeps
// for threads of a process that it permitted to have them.
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

static int has_amx(void) {
	enum { PERMIT = 0x1023, TILES = 18 }; // ARCH_REQ_XCOMP_PERM, XTILEDATA
	enum { WANTED = 1 << 22 | 1 << 24 };       // tiles, and their products of BF16
	unsigned a, b, c, d;
	return has_avx512vnni() && __builtin_cpu_supports("avx512bf16") &&
	       __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & WANTED) == WANTED &&
	       syscall(SYS_arch_prctl, PERMIT, TILES) == 0;
}
#else
static int has_amx(void) { return 0; }
#endif
#endif

#if defined(__aarch64__)
extern const struct block_kernels blocks_dotprod, blocks_i8mm;

#if defined(__linux__)
#include <sys/auxv.h>
static int has_dotprod(void) { return (getauxval(AT_HWCAP) & 1 << 20) != 0; }
static int has_i8mm(void) { return has_dotprod() && (getauxval(AT_HWCAP2) & 1 << 13) != 0; }
#elif defined(__APPLE__)
#include <sys/sysctl.h>
static int has_dotprod(void) { return 1; } // every Mac with arm64 has them
static int has_i8mm(void) { // from the M2 on
	int has = 0;
	size_t size = sizeof has;
	return sysctlbyname("hw.optional.arm.FEAT_I8MM", &has, &size, NULL, 0) == 0 && has != 0;
}
#else
static int has_dotprod(void) { return 0; }
static int has_i8mm(void) { return 0; }
#endif
#endif

// sets are the instruction sets, best first.
static const struct {
	const char *name;
	int (*usable)(void);
	const struct kernels *kernels;
	const struct block_kernels *blocks;
	const struct named_kernel *more; // NULL: none
} sets[] = {
#if defined(__x86_64__)
	{"amx", has_amx, &kernels_avx512, &blocks_avx512vnni, halves_amx},
	{"avx512vnni", has_avx512vnni, &kernels_avx512, &blocks_avx512vnni, NULL},
	{"avx512", has_avx512, &kernels_avx512, &blocks_avx512, NULL},
	{"avxvnni", has_avxvnni, &kernels_avx2, &blocks_avxvnni, NULL},
	{"avx2", has_avx2, &kernels_avx2, &blocks_avx2, NULL},
#endif
#if defined(__aarch64__)
	{"i8mm", has_i8mm, &kernels_generic, &blocks_i8mm, NULL},
	{"dotprod", has_dotprod, &kernels_generic, &blocks_dotprod, NULL},
#endif
	{"generic", always, &kernels_generic, &blocks_generic, NULL},
};

enum { SETS = sizeof sets / sizeof *sets };

// tables holds the kernels of each set, with its block kernels filled in.
static struct kernels tables[SETS];

static void put_together(void) {
	for (int i = 0; i < SETS; i++) {
		tables[i] = *sets[i].kernels;
		tables[i].blocks = *sets[i].blocks;
		tables[i].more = sets[i].more;
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
	const struct named_kernel *lists[] = {k->named, k->blocks.named, k->more};
	for (int l = 0; l < 3; l++) {
		for (const struct named_kernel *n = lists[l]; n != NULL && n->name != NULL; n++) {
			if (i-- == 0) {
				return *n;
			}
		}
	}
	return (struct named_kernel){NULL, NULL};
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
