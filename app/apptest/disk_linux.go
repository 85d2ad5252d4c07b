package apptest

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// SmallDisk mounts a disk of a size such as "8m" and returns its folder. The test is
// skipped where that may not be done.
func SmallDisk(t *testing.T, size string) string {
	t.Helper()
	disk := t.TempDir()
	if err := syscall.Mount("inglenook", disk, "tmpfs", 0, "size="+size); err != nil {
		t.Skip("a small disk cannot be mounted here; only the system's administrator may")
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	return disk
}

// Fill fills a disk; free frees it again.
func Fill(t *testing.T, disk string) (free func()) {
	t.Helper()
	ballast := filepath.Join(disk, "ballast")
	f, err := os.Create(ballast)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := f.Write(make([]byte, 4096)); err == nil; _, err = f.Write(make([]byte, 512)) {
	}
	f.Close()
	return func() {
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
	}
}
