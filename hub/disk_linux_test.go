package hub

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"inglenook/hub/cache"
	"inglenook/hub/fault"
	"inglenook/hub/hubtest"
)

// smallDisk mounts a file system of some bytes.
func smallDisk(t *testing.T, bytes int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", bytes)); err != nil {
		t.Skipf("no file system can be mounted here (%v), so a full disk is not tried", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// On a disk that is full, or becomes full, a download pauses with a sentence, keeps what it
// has, and continues when there is room.
func TestFullDisk(t *testing.T) {
	const disk = 2 << 20
	file := hubtest.File{Path: "model.safetensors", Data: hubtest.Random(1<<20+99, 8), LFS: true}
	s := startHub(t)
	s.Add(hubtest.Repo{ID: "org/name", Files: []hubtest.File{file, {Path: "config.json", Data: []byte("{}")}}})
	for _, kib := range []int{0, 1, 4, 16, 64, 128, 200, 300, 400, 500, 700, 800, 900, 1024} {
		taken := disk - kib<<10
		for _, mode := range []string{"unseen", "foreseen", "noticed midway"} {
			t.Run(fmt.Sprintf("%d of %d bytes taken, %s", taken, disk, mode), func(t *testing.T) {
				dir := smallDisk(t, disk)
				ballast := filepath.Join(dir, "ballast")
				_ = os.WriteFile(ballast, make([]byte, taken), 0o600)
				cache := cache.Open(filepath.Join(dir, "hub"))
				c := connect(t, s.URL())
				switch mode {
				case "unseen":
					c.tuning.free = func(string) (int64, error) { return 1 << 40, nil }
				case "foreseen":
					c.tuning.reserve = 0
				case "noticed midway": // the first check sees enough room
					looks := 0
					c.tuning.reserve, c.tuning.recheck = 0, 100<<10
					c.tuning.free = func(dir string) (int64, error) {
						if looks++; looks == 1 {
							return 1 << 40, nil
						}
						return freeSpace(dir)
					}
				}
				s.Forget()
				_, err := c.Pull(context.Background(), cache, Request{ID: "org/name"}, nil)
				mustSay(t, err, fault.ErrDiskFull, "free some space")
				visibleIsRight(t, cache)
				if mode == "foreseen" && s.Sent() > 64<<10 {
					t.Errorf("%d bytes were fetched for nothing", s.Sent())
				}
				if err := os.Remove(ballast); err != nil {
					t.Fatal(err)
				}
				if _, err := c.Pull(context.Background(), cache, Request{ID: "org/name"}, nil); err != nil {
					t.Fatal(err)
				}
				mustHold(t, cache, "org/name", []hubtest.File{file})
				mustBeTidy(t, cache)
				removed, err := cache.Remove("org/name", "")
				if err != nil {
					t.Fatal(err)
				}
				if freed, err := cache.EmptyTrash(0); err != nil || freed != removed.Bytes || freed < int64(len(file.Data)) {
					t.Errorf("%d bytes freed (%v), %d promised", freed, err, removed.Bytes)
				}
			})
		}
	}
}

// A read-only disk, and a path that is no folder, are errors.
func TestDiskThatRefuses(t *testing.T) {
	s := startHub(t)
	s.Add(tinyRepo)
	c := connect(t, s.URL())
	dir := smallDisk(t, 1<<20)
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("a file system cannot be made read-only here: %v", err)
	}
	if _, err := c.Pull(context.Background(), cache.Open(filepath.Join(dir, "hub")), Request{ID: "org/tiny"}, nil); err == nil {
		t.Error("something was written to a read-only disk")
	} else {
		mustSay(t, err, err, "read-only file system", "check the folder's rights")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Pull(context.Background(), cache.Open(file), Request{ID: "org/tiny"}, nil); err == nil {
		t.Error("a file was taken for a folder")
	} else {
		mustSay(t, err, err, "not a directory")
	}
}
