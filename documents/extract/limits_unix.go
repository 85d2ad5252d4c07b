//go:build unix

package extract

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"syscall"
)

// limitProcess forbids this process what reading a file does not need: memory beyond the
// limit, writing files, core dumps. If a system refuses, watchMemory does the rest.
func limitProcess(memory int64) {
	syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{})
	syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	if used := addressSpace(); used > 0 {
		const spare = 512 << 20 // the runtime reserves addresses that it does not use
		most := used + uint64(memory) + spare
		syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: most, Max: most})
	}
}

// addressSpace returns how many bytes of addresses this process has, or 0 where
// the system does not limit them.
func addressSpace() uint64 {
	if runtime.GOOS != "linux" {
		return 0
	}
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	first, _, _ := bytes.Cut(data, []byte(" "))
	pages, err := strconv.ParseUint(string(first), 10, 64)
	if err != nil {
		return 0
	}
	return pages * uint64(os.Getpagesize())
}
