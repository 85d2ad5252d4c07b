package app

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// availableMemory is how many bytes the program may still take without pushing
// others out: what the kernel says, within the limits of our control groups; 0
// where it does not say.
func availableMemory() int64 {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	return min(parseMemAvailable(string(data)), groupRoom("/sys/fs/cgroup", ownGroup()))
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

// ownGroup is our control group (cgroups(7), version 2), "/" where there is none.
func ownGroup() string {
	data, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "/"
	}
	for line := range strings.Lines(string(data)) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "0::"); ok {
			return path
		}
	}
	return "/"
}

// groupRoom is what a group and those above it leave us: the least of
// memory.max minus memory.current. Without limits it is very large.
func groupRoom(root, group string) int64 {
	room := int64(1) << 62
	for {
		dir := filepath.Join(root, filepath.Clean("/"+group))
		limit, limited := readNumber(filepath.Join(dir, "memory.max"))
		used, known := readNumber(filepath.Join(dir, "memory.current"))
		if limited && known {
			room = min(room, max(0, limit-used))
		}
		if group == "/" || group == "." || group == "" {
			return room
		}
		group = filepath.Dir(group)
	}
}

func readNumber(name string) (int64, bool) {
	data, err := os.ReadFile(name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64) // "max" is no number
	return n, err == nil
}
