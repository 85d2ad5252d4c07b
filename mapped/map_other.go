//go:build !linux && !darwin

package mapped

import (
	"errors"
	"os"
)

// Map returns [errors.ErrUnsupported] on this system: its callers read the file instead.
func Map(*os.File, int64) (Bytes, error) { return nil, errors.ErrUnsupported }

// Unmap has nothing to give back.
func (m Bytes) Unmap() error { return nil }

func (m Bytes) drop(off, n int) {}
