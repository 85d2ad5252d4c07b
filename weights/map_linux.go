package weights

import (
	"syscall"
	"unsafe"
)

// around is how many bytes a fault brings in, those around the address, where
// they are in the system's cache (fault_around_bytes of the kernel).
const around = 64 << 10

// drop hands the pages of m[off:off+n] back, and those that touching them
// brought in. It is only advice, so that an error is none.
func (m mapping) drop(off, n int) {
	base := uintptr(unsafe.Pointer(unsafe.SliceData(m)))
	start := int((base+uintptr(off))&^(around-1) - base)
	end := int((base+uintptr(off+n)+around-1)&^(around-1) - base)
	_ = syscall.Madvise(m[max(start, 0):min(end, len(m))], syscall.MADV_DONTNEED)
}
