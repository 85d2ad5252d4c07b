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
)

// ErrFileChanged is wrapped by errors about a file that became shorter or was
// written to while it was open. What was read from it before is still good.
var ErrFileChanged = errors.New("the file was cut short or replaced while it was open")

// maxWhole is how large a file may be that can only be read in one piece.
const maxWhole = 1 << 30

// file is one open file of a checkpoint: mapped where the system can, else
// read at an offset, else held in memory. Its bytes are only ever copied out.
type file struct {
	name string
	size int64

	mu     sync.RWMutex // ReadAt shares it, Close takes it alone
	closed bool
	held   int // devices that read the mapping in place
	source io.ReaderAt
	mapped mapping  // nil unless source is a mapping
	opened fs.File  // kept open, so that the file's bytes outlive its name
	disk   *os.File // opened, where it is a file of the system
	mtime  time.Time
}

// openFile opens name, which must be an ordinary file.
func openFile(fsys fs.FS, name string, noMap bool) (*file, error) {
	// Asked before opening: opening a pipe would wait for its other end, and
	// Stat opens where the file system has no better way.
	info, err := fs.Lstat(fsys, name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		info, err = fs.Stat(fsys, name)
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
	f.disk, _ = f.opened.(*os.File)
	if f.disk != nil && !noMap {
		// A file system without mappings is no failure: the file is read.
		if m, err := mapFile(f.disk, f.size); err == nil {
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

// ReadAt copies bytes out of the file. It may be called from any goroutine.
// After Close, and once the file on the disk has changed, it is an error.
func (f *file) ReadAt(p []byte, off int64) (int, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.closed {
		return 0, fmt.Errorf("%s: %w: load the model again", quote(f.name), fs.ErrClosed)
	}
	n, err := f.source.ReadAt(p, off)
	// Looked at after the copy: a page that was cut in the middle reads as
	// zeros without a fault, before and during the copy alike.
	if f.changed() || errors.Is(err, errFault) {
		return 0, fmt.Errorf("%s: %w: load the model again", quote(f.name), ErrFileChanged)
	}
	if err != nil && err != io.EOF {
		return n, fmt.Errorf("%s cannot be read: %w", quote(f.name), plain(err))
	}
	return n, err
}

// changed tells whether the file is no longer the one that was checked. One
// that was deleted or replaced by a rename lives on while it is open.
func (f *file) changed() bool {
	if f.disk == nil {
		return false
	}
	info, err := f.disk.Stat()
	return err == nil && (info.Size() != f.size || !info.ModTime().Equal(f.mtime))
}

// Close waits for reads under way, then gives the file back, or leaves that to
// the last device that reads it in place.
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
	err := f.mapped.unmap()
	f.mapped, f.source = nil, nil
	return errors.Join(err, f.opened.Close())
}

func cannotOpen(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is missing: download the model again or choose another folder: %w", quote(name), fs.ErrNotExist)
	}
	return fmt.Errorf("%s cannot be opened: %w", quote(name), plain(err))
}

// plain drops the path from an error of the file system: the name is said
// already, and the rest of the path is nobody's business.
func plain(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
