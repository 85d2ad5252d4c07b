package emulator

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Name is the library's file name beside the program.
const Name = "metal-emulator.so"

// ErrMissing reports that the library was not built; its text says how to build
// it.
var ErrMissing = errors.New("the library " + Name + " is not there: 'make build' builds it on Linux where g++ is installed")

// digest is the SHA-256 of the library that was built together with this program,
// in hexadecimal. The build sets it: -ldflags "-X inglenook/gpu/emulator.digest=...".
var digest string

// open opens the library at a path, or, if that is empty, the one that find
// finds. It reads the file, and runs nothing of it.
func open(path string) (*os.File, error) {
	beside := false
	if path == "" {
		var err error
		if path, beside, err = find(); err != nil {
			return nil, err
		}
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe would wait for its other end
	if errors.Is(err, fs.ErrNotExist) && beside {
		return nil, ErrMissing
	}
	if err != nil {
		return nil, fmt.Errorf("the emulator of Metal cannot be opened: %w", err)
	}
	if beside {
		err = built(file, digest)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// find returns the path of the library: $INGLENOOK_METAL_EMULATOR, or beside the
// running program, where anybody may have put it. Tests, which run from temporary
// folders, find it in build/metal of the repository.
func find() (path string, beside bool, err error) {
	if path := os.Getenv("INGLENOOK_METAL_EMULATOR"); path != "" {
		if _, err := os.Stat(path); err != nil {
			return "", false, fmt.Errorf("INGLENOOK_METAL_EMULATOR names no file: %w", err)
		}
		return path, false, nil
	}
	program, err := os.Executable()
	if err != nil {
		return "", false, fmt.Errorf("%w (%w)", ErrMissing, err)
	}
	if strings.HasSuffix(program, ".test") {
		path := filepath.Join(repository(), "build", "metal", "emulator.so")
		if _, err := os.Stat(path); err != nil {
			return "", false, ErrMissing
		}
		return path, false, nil
	}
	return filepath.Join(filepath.Dir(program), Name), true, nil
}

// built reports, as an error, that a file is not the library that was built
// together with this program.
func built(file *os.File, digest string) error {
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("the file %s beside the program is not a file: remove it, and 'make build' makes it anew", Name)
	}
	if digest == "" {
		return fmt.Errorf("this program was built without the emulator of Metal, so it does not load %s: use 'make build', or name the file in INGLENOOK_METAL_EMULATOR", Name)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return fmt.Errorf("the file %s cannot be read: %w", Name, err)
	}
	if hex.EncodeToString(sum.Sum(nil)) != digest {
		return fmt.Errorf("the file %s beside the program is not the one that was built with it, so it is not loaded: remove it, and 'make build' makes both anew", Name)
	}
	return nil
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
