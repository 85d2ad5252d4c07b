#include "check.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <sys/mman.h>

namespace emu {

static bool checking;
static std::vector<Range> ranges;
static char *first, *last; // of the memory that holds them

static const uint64_t GAP = 1 << 20, PAGE = 4096;

static std::list<Region> regions;

Check::Check() { checking = true; }

Check::~Check() {
    checking = false;
    first = last = nullptr;
    ranges.clear();
    regions.clear();
    if (memory) munmap(memory, size);
}

// reserve makes a region whose start is as aligned as a given address.
Region *Check::reserve(uint64_t bytes, uint64_t address) {
    char *start = next + address % PAGE;
    next += (address % PAGE + bytes + PAGE - 1) / PAGE * PAGE + GAP;
    regions.push_back(Region{start, std::vector<Cell>(bytes)});
    return &regions.back();
}

bool Check::take(const emulator_launch *l, const Entry *entry, void **buffers, char **memories) {
    std::vector<unsigned> order; // of the buffers by address
    size = GAP;
    for (unsigned i = 0; i < l->buffer_count; i++) {
        if (!buffers[i]) continue;
        order.push_back(i);
        size += l->buffers[i].length + 2 * PAGE + GAP;
    }
    for (unsigned i = 0; i < l->threadgroup_count; i++) size += l->threadgroups[i] + PAGE + GAP;
    void *p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return false;
    memory = first = (char *) p;
    last = memory + size;
    next = memory + GAP;

    const auto start = [&](unsigned i) { return (char *) l->buffers[i].data; };
    const auto end = [&](unsigned i) { return start(i) + l->buffers[i].length; };
    std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return start(a) < start(b); });
    for (size_t from = 0, to; from < order.size(); from = to) {
        char *const low = start(order[from]), *high = end(order[from]);
        for (to = from + 1; to < order.size() && start(order[to]) < high; to++) high = std::max(high, end(order[to]));
        Region *region = reserve(high - low, (uint64_t) low);
        for (size_t k = from; k < to; k++) {
            const unsigned i = order[k];
            char *at = region->start + (start(i) - low);
            memcpy(at, start(i), l->buffers[i].length);
            buffers[i] = at;
            ranges.push_back(Range{at, l->buffers[i].length, false, (entry->written >> i & 1) != 0, i, region});
        }
    }
    for (unsigned i = 0; i < l->threadgroup_count; i++) {
        Region *region = reserve(l->threadgroups[i], 0);
        memories[i] = region->start;
        ranges.push_back(Range{region->start, l->threadgroups[i], true, true, i, region});
    }
    return true;
}

void Check::bring_back(const emulator_launch *l, const Entry *entry, void **buffers) {
    for (unsigned i = 0; i < l->buffer_count; i++)
        if (buffers[i] && (entry->written >> i & 1)) memcpy(l->buffers[i].data, buffers[i], l->buffers[i].length);
}

static void out_of_bounds(char *p, unsigned n, bool write) {
    const Range *nearest = nullptr;
    for (const Range &r : ranges)
        if (!nearest || llabs(p - r.start) < llabs(p - nearest->start)) nearest = &r;
    if (!nearest) return;
    stop("lane %u of threadgroup %u %s %u bytes at offset %lld of %s %u, which has %llu bytes", current()->index(), current()->number,
         write ? "writes" : "reads", n, (long long) (p - nearest->start), nearest->kind(), nearest->index, (unsigned long long) nearest->length);
}

static void misaligned(char *p) {
    for (const Range &r : ranges)
        if (p >= r.start && p < r.start + r.length)
            stop("lane %u of threadgroup %u uses offset %lld of %s %u, which is not aligned as the type asks", current()->index(), current()->number,
                 (long long) (p - r.start), r.kind(), r.index);
}

// before reports whether an access of this threadgroup is ordered before another: by
// program order, or by a barrier of the right kind between them.
static bool before(const Access &earlier, const Access &now) {
    if (earlier.lane == now.lane || earlier.fences != now.fences) return true;
    return earlier.simdgroup == now.simdgroup && earlier.simdgroup_fences != now.simdgroup_fences;
}

static void race(const char *what, const Range &r, const char *p, const Access &now, const Access &other) {
    char them[64] = "several lanes";
    if (other.lane != SEVERAL) snprintf(them, sizeof them, "lane %u", other.lane);
    char group[64] = "several threadgroups";
    if (other.group != MANY) snprintf(group, sizeof group, "threadgroup %u", other.group - 1);
    stop("race (%s) at offset %lld of %s %u: lane %u of threadgroup %u, and %s of %s, with no mem_%s barrier between", what,
         (long long) (p - r.start), r.kind(), r.index, now.lane, now.group - 1, them, group, r.threadgroup ? "threadgroup" : "device");
}

static void check_byte(const Range &r, Cell &cell, const char *p, bool write, const Access &now) {
    const bool written_here = cell.write.group == now.group, read_here = cell.read.group == now.group;
    if (r.threadgroup && !write && !written_here)
        stop("lane %u of threadgroup %u reads offset %lld of threadgroup memory %u, which it never wrote", now.lane, current()->number, (long long) (p - r.start), r.index);
    // Each threadgroup has its own threadgroup memory. All of them share a buffer, and nothing orders them.
    if (cell.write.group && (written_here ? !before(cell.write, now) : !r.threadgroup))
        race(write ? "write after write" : "read after write", r, p, now, cell.write);
    if (write && cell.read.group && (read_here ? !before(cell.read, now) : !r.threadgroup))
        race("write after read", r, p, now, cell.read);
    if (write) {
        cell.write = now;
        return;
    }
    const Access earlier = cell.read;
    cell.read = now;
    if (read_here && !before(earlier, now)) {
        cell.read.lane = SEVERAL;
        if (earlier.simdgroup != now.simdgroup) cell.read.simdgroup = SEVERAL;
    }
    if (earlier.group && !read_here && !r.threadgroup) cell.read.group = MANY;
}

// find returns the argument that contains an access, or null. Arguments may overlap;
// one that allows the access is enough.
static const Range *find(const char *p, unsigned long n, bool write) {
    static const Range *last_found; // most accesses are to the same argument as the one before
    const auto within = [&](const Range &r) { return p >= r.start && p + n <= r.start + r.length; };
    if (last_found >= ranges.data() && last_found < ranges.data() + ranges.size() && within(*last_found) && (!write || last_found->writable)) return last_found;
    const Range *found = nullptr;
    for (const Range &r : ranges)
        if (within(r) && (!found || r.writable)) found = &r;
    return last_found = found;
}

static void access(void *address, unsigned long n, bool write) {
    char *p = (char *) address;
    if (p < first || p >= last) return; // the lane's own stack, tables
    const Threadgroup *t = current();
    if (!checking || !t) return;
    const Range *range = find(p, n, write);
    if (!range) {
        out_of_bounds(p, n, write);
        return;
    }
    if (write && !range->writable) stop("lane %u writes to %s %u, which is declared as read-only", t->index(), range->kind(), range->index);
    const Simdgroup &s = t->sg[t->simdgroup];
    Access now;
    now.group = t->number + 1;
    now.simdgroup = (uint16_t) t->simdgroup;
    now.lane = (uint16_t) t->index();
    now.fences = range->threadgroup ? t->fenced_threadgroup : t->fenced_device;
    now.simdgroup_fences = range->threadgroup ? s.fenced_threadgroup : s.fenced_device;
    Cell *cells = &range->region->cells[p - range->region->start];
    for (unsigned long i = 0; i < n; i++) check_byte(*range, cells[i], p + i, write, now);
}

} // namespace emu

// ---- what the compiler calls

extern "C" {
// With -fsanitize=alignment the compiler calls this for a pointer that is not aligned
// as its type requires, which works on the CPU and not on a GPU.
void __ubsan_handle_type_mismatch_v1(void *, void *p) {
    if (emu::checking && emu::current()) emu::misaligned((char *) p);
}
#define ACCESSES(n) \
    void __tsan_read##n(void *p) { emu::access(p, n, false); } \
    void __tsan_write##n(void *p) { emu::access(p, n, true); } \
    void __tsan_read_write##n(void *p) { emu::access(p, n, false); emu::access(p, n, true); } \
    void __tsan_unaligned_read##n(void *p) { emu::access(p, n, false); } \
    void __tsan_unaligned_write##n(void *p) { emu::access(p, n, true); } \
    void __tsan_unaligned_read_write##n(void *p) { emu::access(p, n, false); emu::access(p, n, true); }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
void __tsan_read_range(void *p, unsigned long n) { emu::access(p, n, false); }
void __tsan_write_range(void *p, unsigned long n) { emu::access(p, n, true); }
void *__tsan_memcpy(void *to, const void *from, unsigned long n) {
    emu::access((void *) from, n, false);
    emu::access(to, n, true);
    return memcpy(to, from, n);
}
void *__tsan_memmove(void *to, const void *from, unsigned long n) {
    emu::access((void *) from, n, false);
    emu::access(to, n, true);
    return memmove(to, from, n);
}
void *__tsan_memset(void *to, int value, unsigned long n) {
    emu::access(to, n, true);
    return memset(to, value, n);
}
void __tsan_init(void) {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit(void) {}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}
}
