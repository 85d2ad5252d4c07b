package devices

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// AvailableMemory is how many bytes the program may still take without pushing
// others out: what the kernel says, within the limits of our control groups; 0
// where it does not say.
func AvailableMemory() int64 {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	own, _ := os.ReadFile("/proc/self/cgroup")
	return min(parseMemAvailable(string(data)), addressRoom(),
		groupRoom(groupFiles{"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"}, ownGroup(string(own), "0::")),
		groupRoom(groupFiles{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}, ownGroup(string(own), ":memory:")))
}

// noLimit is more than any computer has.
const noLimit = int64(1) << 62

// addressRoom is what a limit on our address space (ulimit -v) leaves.
func addressRoom() int64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil || limit.Cur >= uint64(noLimit) {
		return noLimit
	}
	data, _ := os.ReadFile("/proc/self/statm")
	first, _, _ := strings.Cut(string(data), " ")
	pages, err := strconv.ParseInt(first, 10, 64)
	if err != nil {
		return int64(limit.Cur)
	}
	return max(1, int64(limit.Cur)-pages*int64(os.Getpagesize())) // 0 would mean unknown
}

// parseMemAvailable reads MemAvailable of /proc/meminfo (proc(5)), in bytes.
func parseMemAvailable(meminfo string) int64 {
	for line := range strings.Lines(meminfo) {
		if rest, ok := strings.CutPrefix(line, "MemAvailable:"); ok {
			kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			if err == nil && kib >= 0 && kib < 1<<50 {
				return kib << 10
			}
		}
	}
	return 0
}

// ownGroup is our control group in the hierarchy whose line of /proc/self/cgroup
// (cgroups(7)) has this mark: "0::" in version 2, ":memory:" in version 1. It is
// "/" where there is none.
func ownGroup(lines, mark string) string {
	for line := range strings.Lines(lines) {
		if _, path, ok := strings.Cut(strings.TrimSpace(line), mark); ok {
			return path
		}
	}
	return "/"
}

// groupFiles are where a version of control groups keeps its numbers.
type groupFiles struct {
	root, limit, used string
	cache             string // in memory.stat: the file cache that goes first when memory is short
}

// groupRoom is what a group and those above it leave us: the least of their
// limits minus what is used and cannot be had back. Without limits it is very
// large; it is never 0, which would mean unknown.
func groupRoom(f groupFiles, group string) int64 {
	room := noLimit
	for {
		dir := filepath.Join(f.root, filepath.Clean("/"+group))
		limit, limited := readNumber(filepath.Join(dir, f.limit))
		used, known := readNumber(filepath.Join(dir, f.used))
		if limited && known {
			room = min(room, max(1, limit-used+cached(filepath.Join(dir, "memory.stat"), f.cache)))
		}
		if group == "/" || group == "." || group == "" {
			return room
		}
		group = filepath.Dir(group)
	}
}

// cached reads one number of a memory.stat file, 0 where it is not there.
func cached(name, key string) int64 {
	data, _ := os.ReadFile(name)
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, key+" "); ok {
			n, _ := strconv.ParseInt(strings.TrimSpace(rest), 10, 64)
			return max(0, n)
		}
	}
	return 0
}

func readNumber(name string) (int64, bool) {
	data, err := os.ReadFile(name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64) // "max" is no number
	return n, err == nil
}
