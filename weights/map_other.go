//go:build !linux && !darwin

package weights

import (
	"errors"
	"os"
)

func mapFile(*os.File, int64) (mapping, error) { return nil, errors.ErrUnsupported }

func (m mapping) unmap() error { return nil }

func (m mapping) drop(off, n int) {}
