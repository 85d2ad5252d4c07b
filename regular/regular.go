// Package regular opens files that others have put somewhere, such as those of a
// model's folder: regular files only, and without waiting for ever. Opening a named
// pipe would wait for its other end; and a disk that is gone, such as that of a
// server, leaves every call on its files without an answer.
//
// So each call here (opening, reading, asking what a file is, closing) ends after
// [Patience] at the latest, with [ErrNoAnswer], and at once when its context ends.
// The system's own call goes on in a goroutine until the system answers it. Until
// then other calls on the same files are refused at once.
package regular

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

var (
	// ErrNotRegular is the error for pipes, devices and sockets.
	ErrNotRegular = errors.New("it is not a regular file")
	// ErrNoAnswer is the error for a file whose file system does not answer.
	ErrNoAnswer = errors.New("its disk has not answered for 15 seconds; see whether the disk or its server is still connected")
	// ErrTooLarge is the error of ReadFile for a file above the caller's bound.
	ErrTooLarge = errors.New("it is too large")
)

// Open opens a file by its path, for reading. The context counts until the file is
// closed.
func Open(ctx context.Context, path string) (*File, error) {
	return open(ctx, path, path, func() (*os.File, error) {
		return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	})
}

// OpenIn opens a file below a root, for reading. The context counts until the file is
// closed.
func OpenIn(ctx context.Context, root *os.Root, name string) (*File, error) {
	return open(ctx, root.Name(), name, func() (*os.File, error) {
		return root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	})
}

// ReadFile returns the content of a file of at most so many bytes.
func ReadFile(ctx context.Context, path string, most int64) ([]byte, error) {
	f, err := Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = &fs.PathError{Op: "read", Path: path, Err: ErrTooLarge}
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// Stat is os.Stat.
func Stat(ctx context.Context, path string) (fs.FileInfo, error) {
	return within(ctx, "stat", path, path, func() (fs.FileInfo, error) { return os.Stat(path) }, nil)
}

// ReadDir is os.ReadDir.
func ReadDir(ctx context.Context, path string) ([]fs.DirEntry, error) {
	list, err := within(ctx, "open", path, path, func() ([]fs.DirEntry, error) { return os.ReadDir(path) }, nil)
	return guarded(ctx, path, list), err
}

// WalkDir is filepath.WalkDir, but that it follows a link at its start.
func WalkDir(ctx context.Context, start string, visit fs.WalkDirFunc) error {
	return fs.WalkDir(paths{ctx}, start, visit)
}

// EvalSymlinks is filepath.EvalSymlinks.
func EvalSymlinks(ctx context.Context, path string) (string, error) {
	return within(ctx, "lstat", path, path, func() (string, error) { return filepath.EvalSymlinks(path) }, nil)
}

// OpenRoot is os.OpenRoot. The root's own methods have no bound; those of [FS] and
// [OpenIn] do.
func OpenRoot(ctx context.Context, path string) (*os.Root, error) {
	return within(ctx, "open", path, path, func() (*os.Root, error) { return os.OpenRoot(path) }, func(r *os.Root) { r.Close() })
}

// open opens a file and looks at what it is. The place is the path that no answer to
// it is remembered for.
func open(ctx context.Context, place, name string, open func() (*os.File, error)) (*File, error) {
	file, err := within(ctx, "open", place, name, func() (*os.File, error) { return checked(name, open) }, func(f *os.File) { f.Close() })
	if err != nil {
		return nil, err
	}
	return &File{ctx: ctx, place: place, name: name, file: file}, nil
}

func checked(name string, open func() (*os.File, error)) (*os.File, error) {
	file, err := open()
	if errors.Is(err, syscall.ENXIO) { // a socket, or a device without a driver
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
