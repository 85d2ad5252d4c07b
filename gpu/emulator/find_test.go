package emulator

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestOnlyTheBuiltLibrary puts other files in the place of the library: only the one
// whose digest the build wrote into the program is accepted.
func TestOnlyTheBuiltLibrary(t *testing.T) {
	sum := sha256.Sum256([]byte("built"))
	digest := hex.EncodeToString(sum[:])
	path := filepath.Join(t.TempDir(), Name)
	for what, c := range map[string]struct {
		put    func() error
		digest string
		want   string
	}{
		"the built one":   {func() error { return os.WriteFile(path, []byte("built"), 0o600) }, digest, ""},
		"another":         {func() error { return os.WriteFile(path, []byte("Built"), 0o600) }, digest, "is not the one that was built"},
		"longer":          {func() error { return os.WriteFile(path, []byte("built "), 0o600) }, digest, "is not the one that was built"},
		"empty":           {func() error { return os.WriteFile(path, nil, 0o600) }, digest, "is not the one that was built"},
		"no digest":       {func() error { return os.WriteFile(path, []byte("built"), 0o600) }, "", "built without the emulator"},
		"a folder":        {func() error { return os.Mkdir(path, 0o700) }, digest, "is not a file"},
		"the null device": {func() error { return os.Symlink(os.DevNull, path) }, digest, "is not a file"},
	} {
		os.Remove(path)
		if err := c.put(); err != nil {
			t.Fatal(err)
		}
		file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := built(file, c.digest); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
		file.Close()
	}
}

// TestOpenRunsNothing opens the library: none of its code is in the process before
// the first launch.
func TestOpenRunsNothing(t *testing.T) {
	e, err := Open("")
	if errors.Is(err, ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if e.run != 0 {
		t.Error("it is loaded already")
	}
	if _, err := e.Checks(); err != nil || e.run == 0 {
		t.Errorf("it is not loaded (%v)", err)
	}
	foreign := filepath.Join(t.TempDir(), Name)
	if err := os.WriteFile(foreign, []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	if e, err = Open(foreign); err != nil { // named by its path: it is accepted, and fails when it is used
		t.Fatal(err)
	}
	if _, err := e.Checks(); err == nil || !strings.Contains(err.Error(), "cannot be opened") {
		t.Errorf("error %v", err)
	}
}
