//go:build linux || darwin

package vectors

import (
	"os"
	"syscall"
)

// mapFile maps size bytes of f, read-only. The mapping may be longer than the
// file: what is past its end can be read once the file has grown.
func mapFile(f *os.File, size int64) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
}

func unmap(m []byte) error { return syscall.Munmap(m) }
