// Package regular opens files that others have put somewhere, such as those of a
// model's folder: regular files only, and without waiting for a file that never
// answers. Opening a named pipe would otherwise wait for its other end for ever,
// and so does a file system whose server is gone.
//
// It does not guard reads: a file that opens and then stops answering blocks its
// reader.
package regular

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

var (
	// ErrNotRegular is the error for pipes, devices and sockets.
	ErrNotRegular = errors.New("it is not a regular file")
	// ErrNoAnswer is the error for a file whose file system does not answer.
	ErrNoAnswer = errors.New("its disk does not answer")
)

// patience is how long a file system may take to open one file; a disk that has
// to spin up takes seconds.
const patience = 15 * time.Second

// Open opens a file by its path, for reading.
func Open(path string) (*os.File, error) {
	return within(patience, path, func() (*os.File, error) {
		return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	})
}

// OpenIn opens a file below a root, for reading.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	return within(patience, name, func() (*os.File, error) {
		return root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	})
}

// FS returns the files below a root. Its folders can be opened and listed too.
func FS(root *os.Root) fs.FS { return rootFS{root, root.FS()} }

type rootFS struct {
	root *os.Root
	fs   fs.FS
}

func (f rootFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	file, err := OpenIn(f.root, name)
	if err != nil { // not a nil *os.File in an interface
		return nil, err
	}
	return file, nil
}

func (f rootFS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.fs, name) }

func (f rootFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(f.fs, name) }

// within opens a file and looks at what it is. The goroutine of a file that does
// not answer ends when its file system does.
func within(patience time.Duration, name string, open func() (*os.File, error)) (*os.File, error) {
	type result struct {
		file *os.File
		err  error
	}
	came := make(chan result)
	left := make(chan struct{})
	go func() {
		file, err := checked(name, open)
		select {
		case came <- result{file, err}:
		case <-left:
			if file != nil {
				file.Close()
			}
		}
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case got := <-came:
		return got.file, got.err
	case <-timer.C:
		close(left)
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrNoAnswer}
	}
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
