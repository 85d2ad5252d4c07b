// The emulator of threadgroups: what the kernels see of it (through
// shim/cpu/metal_stdlib and their entries), and what Go calls.
//
// A lane is a fiber with its own stack. It lets another lane of the threadgroup run
// only at barriers and at operations of a simdgroup. The caller chooses the order:
// forward, reverse or shuffled.
#pragma once
#include <cstddef>
#include <cstdint>

namespace emu {

struct U3 { uint32_t x, y, z; };

// Position has one field for each of Metal's attributes, with the attribute's name.
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

// Argument converts to the pointer or reference that the kernel's parameter is.
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
// Constant is the variable in which one file of kernels keeps a function constant.
struct Constant { int index; int32_t *value; };
// Register adds the entries and constants of one file to those that can be launched.
// Its lists end with zeros.
struct Register { Register(const Entry *, const Constant *); };

// ---- called by lanes

enum Fence : unsigned { FENCE_NONE = 0, FENCE_DEVICE = 1, FENCE_THREADGROUP = 2 };

// Collective is an operation that the lanes of a simdgroup do together. All lanes must
// do the same one.
enum Collective { SUM, MAX, MIN, SHUFFLE, PREFIX, VOTE, MULTIPLY, LOAD, STORE, BARRIER };

const unsigned SLOT = 32; // bytes that a lane can pass to the others

// Running is what lanes look up often, so it must be cheap to reach.
struct Running {
    unsigned lane; // in its simdgroup
    bool lax;      // reductions of a simdgroup pass over NaN
};
// running is that of the threadgroup that this thread emulates. The TLS model makes it
// reachable without a call.
extern __thread Running *running __attribute__((tls_model("initial-exec")));
inline unsigned lane() { return running->lane; }
inline bool lax() { return running->lax; }

// exchange waits for all lanes of the simdgroup and returns their 32 slots. The last
// lane to arrive runs reduce on them before any other continues.
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
    uint32_t check; // 1: check every access, in a library that was built for it
    uint32_t processors;
    uint32_t lax; // 1: denormals of float become zero, and reductions of a simdgroup pass over NaN
};
// emulator_run runs one dispatch. It returns 0, or 1 with a sentence in message.
EMULATOR_EXPORT int emulator_run(const emulator_launch *launch, char *message, uint64_t size);
// emulator_has returns 1 if there is a kernel of that name, else 0.
EMULATOR_EXPORT int emulator_has(const char *kernel);
// emulator_checks returns 1 if the kernels were compiled for check, else 0.
EMULATOR_EXPORT int emulator_checks(void);
}
