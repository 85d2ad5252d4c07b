package emulator

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Name is the library's file name beside the program.
const Name = "metal-emulator.so"

// ErrMissing reports that the library was not built; its text says how to build
// it.
var ErrMissing = errors.New("the library " + Name + " is not there: 'make build' builds it on Linux where g++ is installed")

// Find returns the path of the library: $INGLENOOK_METAL_EMULATOR, or beside the
// running program. Tests, which run from temporary folders, find it in
// build/metal of the repository.
func Find() (string, error) {
	if path := os.Getenv("INGLENOOK_METAL_EMULATOR"); path != "" {
		if _, err := os.Stat(path); err != nil {
			return "", fmt.Errorf("INGLENOOK_METAL_EMULATOR names no file: %w", err)
		}
		return path, nil
	}
	program, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("%w (%w)", ErrMissing, err)
	}
	path := filepath.Join(filepath.Dir(program), Name)
	if strings.HasSuffix(program, ".test") {
		path = filepath.Join(repository(), "build", "metal", "emulator.so")
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", ErrMissing
	} else if err != nil {
		return "", fmt.Errorf("%w (%w)", ErrMissing, err)
	}
	return path, nil
}

// repository returns the closest folder around the working one that has a go.mod, or "".
func repository() string {
	folder, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(folder, "go.mod")); missing == nil {
			return folder
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			break
		}
		folder = parent
	}
	return ""
}
