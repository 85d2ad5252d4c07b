//go:build !linux && !darwin

package vectors

import (
	"errors"
	"os"
)

// Without a mapping, rows are read.
func mapFile(*os.File, int64) ([]byte, error) { return nil, errors.ErrUnsupported }

func unmap([]byte) error { return nil }
