package weights

import (
	"errors"
	"io"
	"runtime/debug"
	"unsafe"
)

// errFault: mapped bytes no longer exist.
var errFault = errors.New("the mapped file became shorter")

// mapping is a file mapped into memory, read-only. If the file is truncated,
// pages beyond its end fault when touched, so all access goes through ReadAt.
type mapping []byte

// ReadAt copies bytes out of the mapping; a fault becomes errFault. The guard
// works only for Go code in this goroutine, which is why no pointer into a
// mapping may leave the package: inside C the same fault kills the process.
func (m mapping) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 || off > int64(len(m)) {
		return 0, io.EOF
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch cause := recover(); {
		case cause == nil:
		case m.faulted(cause):
			n, err = 0, errFault
		default:
			panic(cause)
		}
	}()
	n = copy(p, m[off:])
	if n >= dropSize {
		m.drop(int(off), n)
	}
	if n < len(p) {
		err = io.EOF
	}
	return n, err
}

// dropSize is the minimum size of a read after which the pages are released:
// they stay in the page cache, but no longer count as memory of the program,
// which has its own copy now.
const dropSize = 64 << 10

// faulted reports whether a panic was caused by touching the mapping.
func (m mapping) faulted(cause any) bool {
	fault, ok := cause.(interface{ Addr() uintptr })
	start := uintptr(unsafe.Pointer(unsafe.SliceData(m)))
	return ok && fault.Addr()-start < uintptr(len(m))
}
