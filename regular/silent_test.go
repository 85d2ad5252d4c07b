package regular_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"inglenook/regular"
	"inglenook/regular/regulartest"
)

// calls are the calls for a file at a path.
var calls = map[string]struct {
	needs regulartest.Silence // what it waits for
	call  func(ctx context.Context, dir string) error
}{
	"open": {regulartest.Opening, func(ctx context.Context, dir string) error {
		return closed(regular.Open(ctx, filepath.Join(dir, "file")))
	}},
	"stat": {regulartest.Opening, func(ctx context.Context, dir string) error {
		_, err := regular.Stat(ctx, filepath.Join(dir, "file"))
		return err
	}},
	"links": {regulartest.Opening, func(ctx context.Context, dir string) error {
		_, err := regular.EvalSymlinks(ctx, filepath.Join(dir, "file"))
		return err
	}},
	"read": {regulartest.Reading, func(ctx context.Context, dir string) error {
		_, err := regular.ReadFile(ctx, filepath.Join(dir, "file"), 100)
		return err
	}},
	"list": {regulartest.Listing, func(ctx context.Context, dir string) error {
		_, err := regular.ReadDir(ctx, dir)
		return err
	}},
	"root": {regulartest.Opening, func(ctx context.Context, dir string) error {
		root, err := regular.OpenRoot(ctx, filepath.Join(dir, "folder"))
		if err == nil {
			root.Close()
		}
		return err
	}},
	"root open":  {regulartest.Opening, within(func(f fs.FS) error { return closed(f.Open("file")) })},
	"root stat":  {regulartest.Opening, within(func(f fs.FS) error { _, err := fs.Stat(f, "file"); return err })},
	"root lstat": {regulartest.Opening, within(func(f fs.FS) error { _, err := fs.Lstat(f, "file"); return err })},
	"root read":  {regulartest.Reading, within(func(f fs.FS) error { _, err := fs.ReadFile(f, "file"); return err })},
	"root list":  {regulartest.Listing, within(func(f fs.FS) error { _, err := fs.ReadDir(f, "."); return err })},
	"root read at": {regulartest.Reading, within(func(f fs.FS) error {
		file, err := f.Open("file")
		if err != nil {
			return err
		}
		defer file.Close()
		if _, err := file.(io.ReaderAt).ReadAt(make([]byte, 2), 1); err != nil {
			return err
		}
		_, err = file.(io.Seeker).Seek(0, io.SeekEnd)
		return err
	})},
}

func within(call func(fs.FS) error) func(context.Context, string) error {
	return func(ctx context.Context, dir string) error {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return err
		}
		defer root.Close()
		return call(regular.FS(ctx, root))
	}
}

func closed(f io.Closer, err error) error {
	if err != nil {
		return err
	}
	return f.Close()
}

func files() map[string][]byte {
	return map[string][]byte{"file": []byte("text"), "folder/other": []byte("text")}
}

// TestSilentDisk makes every call on a disk whose server answers, then on one that does
// not. Such a call ends when its time is over, or at once when its context ends.
func TestSilentDisk(t *testing.T) {
	for name, c := range calls {
		t.Run(name, func(t *testing.T) {
			disk := regulartest.NewDisk(t, files())
			if err := c.call(t.Context(), disk.Dir); err != nil {
				t.Fatalf("a disk that answers: %v", err)
			}
			for _, path := range []string{"file", "folder"} {
				disk.Silence(t, path, c.needs)
			}
			if c.needs == regulartest.Listing {
				disk.Silence(t, "", c.needs)
			}
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(20*time.Millisecond, cancel)
			if err := ends(t, c.call, ctx, disk.Dir); !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled: %v", err)
			}
			defer regular.SetPatience(30 * time.Millisecond)()
			if err := ends(t, c.call, t.Context(), disk.Dir); !errors.Is(err, regular.ErrNoAnswer) {
				t.Errorf("in the end: %v", err)
			}
		})
	}
}

// TestSilenceIsRemembered calls a silent disk again: the error is returned at once. When
// the disk answers again, the file can be read.
func TestSilenceIsRemembered(t *testing.T) {
	disk := regulartest.NewDisk(t, files())
	root, err := os.OpenRoot(disk.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	folder := regular.FS(t.Context(), root)
	disk.Silence(t, "file", regulartest.Reading)
	restore := regular.SetPatience(30 * time.Millisecond)
	_, err = fs.ReadFile(folder, "file")
	restore()
	if !errors.Is(err, regular.ErrNoAnswer) {
		t.Fatal(err)
	}
	err = ends(t, func(context.Context, string) error { _, err := fs.Stat(folder, "folder/other"); return err }, t.Context(), "")
	if !errors.Is(err, regular.ErrNoAnswer) {
		t.Errorf("another file: %v", err)
	}
	disk.End()
	for deadline := time.Now().Add(regulartest.Soon); errors.Is(err, regular.ErrNoAnswer); _, err = fs.Stat(folder, "file") {
		if time.Now().After(deadline) {
			t.Fatal("what was silent is refused for ever")
		}
		time.Sleep(time.Millisecond)
	}
}

// ends makes a call and returns its error, or ends the test if the call hangs.
func ends(t *testing.T, call func(context.Context, string) error, ctx context.Context, dir string) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- call(ctx, dir) }()
	select {
	case err := <-done:
		return err
	case <-time.After(regulartest.Soon):
		t.Fatal("it hangs")
		return nil
	}
}
