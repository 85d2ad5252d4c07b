//go:build linux || darwin

package regular

import (
	"errors"
	"os"
	"syscall"
)

// statfs asks about the file system of an open file.
func statfs(f *os.File, about *syscall.Statfs_t) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var asked error
	err = conn.Control(func(fd uintptr) { asked = syscall.Fstatfs(int(fd), about) })
	return errors.Join(err, asked)
}
