// Package smallfile reads the small files of a checkpoint, such as config.json,
// whole. It refuses a file that is far larger than any real one, and it does not
// know what the files mean.
package smallfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"inglenook/models"
)

// maxBytes bounds a file.
const maxBytes = 16 << 20

// Read returns the whole file.
func Read(fsys fs.FS, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) { // which names the file too
			err = path.Err
		}
		return nil, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	if len(data) > maxBytes {
		return nil, fmt.Errorf("%s is larger than %d bytes, more than any real one; get the checkpoint again", name, maxBytes)
	}
	return data, nil
}

// JSON decodes a JSON file into v and reports whether the file exists.
func JSON(fsys fs.FS, name string, v any) (bool, error) {
	data, err := Read(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := json.Unmarshal(models.PlainJSON(data), v); err != nil {
		return false, fmt.Errorf("%s is not what it should be (%w); get the checkpoint again", name, err)
	}
	return true, nil
}
