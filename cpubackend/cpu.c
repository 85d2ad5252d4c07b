// Which kernels this machine can run.

#include <string.h>

#include "cpu.h"

extern const struct kernels kernels_generic;

#if defined(__x86_64__)
#include <cpuid.h>

extern const struct kernels kernels_avx2, kernels_avx512;

// AVX2 implies that the system saves the wide registers; F16C has a bit of its own.
static int has_f16c(void) {
	unsigned a, b, c, d;
	return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}

static int has_avx2(void) {
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c();
}

static int has_avx512(void) {
	return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

const struct kernels *kernels_of(const char *name) {
#if defined(__x86_64__)
	if (strcmp(name, "avx512") == 0) {
		return has_avx512() ? &kernels_avx512 : NULL;
	}
	if (strcmp(name, "avx2") == 0) {
		return has_avx2() ? &kernels_avx2 : NULL;
	}
#endif
	return strcmp(name, "generic") == 0 ? &kernels_generic : NULL;
}

void kernels_pack(const struct kernels *k, int dtype, const void *w, int64_t rows, int64_t inner, void *panels) {
	k->pack(dtype, w, rows, inner, panels);
}

int64_t kernels_packed_bytes(const struct kernels *k, int dtype, int64_t inner) {
	return k->packed_bytes(dtype, inner);
}

int kernels_x_form(const struct kernels *k, int dtype, int64_t rows) { return k->x_form(dtype, rows); }

void kernels_widen(const struct kernels *k, int dtype, const void *from, int64_t n, float *to) {
	k->widen(dtype, from, n, to);
}
