package usage

import (
	"os"
	"strconv"
	"strings"
)

// read reads proc(5).
func (r *Reading) read() {
	r.Resident = kibibytes("/proc/self/status", "VmRSS:")
	r.Available = kibibytes("/proc/meminfo", "MemAvailable:")
	data, _ := os.ReadFile("/proc/stat")
	first, _, _ := strings.Cut(string(data), "\n")
	r.Idle, r.All = processors(first)
}

// Peak is the most memory that the program has had since its start or ResetPeak, in
// bytes; 0: unknown.
func Peak() int64 { return kibibytes("/proc/self/status", "VmHWM:") }

// ResetPeak resets Peak; false where the system does not allow it.
func ResetPeak() bool { return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil }

// kibibytes reads a line "key 123 kB" of a file; 0: it is not there.
func kibibytes(name, key string) int64 {
	data, _ := os.ReadFile(name)
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, key); ok {
			n, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			if err != nil || n < 0 || n > 1<<50 {
				return 0
			}
			return n << 10
		}
	}
	return 0
}

// processors reads the first line of /proc/stat, the ticks of all processors: user,
// nice, system, idle, iowait, irq, softirq, steal. Waiting for a disk is idle; guests
// are in user and nice already.
func processors(line string) (idle, all float64) {
	fields := strings.Fields(line)
	if len(fields) < 5 || fields[0] != "cpu" {
		return 0, 0
	}
	for i, field := range fields[1:min(9, len(fields))] {
		n, err := strconv.ParseUint(field, 10, 62)
		if err != nil {
			return 0, 0
		}
		all += float64(n)
		if i == 3 || i == 4 {
			idle += float64(n)
		}
	}
	return idle, all
}
