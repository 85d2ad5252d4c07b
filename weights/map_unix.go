//go:build linux || darwin

package weights

import (
	"errors"
	"os"
	"syscall"
)

// mapFile maps the first size bytes of f, read-only.
func mapFile(f *os.File, size int64) (mapping, error) {
	if size == 0 || size != int64(int(size)) {
		return nil, errors.ErrUnsupported
	}
	conn, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	var m []byte
	var mapErr error
	err = conn.Control(func(fd uintptr) {
		m, mapErr = syscall.Mmap(int(fd), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
	})
	return m, errors.Join(err, mapErr)
}

func (m mapping) unmap() error {
	if m == nil {
		return nil
	}
	return syscall.Munmap(m)
}
