// Command licenses writes THIRD_PARTY_LICENSES.md to its standard output: every Go module that the
// program links on Linux or macOS, every Rust crate in the tokenizer library, with version, licence
// and copyright, and the text of each licence once. It reads the module cache and asks cargo.
package main

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"text/template"
)

//go:embed page.md.tmpl
var page string

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

func run() error {
	modules, err := goModules()
	if err != nil {
		return err
	}
	crates, err := rustCrates()
	if err != nil {
		return err
	}
	texts := map[string]string{} // licence id to its shortest text
	var unknown []error
	for i := range modules {
		if err := modules[i].readNotices(texts); err != nil {
			unknown = append(unknown, err)
		}
	}
	if len(unknown) > 0 {
		return errors.Join(unknown...)
	}
	tmpl, err := template.New("page").Parse(page)
	if err != nil {
		return err
	}
	return tmpl.Execute(os.Stdout, map[string]any{
		"Modules": modules,
		"Crates":  crates,
		"Texts":   texts,
	})
}

// module is a Go module that is linked.
type module struct {
	Path, Version string
	Notices       []notice

	dir string
}

// goModules lists the modules that packages of the program come from, on any of its platforms.
func goModules() ([]module, error) {
	found := map[string]module{}
	for _, goos := range []string{"linux", "darwin"} {
		cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}} {{.Dir}}{{end}}", ".")
		cmd.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=1")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", goos, err)
		}
		for line := range strings.Lines(string(out)) {
			fields := strings.SplitN(strings.TrimSpace(line), " ", 3)
			if len(fields) == 3 && fields[1] != "" { // our own module has no version
				found[fields[0]] = module{Path: fields[0], Version: fields[1], dir: fields[2]}
			}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b module) int {
		return cmp.Compare(a.Path, b.Path)
	}), nil
}

// crate is a Rust crate that is compiled into the tokenizer library.
type crate struct{ Name, Version, License string }

// rustCrates lists what the lock file of the tokenizers module compiles in, by its manifests' word.
func rustCrates() ([]crate, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/daulet/tokenizers").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	cargo, err := exec.Command("scripts/cargo.sh").Output()
	if err != nil {
		return nil, fmt.Errorf("scripts/cargo.sh: %w", err)
	}
	found := map[crate]bool{}
	for _, target := range []string{"x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "aarch64-apple-darwin"} {
		cmd := exec.Command(strings.TrimSpace(string(cargo)), "tree", "--locked", "--edges", "normal,no-proc-macro",
			"--prefix", "none", "--no-dedupe", "--target", target, "--format", "{p}|{l}")
		cmd.Dir, cmd.Stderr = strings.TrimSpace(string(dir)), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("cargo tree: %w", err)
		}
		for line := range strings.Lines(string(out)) {
			// "regex v1.11.1|MIT OR Apache-2.0"; the first line is the library's own, with its folder.
			name, license, _ := strings.Cut(strings.TrimSpace(line), "|")
			if fields := strings.Fields(name); len(fields) == 2 {
				found[crate{fields[0], strings.TrimPrefix(fields[1], "v"), strings.ReplaceAll(license, "/", " OR ")}] = true
			}
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b crate) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version))
	}), nil
}
