package regular

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestKinds opens every kind of file in each way.
func TestKinds(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.WriteFile(path("file"), []byte("text"), 0o600),
		os.Mkdir(path("folder"), 0o700),
		syscall.Mkfifo(path("pipe"), 0o600),
		os.Symlink("pipe", path("link-to-pipe")),
		os.Symlink("file", path("link")),
		os.Symlink("loop", path("loop")),
		os.Symlink("none", path("dangling")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	listener, err := net.Listen("unix", path("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	ways := map[string]func(name string) (fs.File, error){
		"path": func(name string) (fs.File, error) { return Open(t.Context(), path(name)) },
		"root": func(name string) (fs.File, error) { return OpenIn(t.Context(), root, name) },
		"fs":   func(name string) (fs.File, error) { return FS(t.Context(), root).Open(name) },
	}
	for way, open := range ways {
		for name, want := range map[string]error{
			"file": nil, "link": nil, "folder": nil,
			"pipe": ErrNotRegular, "link-to-pipe": ErrNotRegular, "socket": ErrNotRegular,
			"loop": syscall.ELOOP, "dangling": fs.ErrNotExist, "none": fs.ErrNotExist,
		} {
			f, err := open(name)
			if !errors.Is(err, want) {
				t.Errorf("%s, %s: %v, want %v", way, name, err, want)
			}
			if err != nil {
				continue
			}
			if name != "folder" {
				if data, err := io.ReadAll(f); err != nil || string(data) != "text" {
					t.Errorf("%s, %s: %q, %v", way, name, data, err)
				}
			}
			f.Close()
		}
	}
	if f, err := Open(t.Context(), os.DevNull); !errors.Is(err, ErrNotRegular) {
		t.Errorf("the null device: %v, %v", f, err)
	}
	if data, err := fs.ReadFile(FS(t.Context(), root), "file"); err != nil || string(data) != "text" {
		t.Errorf("ReadFile: %q, %v", data, err)
	}
	if _, err := fs.ReadFile(FS(t.Context(), root), "pipe"); !errors.Is(err, ErrNotRegular) {
		t.Errorf("ReadFile of a pipe: %v", err)
	}
}

// TestNoAnswer opens a file of a disk that answers too late: the file is closed again.
func TestNoAnswer(t *testing.T) {
	defer SetPatience(10 * time.Millisecond)()
	answer := make(chan struct{})
	file, err := os.Open(".")
	if err != nil {
		t.Fatal(err)
	}
	_, err = open(t.Context(), "/x", "x", func() (*os.File, error) { <-answer; return file, nil })
	if !errors.Is(err, ErrNoAnswer) {
		t.Errorf("error %v", err)
	}
	close(answer)
	deadline := time.Now().Add(5 * time.Second)
	for {
		if _, err := file.Stat(); errors.Is(err, os.ErrClosed) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the file that came too late stays open")
		}
		time.Sleep(time.Millisecond)
	}
}
