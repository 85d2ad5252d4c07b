package weights

import (
	"errors"
	"io"
	"runtime/debug"
	"unsafe"
)

// errFault says that mapped bytes are no longer there.
var errFault = errors.New("the mapped file became shorter")

// mapping is a file's bytes as the system lays them into memory, read-only.
// Pages beyond the end of a file that was cut short fault when touched, so
// that all access goes through ReadAt.
type mapping []byte

// ReadAt copies out of the mapping; a fault on it becomes errFault. The guard
// works for Go code in this goroutine only, which is why no pointer into a
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

// dropSize is the size of a read from which on the pages are handed back: they
// stay in the system's cache, but no longer count as memory of the program,
// which has its own copy now.
const dropSize = 64 << 10

// faulted tells whether a panic comes from touching the mapping.
func (m mapping) faulted(cause any) bool {
	fault, ok := cause.(interface{ Addr() uintptr })
	start := uintptr(unsafe.Pointer(unsafe.SliceData(m)))
	return ok && fault.Addr()-start < uintptr(len(m))
}
