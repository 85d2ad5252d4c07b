//go:build unix

package hub

import (
	"errors"

	"golang.org/x/sys/unix"
)

// processAlive says whether there is a process of this number.
func processAlive(pid int) bool {
	err := unix.Kill(pid, 0)
	return err == nil || errors.Is(err, unix.EPERM)
}
