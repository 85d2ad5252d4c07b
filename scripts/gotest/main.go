// Command gotest vets the module (for macOS too, where that takes no C compiler), runs its tests and
// prints what a person wants to read: the output of what failed, a line for each package, why tests
// were skipped, and at the end "N passed, N failed". Extra arguments go to go test.
//
// Packages that start goroutines run under the race detector. Those that import Fyne do not: their
// code runs on one goroutine by contract, and compiling Fyne a second time would take minutes. The
// reference backend does not either: the detector makes its plain float64 loops ten times as slow.
//
// A test with subtests is not counted itself, unless it fails where no subtest did. A package that
// does not build, or whose process dies, counts as one failure.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	plain, raced, err := packages()
	if err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		os.Exit(1)
	}

	vetted := stream(os.Stdout, "vet", "./...") == nil
	if err := checkDarwin(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		vetted = false
	}
	sum := newSummary(os.Stdout)
	finished := true
	for _, run := range []struct {
		flags, packages []string
	}{{[]string{"-race"}, raced}, {nil, plain}} {
		if len(run.packages) == 0 {
			continue
		}
		args := append([]string{"test", "-json", "-vet=off"}, run.flags...)
		args = append(append(args, os.Args[1:]...), run.packages...)
		finished = stream(sum, args...) == nil && finished
	}

	sum.print()
	if !vetted {
		fmt.Println("go vet failed: see the top")
	}
	fmt.Printf("%d passed, %d failed\n", sum.passed, sum.failed)
	if !vetted || !finished || sum.failed > 0 {
		os.Exit(1)
	}
}

// stream runs the go command, with its standard output going to w.
func stream(w io.Writer, args ...string) error {
	cmd := command(args...)
	cmd.Stdout, cmd.Stderr = w, os.Stderr
	return cmd.Run()
}

func command(args ...string) *exec.Cmd {
	program := os.Getenv("GO")
	if program == "" {
		program = "go"
	}
	return exec.Command(program, args...)
}

// startsGoroutine finds a go statement, which gofmt leaves alone at the start of its line, and the Go
// method of a wait group.
var startsGoroutine = regexp.MustCompile(`(?m)^\t+go [\w.]+[({]|^\t+go func|\w\.Go\(func`)

// packages lists the module's packages in two groups: those to run as they are, and those to run
// under the race detector.
func packages() (plain, raced []string, err error) {
	// -e: a package that lacks an import is listed all the same, and fails as one that does not build.
	cmd := command("list", "-e", "-json=ImportPath,Dir,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Deps,TestImports", "./...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("go list: %w", err)
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir                              string
			GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
			Deps, TestImports                            []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return plain, raced, nil
		} else if err != nil {
			return nil, nil, fmt.Errorf("go list: %w", err)
		}

		concurrent := false
		for _, files := range [][]string{p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles} {
			for _, name := range files {
				source, err := os.ReadFile(filepath.Join(p.Dir, name))
				if err != nil {
					return nil, nil, err
				}
				concurrent = concurrent || startsGoroutine.Match(source)
			}
		}
		slow := importsFyne(p.Deps) || importsFyne(p.TestImports) || p.ImportPath == "inglenook/engine/enginetest"
		if concurrent && !slow {
			raced = append(raced, p.ImportPath)
		} else {
			plain = append(plain, p.ImportPath)
		}
	}
}

func importsFyne(paths []string) bool {
	for _, path := range paths {
		if strings.HasPrefix(path, "fyne.io/") {
			return true
		}
	}
	return false
}
