// The check of every access that kernels make to buffers and threadgroup memory. It
// finds races, accesses out of bounds, writes to read-only buffers and reads of
// threadgroup memory that was never written.
//
// Kernels for it are compiled with -fsanitize=thread but linked with this file instead
// of that sanitizer's library. The compiler then calls us at each access, and we know
// which lane makes it.
#pragma once
#include "threadgroup.h"
#include <vector>

namespace emu {

// Access is a lane and the number of barriers that it had passed.
struct Access {
    uint32_t group = 0; // number of the threadgroup + 1, 0 for none, MANY for several
    uint16_t simdgroup = 0, lane = 0; // or SEVERAL
    uint32_t fences = 0, simdgroup_fences = 0;
};
const uint32_t MANY = ~0u;
const uint16_t SEVERAL = 0xffff;

struct Cell { Access write, read; };

// Region is memory of the check with invalid memory on both sides. Arguments that
// overlap share a region.
struct Region {
    char *start;
    std::vector<Cell> cells; // for each byte its last write and read
};

// Range is one argument of the launch.
struct Range {
    char *start;
    uint64_t length;
    bool threadgroup, writable;
    unsigned index;
    Region *region;
    const char *kind() const { return threadgroup ? "threadgroup memory" : "buffer"; }
};

// Check keeps the arguments of one launch. Only one exists at a time.
class Check {
public:
    Check();
    ~Check();
    // take copies the buffers into regions, moves the pointers there, and makes
    // threadgroup memory. It returns false if there is no memory for that.
    bool take(const emulator_launch *, const Entry *, void **buffers, char **memories);
    // bring_back copies what the kernel may have written back to the caller's buffers.
    void bring_back(const emulator_launch *, const Entry *, void **buffers);

private:
    Region *reserve(uint64_t bytes, uint64_t alignment_of);
    char *memory = nullptr, *next = nullptr;
    uint64_t size = 0;
};

} // namespace emu
