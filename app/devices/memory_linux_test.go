package devices

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAvailableMemory(t *testing.T) {
	if got := AvailableMemory(); got < 1<<20 || got > 1<<50 {
		t.Errorf("%d bytes are available", got)
	}
	for text, want := range map[string]int64{
		"MemTotal:  10 kB\nMemAvailable:    2048 kB\nBuffers: 1 kB\n": 2 << 20,
		"MemTotal:  10 kB\n":           0,
		"MemAvailable: many kB\n":      0,
		"MemAvailable: -4 kB\n":        0,
		"":                             0,
		"MemAvailable: 99999999999999": 99999999999999 << 10,
	} {
		if got := parseMemAvailable(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestGroupRoom(t *testing.T) {
	root := t.TempDir()
	write := func(group, name, text string) {
		t.Helper()
		dir := filepath.Join(root, group)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files := groupFiles{root, "memory.max", "memory.current", "inactive_file"}
	if got := groupRoom(files, "/none"); got != 1<<62 {
		t.Errorf("without limits: %d", got)
	}
	write("a", "memory.max", "1000\n")
	write("a", "memory.current", "300\n")
	write("a/b", "memory.max", "max\n")
	write("a/b", "memory.current", "200\n")
	if got := groupRoom(files, "/a/b"); got != 700 {
		t.Errorf("the group above leaves %d, want 700", got)
	}
	write("a/b", "memory.max", "250\n")
	if got := groupRoom(files, "/a/b"); got != 50 {
		t.Errorf("the own group leaves %d, want 50", got)
	}
	write("a/b", "memory.current", "400\n")
	if got := groupRoom(files, "/a/b"); got != 1 {
		t.Errorf("a group over its limit leaves %d", got)
	}
	write("a/b", "memory.stat", "anon 3\ninactive_file 170\n")
	if got := groupRoom(files, "/a/b"); got != 20 {
		t.Errorf("with files in its cache, the own group leaves %d, want 20", got)
	}
}

func TestOwnGroup(t *testing.T) {
	lines := "9:name=systemd:/\n5:memory:/docker/x\n0::/user/y\n"
	for mark, want := range map[string]string{"0::": "/user/y", ":memory:": "/docker/x", ":none:": "/"} {
		if got := ownGroup(lines, mark); got != want {
			t.Errorf("%s: %s, want %s", mark, got, want)
		}
	}
}
