package emulator

import (
	"fmt"
	"os"
	"syscall"
)

// Alloc returns zeroed memory on pages of its own, outside Go's heap and its
// pointer checks.
func (e *Emulator) Alloc(bytes int) ([]byte, error) {
	if bytes <= 0 {
		return nil, fmt.Errorf("emulator: %d bytes asked for", bytes)
	}
	page := os.Getpagesize()
	mem, err := syscall.Mmap(-1, 0, (bytes+page-1)/page*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("emulator: %d bytes of memory: %w", bytes, err)
	}
	return mem[:bytes], nil
}

// Free frees what Alloc returned.
func (e *Emulator) Free(mem []byte) error {
	if err := syscall.Munmap(mem[:cap(mem)]); err != nil {
		return fmt.Errorf("emulator: giving memory back: %w", err)
	}
	return nil
}
