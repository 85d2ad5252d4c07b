//go:build !darwin

package objc

import "errors"

// System returns the runtime of macOS, the only system with Metal.
func System() (Runtime, error) {
	return nil, errors.New("Metal is a part of macOS; this system has none")
}
