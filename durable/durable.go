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

// unfinished is the suffix of the names of temporary files.
const unfinished = "-*.tmp"

// Write replaces the contents of a file with data. It creates the folder if necessary.
func Write(path string, data []byte, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return Replace(path, mode, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Replace replaces a file with what write writes. The data goes to a temporary file in the same
// folder, which is synced and then renamed. Until then only its owner can read it.
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

// Unfinished reports whether name is that of a temporary file which a crash left behind, for a
// file whose name matches the pattern.
func Unfinished(pattern, name string) bool {
	ours, _ := filepath.Match(pattern+unfinished, name)
	return ours
}

// SyncFolder makes creations and renames in a folder survive a power cut.
func SyncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	_ = d.Sync() // some file systems cannot sync a folder; the rename has happened all the same
	return nil
}
