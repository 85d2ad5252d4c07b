package regular

import (
	"context"
	"io"
	"io/fs"
	"os"
	"sync"
)

// File is an open regular file or folder. Its methods are those of os.File; each ends
// in time, also while its disk does not answer.
type File struct {
	ctx   context.Context // of whoever opened the file: io.Reader has no place for another
	place string
	name  string
	file  *os.File
}

// piece is the most that one call of the system reads: the slowest disk that still
// works delivers it in time.
const piece = 256 << 10

// buffers are what the system reads into. A call that was given up keeps its buffer,
// so that it never writes into a caller's memory later.
var buffers = sync.Pool{New: func() any { return new([piece]byte) }}

// Read implements io.Reader.
func (f *File) Read(p []byte) (int, error) { return f.fetch(p, f.file.Read) }

// ReadAt implements io.ReaderAt.
func (f *File) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) && err == nil {
		at, more := off+int64(n), 0 // a call that is given up reads at after n has grown
		more, err = f.fetch(p[n:], func(b []byte) (int, error) { return f.file.ReadAt(b, at) })
		n += more
	}
	return n, err
}

// fetch reads at most one piece into p.
func (f *File) fetch(p []byte, read func([]byte) (int, error)) (int, error) {
	type result struct {
		n   int
		err error
	}
	buffer := buffers.Get().(*[piece]byte)
	got, err := within(f.ctx, "read", f.place, f.name, func() (result, error) {
		n, err := read(buffer[:min(len(p), piece)])
		return result{n, err}, nil
	}, nil)
	if err != nil {
		return 0, err
	}
	n := copy(p, buffer[:max(0, got.n)])
	buffers.Put(buffer)
	return n, got.err
}

// Name returns the path, or the name below a root, that the file was opened by.
func (f *File) Name() string { return f.name }

// Seek implements io.Seeker.
func (f *File) Seek(offset int64, whence int) (int64, error) {
	return within(f.ctx, "seek", f.place, f.name, func() (int64, error) { return f.file.Seek(offset, whence) }, nil)
}

// Stat implements fs.File.
func (f *File) Stat() (fs.FileInfo, error) {
	return within(f.ctx, "stat", f.place, f.name, f.file.Stat, nil)
}

// Close closes the file. Where its disk does not answer, or its context has ended, it
// does not wait for that.
func (f *File) Close() error {
	if f.ctx.Err() != nil || silent.covers(f.place) {
		go f.file.Close()
		return nil
	}
	_, err := within(f.ctx, "close", f.place, f.name, func() (struct{}, error) { return struct{}{}, f.file.Close() }, nil)
	return err
}

// Mappable returns the file for mapping it into memory, or nil if its disk may fall
// silent: no deadline reaches a page that never comes, and the whole program would
// wait for it.
func (f *File) Mappable() *os.File {
	ok, err := within(f.ctx, "statfs", f.place, f.name, func() (bool, error) { return lasting(f.file), nil }, nil)
	if err != nil || !ok {
		return nil
	}
	return f.file
}

var (
	_ io.ReadSeekCloser = (*File)(nil)
	_ io.ReaderAt       = (*File)(nil)
	_ fs.File           = (*File)(nil)
)
