// Package durable replaces files so that a crash at any moment leaves the old file or the new
// one, never a part. It is for small and large files that one process writes.
package durable

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// unfinished is the end of the names of temporary files.
const unfinished = "-*.tmp"

// Write replaces a file by data. It makes the folder if there is none.
func Write(path string, data []byte, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return Replace(path, mode, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Replace replaces a file by what write writes: into a temporary file beside it, which is synced
// and renamed. The file is only its owner's while it is written.
func Replace(path string, mode fs.FileMode, write func(io.Writer) error) error {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, filepath.Base(path)+unfinished)
	if err != nil {
		return err
	}
	err = errors.Join(f.Chmod(mode), write(f))
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return err
	}
	return SyncFolder(dir)
}

// Unfinished reports whether a name is that of a temporary file that a crash left of a file
// whose name matches the pattern.
func Unfinished(pattern, name string) bool {
	ours, _ := filepath.Match(pattern+unfinished, name)
	return ours
}

// SyncFolder makes what was created or renamed in a folder survive a power cut.
func SyncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	_ = d.Sync() // some file systems refuse to sync a folder; what was done is done all the same
	return nil
}
