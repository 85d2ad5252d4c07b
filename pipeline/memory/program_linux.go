package memory

import (
	"os"
	"strconv"
	"strings"
)

// codeMemory is how much of the program's own files the system has in memory for
// it. That depends on how they got into its cache.
func codeMemory() int64 {
	data, _ := os.ReadFile("/proc/self/statm") // proc(5): size, resident, shared … in pages
	fields := strings.Fields(string(data))
	if len(fields) < 3 {
		return usualCode
	}
	pages, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return usualCode
	}
	return min(pages*int64(os.Getpagesize()), 2*usualCode) // more are weights in place
}
