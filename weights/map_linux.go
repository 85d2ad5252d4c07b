package weights

import (
	"os"
	"syscall"
)

// drop hands the pages of m[off:off+n] back. It is only advice, so that an
// error is none.
func (m mapping) drop(off, n int) {
	start := off - off%os.Getpagesize()
	_ = syscall.Madvise(m[start:off+n], syscall.MADV_DONTNEED)
}
