package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"inglenook/regular"
)

const (
	logFileBytes = 2 << 20
	logFiles     = 3
)

// rotatingFile is an append-only file of a bounded size: before it would grow
// past max it becomes name.1, name.1 becomes name.2, and the oldest goes. A
// write that fails (disk full, folder gone) is dropped: a log must not stop
// the program. Several processes may append to the same file.
type rotatingFile struct {
	path string
	max  int64
	keep int // files altogether

	mu   sync.Mutex
	file *os.File
	size int64
}

func openRotating(path string, max int64, keep int) (*rotatingFile, error) {
	r := &rotatingFile{path: path, max: max, keep: keep}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return r, r.open()
}

func (r *rotatingFile) open() error {
	f, err := regular.OpenOwn(r.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return err
	}
	r.file, r.size = f, info.Size()
	return nil
}

// Write appends p as one piece. It never fails.
func (r *rotatingFile) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return len(p), nil
	}
	if r.size > 0 && r.size+int64(len(p)) > r.max {
		r.rotate()
	}
	if r.file != nil {
		n, _ := r.file.Write(p)
		r.size += int64(n)
	}
	return len(p), nil
}

// rotate shifts the files, unless another process has done so meanwhile.
func (r *rotatingFile) rotate() {
	ours, err := r.file.Stat()
	r.file.Close()
	r.file = nil
	if err == nil {
		r.shift(ours)
	}
	_ = r.open()
}

// shift renames the files if the newest one is still ours. Two processes that
// did so at a time would rename one file over another: a lock keeps them apart.
// Where it can't be had soon the file just grows.
func (r *rotatingFile) shift(ours os.FileInfo) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	lock := regular.NewLock(r.path+".lock", 0o600)
	if ok, err := lock.TryLockContext(ctx, time.Millisecond); err != nil || !ok {
		return
	}
	defer lock.Close()
	if now, err := os.Stat(r.path); err != nil || !os.SameFile(ours, now) {
		return
	}
	for i := r.keep - 1; i > 0; i-- {
		_ = os.Rename(r.numbered(i-1), r.numbered(i))
	}
}

func (r *rotatingFile) numbered(i int) string {
	if i == 0 {
		return r.path
	}
	return fmt.Sprintf("%s.%d", r.path, i)
}

// Close ends the file; later writes are dropped.
func (r *rotatingFile) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	r.file = nil
	return err
}
