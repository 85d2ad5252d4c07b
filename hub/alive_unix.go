//go:build unix

package hub

import (
	"bytes"
	"errors"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// processAlive reports whether there is a process of this number.
func processAlive(pid int) bool {
	// One that has ended and that nobody has asked about yet is in the table of processes still
	// (proc(5): state Z).
	if data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil {
		if i := bytes.LastIndexByte(data, ')'); i >= 0 && bytes.HasPrefix(data[i:], []byte(") Z")) {
			return false
		}
	}
	err := unix.Kill(pid, 0)
	return err == nil || errors.Is(err, unix.EPERM)
}
