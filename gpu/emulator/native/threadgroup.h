// One threadgroup at work: its lanes, which of them can run, and what the others wait
// for.
#pragma once
#include "emulator.h"
#include "switch.h"
#include <string>

namespace emu {

const unsigned MAX_LANES = 1024, MAX_BUFFERS = 31, MAX_MEMORIES = 31, MAX_MEMORY_BYTES = 32768;

struct Simdgroup {
    alignas(64) char slots[2][32 * SLOT]; // of this exchange and of the one before, which slow lanes still read
    unsigned lanes, arrived, generation;
    Collective kind;
    uint32_t ready, waiting; // a bit for each lane
    unsigned fenced_threadgroup, fenced_device; // barriers of this simdgroup so far, for the check
};

enum Order : uint32_t { FORWARD, REVERSE, SHUFFLED };

struct Threadgroup : Running {
    const Entry *entry;
    void **buffers, **memories;
    Position position; // what all lanes share
    Order order;
    uint32_t random;
    std::string *error;

    unsigned number; // in the grid
    unsigned lanes, simdgroups, finished;
    unsigned simdgroup; // whose lane runs
    unsigned arrived, generation, fences;
    unsigned fenced_threadgroup, fenced_device;
    Simdgroup sg[MAX_LANES / 32];

    void *caller, *fiber[MAX_LANES]; // stack pointers
    const char *waits_at[MAX_LANES];
    char *stacks;

    alignas(64) char own[MAX_MEMORY_BYTES + 64 * MAX_MEMORIES]; // its threadgroup memory

    unsigned index() const { return simdgroup * 32 + lane; } // of the lane that runs
};

// current is the threadgroup that this thread emulates, or null.
inline Threadgroup *current() { return static_cast<Threadgroup *>(running); }

Threadgroup *new_threadgroup();
// run runs all lanes to their ends, or to the first error.
void run(Threadgroup *);
// stop stores the message and ends the threadgroup; its lanes stay where they are.
[[noreturn]] void stop(const char *format, ...);

} // namespace emu
