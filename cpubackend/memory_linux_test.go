package cpubackend

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// Memory is unmapped in whole pieces of 64 KiB. Wherever the system maps it, the whole last piece must
// belong to it, because the next byte may belong to the Go runtime.
func TestMemoryOwnsWhatItGivesBack(t *testing.T) {
	b := open(t, Options{Threads: 1})
	const piece = 64 << 10
	bytes := 2<<20 + 1
	for range 512 { // one more page each time moves the next mapping through a large page
		page, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := syscall.Munmap(page); err != nil {
				t.Error(err)
			}
		}()
		m, err := b.Alloc(bytes)
		if err != nil {
			t.Fatal(err)
		}
		start := uintptr(unsafe.Pointer(&m.Bytes()[0]))
		end := start + uintptr((bytes+piece-1)/piece*piece)
		mapped := mappedFrom(t, start)
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		if mapped < end {
			t.Fatalf("%d bytes at %#x are mapped to %#x and given back to %#x", bytes, start, mapped, end)
		}
	}
}

// mappedFrom returns the end of the mapping that holds an address.
func mappedFrom(t *testing.T, address uintptr) uintptr {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skipf("this system does not list a process's memory: %v", err)
	}
	for line := range strings.Lines(string(maps)) {
		var start, end uintptr
		if _, err := fmt.Sscanf(line, "%x-%x", &start, &end); err != nil {
			t.Fatal(err)
		}
		if start <= address && address < end {
			return end
		}
	}
	t.Fatalf("%#x is not mapped", address)
	return 0
}
