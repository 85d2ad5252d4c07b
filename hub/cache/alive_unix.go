//go:build unix

package cache

import (
	"bytes"
	"errors"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// processAlive reports whether a process with this id is running.
func processAlive(pid int) bool {
	// A zombie, whose parent has not waited for it yet, is still in the process table (proc(5):
	// state Z).
	if data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil {
		if i := bytes.LastIndexByte(data, ')'); i >= 0 && bytes.HasPrefix(data[i:], []byte(") Z")) {
			return false
		}
	}
	err := unix.Kill(pid, 0)
	return err == nil || errors.Is(err, unix.EPERM)
}
