package base

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ReplaceFile writes data to path so that a crash at any moment leaves the old
// file or the new one, never a part: a temporary file with a name of its own,
// synced, renamed over path, the folder synced.
func ReplaceFile(path string, data []byte, mode fs.FileMode) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := f.Chmod(mode); err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes a rename in dir survive a power cut.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	// Some file systems refuse to sync a folder; the rename is done all the same.
	_ = d.Sync()
	return nil
}

// copyAside copies path to a free name that begins with path and label, and
// gives that name. A copy that is there already serves.
func copyAside(path, label string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	for i := range 1000 {
		name := fmt.Sprintf("%s.%s", path, label)
		if i > 0 {
			name = fmt.Sprintf("%s-%d", name, i+1)
		}
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if os.IsExist(err) {
			if have, err := os.ReadFile(name); err == nil && bytes.Equal(have, data) {
				return name, nil
			}
			continue
		}
		if err != nil {
			return "", err
		}
		if _, err := f.Write(data); err != nil {
			f.Close()
			os.Remove(name)
			return "", err
		}
		return name, f.Close()
	}
	return "", fmt.Errorf("%s: too many copies with the label %s", path, label)
}
