//go:build linux || darwin

package weights

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestPipe checks that a pipe with the name of the weights, to which nothing is written,
// is refused without waiting.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
	must(t, syscall.Mkfifo(filepath.Join(dir, "sub", singleFile), 0o644))
	root, err := os.OpenRoot(dir)
	must(t, err)
	defer root.Close()
	refused(t, root.FS(), Options{File: "sub/" + singleFile}, "not an ordinary file")
	sub, err := fs.Sub(root.FS(), "sub")
	must(t, err)
	refused(t, sub, Options{}, "not an ordinary file")
}

// TestPagesGoBack checks that reading a large weight leaves no second copy in the
// program's memory.
func TestPagesGoBack(t *testing.T) {
	const n = 32 << 20
	s := mustOpen(t, onDisk(t, n).FS(), Options{})
	w, err := s.Tensor("w")
	must(t, err)
	before := mappedMemory(t)
	p := make([]byte, 1<<20)
	for off := int64(0); off < n; off += int64(len(p)) {
		if _, err := w.Source().ReadAt(p, off); err != nil {
			t.Fatal(err)
		}
	}
	if grown := mappedMemory(t) - before; grown > n/8 {
		t.Errorf("%d MiB of the file are still in memory", grown>>20)
	}
}

// mappedMemory returns how many bytes of mapped files count as this process's memory.
func mappedMemory(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("this system does not tell the memory of mapped files")
	}
	must(t, err)
	_, rest, _ := strings.Cut(string(status), "RssFile:")
	kB, err := strconv.Atoi(strings.Fields(rest)[0])
	must(t, err)
	return kB << 10
}
