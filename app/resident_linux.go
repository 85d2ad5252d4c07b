package app

import (
	"os"
	"strconv"
	"strings"
)

// residentPeak is the most memory that the process has had resident since its start
// or resetPeak, in bytes; 0 where the kernel does not say (proc(5), VmHWM).
func residentPeak() int64 { return statusBytes("VmHWM:") }

// resetPeak makes residentPeak begin anew; false where the kernel does not let it.
func resetPeak() bool { return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil }

// residentNow is the memory that the process has resident, in bytes; 0: unknown.
func residentNow() int64 { return statusBytes("VmRSS:") }

func statusBytes(key string) int64 {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, key); ok {
			kib, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return max(0, kib) << 10
		}
	}
	return 0
}
