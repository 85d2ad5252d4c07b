package system

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// program puts a program of that name first on the PATH; the script sees its arguments.
func program(t *testing.T, name, script string) (said string) {
	t.Helper()
	dir := t.TempDir()
	said = filepath.Join(dir, "arguments")
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\nprintf '%s\\n' \"$@\" >"+said+"\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	return said
}

func TestPrograms(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		path   string
		none   bool
		fail   bool
	}{
		"chosen":        {"printf '/home/me/ä b.gguf\\n'", "/home/me/ä b.gguf", false, false},
		"a line break":  {"printf '/a\\nb\\n'", "/a\nb", false, false},
		"cancelled":     {"echo 'Gtk-WARNING: a theme' >&2; exit 1", "", false, false},
		"says nothing":  {"exit 0", "", false, false},
		"no screen":     {"echo 'cannot open display: ' >&2; exit 1", "", true, false},
		"does not work": {"exit 127", "", true, false},
		"not a path":    {"echo here", "", false, true},
	} {
		for which, chooser := range map[string]Chooser{"zenity": zenity{}, "kdialog": kdialog{}} {
			program(t, which, c.script)
			paths, err := chooser.Choose(t.Context(), Ask{Kind: File})
			got := strings.Join(paths, "|")
			if got != c.path || errors.Is(err, ErrNone) != c.none || (err != nil) != (c.none || c.fail) {
				t.Errorf("%s, %s: %q, %v", which, name, got, err)
			}
		}
	}
	t.Setenv("PATH", t.TempDir())
	for _, chooser := range []Chooser{zenity{}, kdialog{}} {
		if _, err := chooser.Choose(t.Context(), Ask{}); !errors.Is(err, ErrNone) {
			t.Errorf("a program that is not there: %v", err)
		}
	}
}

func TestProgramsAreAsked(t *testing.T) {
	for which, chooser := range map[string]Chooser{"zenity": zenity{}, "kdialog": kdialog{}} {
		for _, c := range []struct {
			ask  Ask
			want []string
		}{
			{Ask{Kind: File, Extensions: []string{".gguf"}}, []string{"*.[gG][gG][uU][fF]"}},
			{Ask{Kind: Folder}, []string{"directory"}},
			{Ask{Kind: Files}, []string{"--multiple", "--separat"}},
			{Ask{Kind: Save, Name: "a.csv"}, []string{"save", "a.csv"}},
		} {
			said := program(t, which, "echo /a")
			if _, err := chooser.Choose(t.Context(), c.ask); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(said)
			for _, want := range c.want {
				if err != nil || !strings.Contains(string(got), want) {
					t.Errorf("%s is asked %q, without %q (%v)", which, got, want, err)
				}
			}
		}
	}
}

// Several files are chosen together, also one whose name has a line break; one that is no path spoils
// them.
func TestProgramsGiveSeveralFiles(t *testing.T) {
	for which, chooser := range map[string]Chooser{"zenity": zenity{}, "kdialog": kdialog{}} {
		program(t, which, "printf '/a b.txt\\n/c\\nd.txt\\n/e/../f\\n'")
		if got, err := chooser.Choose(t.Context(), Ask{Kind: Files}); err != nil || !slices.Equal(got, []string{"/a b.txt", "/c\nd.txt", "/f"}) {
			t.Errorf("%s: %q, %v", which, got, err)
		}
		program(t, which, "echo here")
		if got, err := chooser.Choose(t.Context(), Ask{Kind: Files}); err == nil || got != nil {
			t.Errorf("%s: %q, %v", which, got, err)
		}
	}
}

// The end of the window ends the program.
func TestProgramIsCancelled(t *testing.T) {
	said := program(t, "zenity", "exec sleep 600")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for { // until it runs
			if _, err := os.Stat(said); err == nil {
				cancel()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if _, err := (zenity{}).Choose(ctx, Ask{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Addresses of any kind give a path of this computer, or a sentence.
func FuzzPathOf(f *testing.F) {
	for _, s := range []string{"file:///a", "file://localhost/a%20b", "smb://x/y", "%", "file:", "file:///%00", "file:////a/../b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, address string) {
		path, err := pathOf(address)
		if err == nil && (!filepath.IsAbs(path) || strings.ContainsRune(path, 0) || filepath.Clean(path) != path) {
			t.Errorf("%q is the path %q", address, path)
		}
	})
}
