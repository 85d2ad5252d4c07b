// The dot products of one instruction set, and those that were compiled in.

#include <stdint.h>

// scanner has the functions of scan.h.
struct scanner {
	void (*floats)(float *out, const float *query, const float *rows, int64_t n, int64_t dimension);
	void (*bytes)(float *out, const float *query, const int8_t *rows, int64_t n, int64_t dimension, int64_t stride);
	void (*bits)(int32_t *out, int32_t *ones, const uint64_t *planes, const uint8_t *rows, int64_t n, int64_t words, int64_t stride);
};

extern const struct scanner scan_generic;
#if defined(__x86_64__)
extern const struct scanner scan_avx2, scan_avx512;
#endif
