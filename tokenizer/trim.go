package tokenizer

// #include <stdlib.h>
// #ifdef __GLIBC__
// #include <malloc.h>
// #endif
//
// // glibc keeps freed memory for later use, a copy or two of the vocabulary
// // after a load and all of it after a close. Other C libraries do not.
// static void release(void) {
// #ifdef __GLIBC__
// 	malloc_trim(0);
// #endif
// }
import "C"

// releaseMemory returns memory that the library has freed back to the system.
func releaseMemory() { C.release() }
