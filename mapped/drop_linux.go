package mapped

import (
	"syscall"
	"unsafe"
)

// around is how many bytes around the address a page fault maps, if they are in
// the page cache (the kernel's fault_around_bytes).
const around = 64 << 10

// drop releases the pages of m[off:off+n], and those mapped along with them.
// The call is only advice, so its error is ignored.
func (m Bytes) drop(off, n int) {
	base := uintptr(unsafe.Pointer(unsafe.SliceData(m)))
	start := int((base+uintptr(off))&^(around-1) - base)
	end := int((base+uintptr(off+n)+around-1)&^(around-1) - base)
	_ = syscall.Madvise(m[max(start, 0):min(end, len(m))], syscall.MADV_DONTNEED)
}
