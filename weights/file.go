package weights

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"inglenook/mapped"
)

// ErrFileChanged is wrapped by errors about a file that was truncated or
// written to while it was open. Data read from it earlier is still valid.
var ErrFileChanged = errors.New("the file was cut short or replaced while it was open")

// maxWhole is the maximum size of a file that can only be read in one piece.
const maxWhole = 1 << 30

// file is one open file of a checkpoint: mapped if the system can, else read at
// offsets, else held in memory. Its bytes are only ever copied out.
type file struct {
	name string
	size int64

	mu     sync.RWMutex // ReadAt takes the read lock, Close the write lock
	closed bool
	held   int // devices that use the mapping in place
	source io.ReaderAt
	mapped mapped.Bytes // nil unless source is a mapping
	opened fs.File      // kept open, so that the file's bytes outlive its name
	disk   *os.File     // opened, if it is a file of the system that may be mapped
	mtime  time.Time
}

// openFile opens name, which must be a regular file.
func openFile(fsys fs.FS, name string, noMap bool) (*file, error) {
	// Asked before opening: opening a pipe would wait for its other end, and
	// Stat opens where the file system has no better way.
	info, err := fs.Lstat(fsys, name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if info, err = fs.Stat(fsys, name); err != nil {
			return nil, badLink(name, err)
		}
	}
	if err != nil {
		return nil, cannotOpen(name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not an ordinary file: choose a folder that holds the model's files", quote(name))
	}
	opened, err := fsys.Open(name)
	if err != nil {
		return nil, cannotOpen(name, err)
	}
	f := &file{name: name, opened: opened}
	if err := f.attach(noMap); err != nil {
		opened.Close()
		return nil, cannotOpen(name, err)
	}
	return f, nil
}

func (f *file) attach(noMap bool) error {
	info, err := f.opened.Stat()
	if err != nil {
		return err
	}
	f.size, f.mtime = info.Size(), info.ModTime()
	f.disk = mappable(f.opened)
	if f.disk != nil && !noMap {
		// If the file system does not support mappings, the file is read
		// instead.
		if m, err := mapped.Map(f.disk, f.size); err == nil {
			f.mapped, f.source = m, m
			return nil
		}
	}
	if at, ok := f.opened.(io.ReaderAt); ok {
		f.source = at
		return nil
	}
	whole, err := io.ReadAll(io.LimitReader(f.opened, maxWhole+1))
	if err != nil {
		return err
	}
	if len(whole) > maxWhole {
		return fmt.Errorf("it is larger than %d bytes and its file system can only read it in one piece", maxWhole)
	}
	f.size, f.source = int64(len(whole)), bytes.NewReader(whole)
	return nil
}

// mappable returns the file of the system, or nil where there is none that may be mapped:
// a program cannot give up waiting for a page, so the opener of a file says whether
// its disk may fall silent.
func mappable(opened fs.File) *os.File {
	switch o := opened.(type) {
	case *os.File:
		return o
	case interface{ Mappable() *os.File }:
		return o.Mappable()
	}
	return nil
}

// ReadAt copies bytes out of the file. It is safe for concurrent use. It
// returns an error after Close, and once the file on disk has changed.
func (f *file) ReadAt(p []byte, off int64) (int, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.closed {
		return 0, fmt.Errorf("%s: %w: load the model again", quote(f.name), fs.ErrClosed)
	}
	n, err := f.source.ReadAt(p, off)
	// Check after the copy: a page that was truncated in the middle reads as
	// zeros without a fault, before and during the copy alike.
	if f.changed() || errors.Is(err, mapped.ErrShrunk) {
		return 0, fmt.Errorf("%s: %w: load the model again", quote(f.name), ErrFileChanged)
	}
	if err != nil && err != io.EOF {
		return n, fmt.Errorf("%s cannot be read: %w", quote(f.name), plain(err))
	}
	return n, err
}

// changed reports whether the file is no longer the one that was checked. A
// file that was deleted or replaced by a rename stays valid while it is open.
func (f *file) changed() bool {
	asked := f.opened
	if f.disk != nil {
		asked = f.disk
	}
	info, err := asked.Stat()
	return err == nil && (info.Size() != f.size || !info.ModTime().Equal(f.mtime))
}

// Close waits for reads in progress, then closes the file. If a device uses the
// mapping in place, the last such device closes it.
func (f *file) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil
	}
	f.closed = true
	return f.giveBack()
}

func (f *file) giveBack() error {
	if !f.closed || f.held > 0 {
		return nil
	}
	err := f.mapped.Unmap()
	f.mapped, f.source = nil, nil
	return errors.Join(err, f.opened.Close())
}

func cannotOpen(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is missing: download the model again or choose another folder: %w", quote(name), fs.ErrNotExist)
	}
	return fmt.Errorf("%s cannot be opened: %w", quote(name), plain(err))
}

// outOfRoot is how an [os.Root] refuses a link that leads out of it, for which it has no error to
// compare with.
const outOfRoot = "path escapes from parent"

// badLink is the error about a link that leads to no file that may be opened.
func badLink(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &missingError{fmt.Sprintf("%s is a link to a file that is missing: download it again, or put the file itself there", quote(name))}
	case plain(err).Error() == outOfRoot:
		return fmt.Errorf("%s is a link to something outside of the model's folder, which is not followed: put the file itself there", quote(name))
	}
	return cannotOpen(name, err)
}

// missingError is about a file that is not there, in a sentence of its own.
type missingError struct{ text string }

func (e *missingError) Error() string { return e.text }
func (e *missingError) Unwrap() error { return fs.ErrNotExist }

// plain removes the path from an error of the file system: the message already
// contains the name, and the rest of the path is private.
func plain(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
