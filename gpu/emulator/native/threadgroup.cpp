#include "threadgroup.h"
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace emu {

__thread Running *running;

void stop(const char *format, ...) {
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    Threadgroup *t = current();
    if (t->error->empty()) *t->error = std::string(t->entry->name) + ": " + text;
    void *abandoned;
    emulator_switch(&abandoned, t->caller);
    abort();
}

// ---- which lane runs next

static unsigned draw(Threadgroup *t) {
    t->random = t->random * 1664525u + 1013904223u;
    return t->random >> 16;
}

// pick chooses one of the lanes in a mask that is not empty.
static unsigned pick(Threadgroup *t, uint32_t mask) {
    switch (t->order) {
    case REVERSE:
        return 31 - __builtin_clz(mask);
    case SHUFFLED: {
        const unsigned from = draw(t) & 31;
        const uint32_t above = mask >> from << from;
        return __builtin_ctz(above ? above : mask);
    }
    default:
        return __builtin_ctz(mask);
    }
}

// switch_lane continues another lane that can run, or else the caller of run.
static void switch_lane() {
    Threadgroup *t = current();
    const unsigned me = t->index();
    unsigned g = t->order == SHUFFLED ? draw(t) % t->simdgroups : t->simdgroup;
    for (unsigned i = 0; i < t->simdgroups; i++) {
        if (const uint32_t ready = t->sg[g].ready) {
            t->simdgroup = g;
            t->lane = pick(t, ready);
            if (t->index() != me) emulator_switch(&t->fiber[me], t->fiber[t->index()]);
            return;
        }
        if (t->order == REVERSE) g = g ? g - 1 : t->simdgroups - 1;
        else g = g + 1 == t->simdgroups ? 0 : g + 1;
    }
    if (t->finished == t->lanes) {
        emulator_switch(&t->fiber[me], t->caller);
        return;
    }
    std::string waiting;
    for (unsigned l = 0; l < t->lanes && waiting.size() < 300; l++) {
        if (!t->waits_at[l]) continue;
        waiting += (waiting.empty() ? "lane " : ", lane ") + std::to_string(l) + " at " + t->waits_at[l];
        l += 15;
    }
    stop("divergence: %u of %u lanes have returned, the others wait for each other (%s)", t->finished, t->lanes, waiting.c_str());
}

// ---- barriers and exchanges

static inline uint32_t all(unsigned lanes) { return lanes == 32 ? ~0u : (1u << lanes) - 1; }

void *exchange(const void *mine, unsigned size, Collective kind, void (*reduce)(char *, unsigned), unsigned fences) {
    Threadgroup *t = current();
    Simdgroup &s = t->sg[t->simdgroup];
    const unsigned l = t->lane, generation = s.generation, me = t->index();
    char *slots = s.slots[generation & 1];
    switch (size) { // what a float and an element of a matrix take without a call
    case 0: break;
    case 4: memcpy(slots + l * SLOT, mine, 4); break;
    case 24: memcpy(slots + l * SLOT, mine, 24); break;
    default: memcpy(slots + l * SLOT, mine, size);
    }
    if (s.arrived == 0) s.kind = kind;
    else if (s.kind != kind) stop("divergence: lanes of simdgroup %u meet in different operations", t->simdgroup);
    if (++s.arrived == s.lanes) {
        s.arrived = 0;
        s.generation++;
        if (reduce) reduce(slots, s.lanes);
        s.fenced_threadgroup += fences & FENCE_THREADGROUP ? 1 : 0;
        s.fenced_device += fences & FENCE_DEVICE ? 1 : 0;
        s.ready |= s.waiting;
        s.waiting = 0;
    } else {
        s.ready &= ~(1u << l);
        s.waiting |= 1u << l;
        t->waits_at[me] = "an operation of its simdgroup";
        while (s.generation == generation) switch_lane();
        t->waits_at[me] = nullptr;
    }
    return slots;
}

void threadgroup_barrier(unsigned fences) {
    Threadgroup *t = current();
    const unsigned l = t->lane, generation = t->generation, me = t->index();
    if (t->arrived == 0) t->fences = fences;
    else if (t->fences != fences) stop("divergence: lanes meet in threadgroup barriers with different flags");
    if (++t->arrived == t->lanes) {
        t->arrived = 0;
        t->generation++;
        t->fenced_threadgroup += fences & FENCE_THREADGROUP ? 1 : 0;
        t->fenced_device += fences & FENCE_DEVICE ? 1 : 0;
        for (unsigned g = 0; g < t->simdgroups; g++) t->sg[g].ready = all(t->sg[g].lanes);
    } else {
        t->sg[t->simdgroup].ready &= ~(1u << l);
        t->waits_at[me] = "threadgroup_barrier";
        while (t->generation == generation) switch_lane();
        t->waits_at[me] = nullptr;
    }
}

// ---- one threadgroup from start to end

// lane_main runs a lane from its first to its last instruction.
static void lane_main() {
    Threadgroup *t = current();
    Position p = t->position;
    const unsigned me = t->index();
    const U3 size = p.threads_per_threadgroup, group = p.threadgroup_position_in_grid;
    const U3 at = {me % size.x, me / size.x % size.y, me / (size.x * size.y)};
    p.thread_position_in_threadgroup = at;
    p.thread_position_in_grid = {group.x * size.x + at.x, group.y * size.y + at.y, group.z * size.z + at.z};
    p.thread_index_in_threadgroup = {me, 0, 0};
    p.thread_index_in_simdgroup = {t->lane, 0, 0};
    p.simdgroup_index_in_threadgroup = {t->simdgroup, 0, 0};
    t->entry->run(p, t->buffers, t->memories);
    t->sg[t->simdgroup].ready &= ~(1u << t->lane);
    t->finished++;
    switch_lane();
    abort(); // not reached: no lane switches to one that has returned
}

Threadgroup *new_threadgroup() {
    void *stacks = mmap(nullptr, STACK * MAX_LANES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stacks == MAP_FAILED) return nullptr;
    Threadgroup *t = new Threadgroup();
    t->stacks = (char *) stacks;
    return t;
}

// forget makes the address sanitizer forget the frames of earlier lanes, whose functions
// never return.
static void forget(Threadgroup *t) {
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(t->stacks, STACK * t->lanes);
#else
    (void) t;
#endif
}

void run(Threadgroup *t) {
    forget(t);
    t->arrived = t->generation = t->finished = 0;
    t->fenced_threadgroup = t->fenced_device = 0;
    for (unsigned g = 0; g < t->simdgroups; g++) {
        Simdgroup &s = t->sg[g];
        s.lanes = t->lanes - g * 32 < 32 ? t->lanes - g * 32 : 32;
        s.arrived = s.generation = s.waiting = 0;
        s.fenced_threadgroup = s.fenced_device = 0;
        s.ready = all(s.lanes);
    }
    for (unsigned l = 0; l < t->lanes; l++) {
        t->waits_at[l] = nullptr;
        t->fiber[l] = first_frame(t->stacks + STACK * (l + 1), lane_main);
    }
    t->simdgroup = t->order == REVERSE ? t->simdgroups - 1 : 0;
    t->lane = pick(t, t->sg[t->simdgroup].ready);
    running = t;
    emulator_switch(&t->caller, t->fiber[t->index()]);
    running = nullptr;
}

} // namespace emu
