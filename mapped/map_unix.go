//go:build linux || darwin

package mapped

import (
	"errors"
	"os"
	"syscall"
)

// Map maps the first size bytes of f, read-only. It may be longer than the file: what is
// past its end can be read once the file has grown. Where files cannot be mapped, the error
// is [errors.ErrUnsupported].
func Map(f *os.File, size int64) (Bytes, error) {
	if size <= 0 || size != int64(int(size)) {
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

// Unmap gives the addresses of m back. Nothing may read m any more.
func (m Bytes) Unmap() error {
	if m == nil {
		return nil
	}
	return syscall.Munmap(m)
}
