// Package mapped reads files through mappings: a part of a file is in the memory of the
// process once it is touched, and the system may take it back at any time.
//
// A file that becomes shorter while it is mapped faults where its pages were. Here that is
// an error: see [Bytes.Guard]. In C the same fault ends the process.
package mapped

import (
	"errors"
	"io"
	"runtime/debug"
	"unsafe"
)

// ErrShrunk says that mapped bytes no longer exist.
var ErrShrunk = errors.New("the mapped file became shorter")

// Bytes are a file mapped into memory by [Map], read-only.
type Bytes []byte

// Guard runs read, which touches m. A fault of the file behind m becomes ErrShrunk; other
// panics go on. It works only for Go code in this goroutine.
func (m Bytes) Guard(read func()) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch cause := recover(); {
		case cause == nil:
		case m.faulted(cause):
			err = ErrShrunk
		default:
			panic(cause)
		}
	}()
	read()
	return nil
}

// faulted reports whether a panic was caused by touching m.
func (m Bytes) faulted(cause any) bool {
	fault, ok := cause.(interface{ Addr() uintptr })
	start := uintptr(unsafe.Pointer(unsafe.SliceData(m)))
	return ok && fault.Addr()-start < uintptr(len(m))
}

// dropSize is the minimum size of a read after which the pages are released: they stay in
// the page cache, but no longer count as memory of the program, which has its own copy now.
const dropSize = 64 << 10

// ReadAt implements [io.ReaderAt].
func (m Bytes) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 || off > int64(len(m)) {
		return 0, io.EOF
	}
	if err := m.Guard(func() { n = copy(p, m[off:]) }); err != nil {
		return 0, err
	}
	if n >= dropSize {
		m.drop(int(off), n)
	}
	if n < len(p) {
		err = io.EOF
	}
	return n, err
}

// Touch reads a byte of each page of m[begin:begin+n], so that what is missing is an error
// here, before the bytes go to C.
func (m Bytes) Touch(begin, n int) error {
	const page = 4096 // or a part of one
	return m.Guard(func() {
		for i := begin; i < begin+n; i += page {
			keep(m[i])
		}
		if n > 0 {
			keep(m[begin+n-1])
		}
	})
}

// keep makes the compiler read what it is given.
//
//go:noinline
func keep(byte) {}
