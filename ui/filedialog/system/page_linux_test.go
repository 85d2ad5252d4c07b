package system

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Programs that can be told a page are told it, each in its own words.
func TestAtPage(t *testing.T) {
	for entry, want := range map[string]string{
		"org.gnome.Evince.desktop":             "evince --page-index=7 /a/b c.pdf",
		"okularApplication_pdf.desktop":        "okular --page 7 /a/b c.pdf",
		"org.kde.okular.desktop":               "okular --page 7 /a/b c.pdf",
		"org.pwmt.zathura-pdf-poppler.desktop": "zathura --page=7 /a/b c.pdf",
		"firefox.desktop":                      "firefox file:///a/b%20c.pdf#page=7",
		"mupdf.desktop":                        "mupdf /a/b c.pdf 7",
		"org.inkscape.Inkscape.desktop":        "",
		"":                                     "",
	} {
		if got := strings.Join(atPage(entry, "/a/b c.pdf", 7), " "); got != want {
			t.Errorf("%s: %q", entry, got)
		}
	}
}

// Where the desktop names none of them, or it cannot be started, the file is to be opened without its page.
func TestOpenerAt(t *testing.T) {
	open := OpenerAt()
	asked := program(t, "xdg-mime", "echo org.gnome.Evince.desktop")
	dir := filepath.Dir(asked)
	t.Setenv("PATH", dir)
	if open("/a/b.pdf", 3) {
		t.Error("a program that is not there shows a page")
	}
	said := filepath.Join(dir, "told")
	if err := os.WriteFile(filepath.Join(dir, "evince"), []byte("#!/bin/sh\nprintf '%s\\n' \"$@\" >"+said+".part\n/bin/mv "+said+".part "+said+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if !open("/a/b.pdf", 3) {
		t.Fatal("it is not opened")
	}
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if got, err := os.ReadFile(said); err == nil {
			if string(got) != "--page-index=3\n/a/b.pdf\n" {
				t.Errorf("it was told %q", got)
			}
			return
		}
	}
	t.Error("it was told nothing")
}
