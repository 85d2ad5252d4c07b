package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCargo puts a cargo without a toolchain first on the PATH, like rustup does, and one that
// works after it.
func TestCargo(t *testing.T) {
	broken, works := t.TempDir(), t.TempDir()
	write := func(dir, script string) {
		if err := os.WriteFile(filepath.Join(dir, "cargo"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(broken, "echo 'error: rustup could not choose a version of cargo to run' >&2; exit 1")
	write(works, "echo 'cargo 1.85.0 (d73d2caf9 2024-12-31)'")
	cmd := exec.Command("sh", "../cargo.sh")
	cmd.Env = append(os.Environ(), "CARGO=", "PATH="+broken+":"+works+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if got, want := strings.TrimSpace(string(out)), filepath.Join(works, "cargo"); err != nil || got != want {
		t.Errorf("the cargo is %q, not %q: %v", got, want, err)
	}
}
