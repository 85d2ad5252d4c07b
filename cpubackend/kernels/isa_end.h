// The end of what isa.h begins.

#if defined(TARGET) && defined(__clang__)
#pragma clang attribute pop
#endif
