// Switching between fibers: push the registers that a called function must preserve,
// exchange the stack pointers, and pop the other fiber's registers.
#pragma once
#include <cstddef>

// emulator_switch stores this fiber's stack pointer in *save and continues the fiber
// with stack pointer to.
extern "C" void emulator_switch(void **save, void *to);

namespace emu {

// STACK is no power of two. With one, all stacks would begin in the same sets of the
// cache, and switching would be eight times slower.
#if defined(__SANITIZE_ADDRESS__)
const size_t STACK = 4 * 385 * 64; // the sanitizer's frames are larger
#else
const size_t STACK = 385 * 64;
#endif

// first_frame prepares a stack, given its end. Switching to the pointer that it returns
// calls main, which must not return.
inline void *first_frame(char *end, void (*main)()) {
    void **sp = (void **) end;
#if defined(__x86_64__)
    *--sp = nullptr; // main's return address, which keeps the stack aligned as after a call
    *--sp = (void *) main;
    return sp - 6;
#else
    sp -= 20;
    sp[11] = (void *) main; // the link register
    return sp;
#endif
}

} // namespace emu
