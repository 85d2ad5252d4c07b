//go:build !darwin

package objc

import (
	"errors"
	"os"
)

// PageSize returns the size of the system's pages of memory.
func PageSize() int { return os.Getpagesize() }

// System returns the runtime of macOS, the only system with Metal.
func System() (Runtime, error) {
	return nil, errors.New("Metal is only on Macs")
}
