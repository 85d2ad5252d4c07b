// One launch, from its arguments to its last threadgroup.
#include "check.h"
#include <atomic>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

namespace emu {

// ---- what the files of kernels registered

static std::map<std::string, const Entry *> &entries() {
    static std::map<std::string, const Entry *> known;
    return known;
}
static std::multimap<int, int32_t *> &constants() {
    static std::multimap<int, int32_t *> known;
    return known;
}

Register::Register(const Entry *entry, const Constant *constant) {
    for (; entry->name; entry++) entries()[entry->name] = entry;
    for (; constant->value; constant++) constants().emplace(constant->index, constant->value);
}

// ---- threadgroups keep their stacks from launch to launch

static std::mutex idle_lock;
static std::vector<Threadgroup *> idle;

static Threadgroup *borrow() {
    std::lock_guard<std::mutex> hold(idle_lock);
    if (idle.empty()) return new_threadgroup();
    Threadgroup *t = idle.back();
    idle.pop_back();
    return t;
}
static void give_back(Threadgroup *t) {
    std::lock_guard<std::mutex> hold(idle_lock);
    idle.push_back(t);
}

// ---- one launch

struct Work {
    const emulator_launch *launch;
    const Entry *entry;
    void *buffers[MAX_BUFFERS];
    char *placed[MAX_MEMORIES]; // threadgroup memory that the check made, else null
    std::atomic<uint64_t> next{0};
    std::atomic<bool> failed{false};
};

static unsigned lanes_of(const emulator_launch *l) { return l->threads[0] * l->threads[1] * l->threads[2]; }

// FlushesDenormals makes this thread's arithmetic of float read and write denormals
// as zeros, while it lives.
class FlushesDenormals {
#if defined(__x86_64__)
    typedef unsigned Word;
    static const Word bits = 0x8040; // FTZ and DAZ
    static Word get() { return __builtin_ia32_stmxcsr(); }
    static void set(Word w) { __builtin_ia32_ldmxcsr(w); }
#else
    typedef uint64_t Word;
    static const Word bits = 1 << 24; // FZ
    static Word get() {
        Word w;
        asm volatile("mrs %0, fpcr" : "=r"(w));
        return w;
    }
    static void set(Word w) { asm volatile("msr fpcr, %0" : : "r"(w)); }
#endif
    const Word before = get();

public:
    explicit FlushesDenormals(bool wanted) {
        if (wanted) set(before | bits);
    }
    ~FlushesDenormals() { set(before); }
};

// work emulates one threadgroup after the other until none is left.
static void work(Work *w, std::string *error) {
    const emulator_launch *l = w->launch;
    const FlushesDenormals flushes(l->lax);
    Threadgroup *t = borrow();
    if (!t) {
        *error = "no memory for the stacks of a threadgroup";
        w->failed = true;
        return;
    }
    t->entry = w->entry;
    t->buffers = w->buffers;
    t->order = (Order) l->order;
    t->lax = l->lax != 0;
    t->error = error;
    t->lanes = lanes_of(l);
    t->simdgroups = (t->lanes + 31) / 32;

    void *memories[MAX_MEMORIES] = {};
    char *next = t->own;
    for (unsigned i = 0; i < l->threadgroup_count; i++) {
        memories[i] = w->placed[i] ? w->placed[i] : next;
        next += (l->threadgroups[i] + 63) / 64 * 64;
    }
    t->memories = memories;

    const uint32_t *n = l->groups;
    Position &p = t->position;
    p.threadgroups_per_grid = {n[0], n[1], n[2]};
    p.threads_per_threadgroup = {l->threads[0], l->threads[1], l->threads[2]};
    p.threads_per_grid = {n[0] * l->threads[0], n[1] * l->threads[1], n[2] * l->threads[2]};
    p.simdgroups_per_threadgroup = {t->simdgroups, 0, 0};
    const uint64_t total = (uint64_t) n[0] * n[1] * n[2];
    for (uint64_t g; (g = w->next++) < total && !w->failed;) {
        for (unsigned i = 0; i < l->threadgroup_count; i++)
            memset(memories[i], 0xff, l->threadgroups[i]); // NaN, so that reads before writes are noticed
        t->number = (uint32_t) g;
        t->random = 12345 + (uint32_t) g;
        p.threadgroup_position_in_grid = {(uint32_t) (g % n[0]), (uint32_t) (g / n[0] % n[1]), (uint32_t) (g / n[0] / n[1])};
        run(t);
        if (!error->empty()) w->failed = true;
    }
    give_back(t);
}

// invalid returns why a launch cannot run, or "".
static std::string invalid(const emulator_launch *l, const Entry *e) {
    const uint64_t lanes = (uint64_t) l->threads[0] * l->threads[1] * l->threads[2];
    if (lanes == 0 || lanes > MAX_LANES) return "a threadgroup has 1 to 1024 threads, not " + std::to_string(lanes);
    if ((uint64_t) l->groups[0] * l->groups[1] * l->groups[2] == 0) return "an empty grid";
    if (l->buffer_count > MAX_BUFFERS || l->threadgroup_count > MAX_MEMORIES) return "too many arguments";
    for (unsigned i = 0; i < MAX_BUFFERS; i++) {
        const bool given = i < l->buffer_count && l->buffers[i].data, wanted = e->buffers >> i & 1;
        if (wanted && !given) return "buffer " + std::to_string(i) + " is not set";
    }
    uint64_t sum = 0;
    for (unsigned i = 0; i < MAX_MEMORIES; i++) {
        const uint32_t bytes = i < l->threadgroup_count ? l->threadgroups[i] : 0;
        if ((e->threadgroups >> i & 1) && bytes == 0) return "threadgroup memory " + std::to_string(i) + " has no length";
        if (bytes % 16) return "the length of threadgroup memory " + std::to_string(i) + " is no multiple of 16";
        sum += bytes;
    }
    if (sum > MAX_MEMORY_BYTES) return std::to_string(sum) + " bytes of threadgroup memory, of 32768";
    return "";
}

static std::string launch(const emulator_launch *l) {
    const auto found = entries().find(l->kernel);
    if (found == entries().end()) return std::string(l->kernel) + ": there is no such kernel";
    Work w;
    w.launch = l;
    w.entry = found->second;
    const std::string reason = invalid(l, w.entry);
    if (!reason.empty()) return std::string(l->kernel) + ": " + reason;
    for (uint32_t i = 0; i < l->constant_count; i++) {
        const auto known = constants().equal_range(l->constants[2 * i]);
        if (known.first == known.second) return std::string(l->kernel) + ": there is no function constant " + std::to_string(l->constants[2 * i]);
        for (auto c = known.first; c != known.second; c++) *c->second = l->constants[2 * i + 1];
    }
    memset(w.placed, 0, sizeof w.placed);
    for (unsigned i = 0; i < MAX_BUFFERS; i++) w.buffers[i] = i < l->buffer_count ? l->buffers[i].data : nullptr;

    if (l->check) {
        Check check;
        if (!check.take(l, w.entry, w.buffers, w.placed)) return "no memory for the check";
        std::string error;
        work(&w, &error); // one thread, because the check has no lock
        check.bring_back(l, w.entry, w.buffers);
        return error;
    }

    const uint64_t total = (uint64_t) l->groups[0] * l->groups[1] * l->groups[2];
    const unsigned helpers = (unsigned) (total < l->processors ? total : l->processors ? l->processors : 1) - 1;
    std::vector<std::string> errors(helpers + 1);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < helpers; i++) threads.emplace_back(work, &w, &errors[i + 1]);
    work(&w, &errors[0]);
    for (std::thread &t : threads) t.join();
    for (const std::string &e : errors)
        if (!e.empty()) return e;
    return "";
}

} // namespace emu

extern "C" int emulator_run(const emulator_launch *l, char *message, uint64_t size) {
    static std::mutex one; // the function constants are global, so one launch runs at a time
    std::lock_guard<std::mutex> hold(one);
    const std::string error = emu::launch(l);
    if (error.empty()) return 0;
    snprintf(message, size, "%s", error.c_str());
    return 1;
}

extern "C" int emulator_has(const char *kernel) { return emu::entries().count(kernel) != 0; }

extern "C" int emulator_checks(void) {
#ifdef EMULATOR_CHECK
    return 1;
#else
    return 0;
#endif
}
