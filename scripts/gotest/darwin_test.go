package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWithoutC(t *testing.T) {
	packages, err := withoutC("darwin", "arm64")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, p := range packages {
		found[p.ImportPath] = true
	}
	for path, want := range map[string]bool{
		"inglenook/metalbackend": true, "inglenook/metalbackend/objc": true, "inglenook/gpu/lower": true, "inglenook/engine": true,
		"inglenook/weights": true, "inglenook/models": true, "inglenook/jinja": true,
		"inglenook": false, "inglenook/cpubackend": false, "inglenook/tokenizer": false, "inglenook/pipeline": false,
	} {
		if found[path] != want {
			t.Errorf("%s is among those without C: %v", path, found[path])
		}
	}
}

// TestTypeCheck checks a module whose file for a Mac is wrong, then right.
func TestTypeCheck(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module toy\n\ngo 1.26\n")
	write("here_linux.go", "package toy\n\nfunc f() int { return 1 }\n")
	for source, want := range map[string]string{
		"package toy\n\nimport \"syscall\"\n\nfunc f() int { return syscall.O_EVTONLY }\n": "",
		"package toy\n\nfunc f() int { return \"one\" }\n":                                 "cannot use \"one\"",
		"package toy\n\nimport \"syscall\"\n\nfunc f() int { return syscall.O_TMPFILE }\n": "undefined: syscall.O_TMPFILE",
		"package toy\n\nimport \"net/http\"\n\nfunc f(*http.Client) {}\n":                  "",
	} {
		write("mac_darwin.go", source)
		switch err := typeCheck("darwin", "arm64", []string{"toy"}); {
		case err == nil && want != "", err != nil && (want == "" || !strings.Contains(err.Error(), want)):
			t.Errorf("%s\nis checked with the error %v, want %q", source, err, want)
		}
	}
}
