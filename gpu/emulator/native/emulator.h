// The emulator of threadgroups: what the kernels see of it (through
// shim/cpu/metal_stdlib and their entries), and what Go calls.
//
// A lane is a fiber with a stack of its own. Barriers and operations of a
// simdgroup are the only points at which another lane of the threadgroup goes
// on, in an order that the caller chooses: forward, reverse or shuffled.
#pragma once
#include <cstddef>
#include <cstdint>

namespace emu {

struct U3 { uint32_t x, y, z; };

// Position has a field for every attribute of that name.
struct Position {
    U3 thread_position_in_grid, threads_per_grid;
    U3 thread_position_in_threadgroup, threads_per_threadgroup;
    U3 threadgroup_position_in_grid, threadgroups_per_grid;
    U3 thread_index_in_threadgroup, thread_index_in_simdgroup;
    U3 simdgroup_index_in_threadgroup, simdgroups_per_threadgroup;
};

template <class T> struct PositionAs { static T from(U3 u) { return T(u.x); } };
template <class T> T position(U3 u) { return PositionAs<T>::from(u); }

template <class T> struct IsPointer { static const bool value = false; };
template <class T> struct IsPointer<T *> { static const bool value = true; };
template <bool B> struct Enable {};
template <> struct Enable<true> { typedef int type; };

// Argument becomes whatever pointer or reference the kernel's parameter is.
struct Argument {
    void *p;
    template <class T> operator T *() const { return (T *) p; }
    template <class T, typename Enable<!IsPointer<T>::value>::type = 0> operator T &() const { return *(T *) p; }
};

// Entry is one kernel. The masks have a bit for each index.
struct Entry {
    const char *name;
    void (*run)(const Position &, void **buffers, void **threadgroups);
    uint32_t buffers, written, threadgroups;
};
// Constant is where one file of kernels keeps a function constant.
struct Constant { int index; int32_t *value; };
// Register makes the entries of one file known; its lists end with zeros.
struct Register { Register(const Entry *, const Constant *); };

// ---- called by lanes

enum Fence : unsigned { FENCE_NONE = 0, FENCE_DEVICE = 1, FENCE_THREADGROUP = 2 };

// Operations that the lanes of a simdgroup do together; all have to do the same.
enum Collective { SUM, MAX, MIN, SHUFFLE, PREFIX, VOTE, MULTIPLY, LOAD, STORE, BARRIER };

const unsigned SLOT = 32; // bytes that a lane can hand to the others

// Running is what a lane has to know at every turn, cheaply.
struct Running {
    unsigned lane; // in its simdgroup
};
// running belongs to the threadgroup that this thread emulates. It lies where
// the first libraries' variables of a thread are, which takes no call to find.
extern __thread Running *running __attribute__((tls_model("initial-exec")));
inline unsigned lane() { return running->lane; }

// exchange waits for all lanes of the simdgroup and returns their 32 slots. The
// lane that comes last runs reduce on them, before any other goes on.
void *exchange(const void *mine, unsigned size, Collective kind, void (*reduce)(char *slots, unsigned lanes) = nullptr, unsigned fences = 0);
void threadgroup_barrier(unsigned fences);

} // namespace emu

// ---- called by Go

#define EMULATOR_EXPORT __attribute__((visibility("default")))

extern "C" {
struct emulator_buffer { void *data; uint64_t length; };
struct emulator_launch {
    const char *kernel;
    uint32_t groups[3], threads[3];
    const emulator_buffer *buffers; // by index; data is null where a kernel has none
    uint32_t buffer_count;
    const uint32_t *threadgroups; // bytes by index
    uint32_t threadgroup_count;
    const int32_t *constants; // pairs of index and value
    uint32_t constant_count;
    uint32_t order; // 0 forward, 1 reverse, 2 shuffled
    uint32_t check; // 1: races, bounds, uninitialised threadgroup memory; a library built for it only
    uint32_t processors;
};
// emulator_run runs one dispatch. It returns 0, or 1 with a sentence in message.
EMULATOR_EXPORT int emulator_run(const emulator_launch *launch, char *message, uint64_t size);
// emulator_checks tells whether the kernels were compiled for check.
EMULATOR_EXPORT int emulator_checks(void);
}
