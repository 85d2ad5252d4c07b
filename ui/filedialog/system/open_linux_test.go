package system

import (
	"os"
	"strings"
	"testing"
)

// A desktop without a file manager says so only when xdg-open ends.
func TestOpener(t *testing.T) {
	open := Opener()
	said := program(t, "xdg-open", "exit 0")
	if err := open("/home/me/a b"); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(said); err != nil || string(got) != "/home/me/a b\n" {
		t.Errorf("it was asked for %q, %v", got, err)
	}
	program(t, "xdg-open", "echo 'xdg-open: no method available' >&2; exit 3")
	if err := open("/home/me"); err == nil || !strings.Contains(err.Error(), "no method available") {
		t.Errorf("no file manager: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if err := open("/home/me"); err == nil {
		t.Error("a program that is not there opens a folder")
	}
}
