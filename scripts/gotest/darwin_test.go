package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWithoutC(t *testing.T) {
	all, err := list("darwin", "arm64", "CGO_ENABLED=1", "inglenook/...")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, p := range withoutC(all) {
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

// TestCheckDarwin checks a module that was right once, until one of its files is another one.
func TestCheckDarwin(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.MkdirAll("build", 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const right, wrong = "package toy\n\nfunc f() int { return 1 }\n", "package toy\n\nfunc f() int { return x }\n"
	write("go.mod", "module inglenook\n\ngo 1.26\n")
	for _, file := range []string{"mac_darwin.go", "mac_darwin_amd64.go"} {
		write(file, right)
		for range 2 {
			if err := checkDarwin(); err != nil {
				t.Fatal(err)
			}
		}
		write(file, wrong)
		if err := checkDarwin(); err == nil || !strings.Contains(err.Error(), "undefined: x") {
			t.Errorf("a wrong %s gives %v", file, err)
		}
		_, sum, err := forDarwin()
		if err != nil {
			t.Fatal(err)
		}
		write(darwinChecked, sum)
		if err := checkDarwin(); err != nil {
			t.Errorf("what was right is checked again: %v", err)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
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
