// Command gotest vets the module, checks its types for macOS where that needs no C compiler, runs its tests and
// prints a summary: the output of failures, a line for each package, why tests were skipped, and at the
// end "N passed, N failed". Extra arguments go to go test.
//
// Tests that use goroutines run under the race detector as well. It makes plain loops ten times slower,
// so the other tests run without it. All tests of app, cli and metalbackend run under it. Packages that import Fyne do
// not: their code runs on one goroutine by contract, and compiling Fyne a second time would take minutes.
// Nor do the tests of the reference backend, because engine's tests run it under the race detector.
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
	"slices"
	"strings"
)

func main() {
	p, err := plan()
	if err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		os.Exit(1)
	}

	vetted := vet(run{packages: slices.Concat(p.raced.packages, p.plain.packages)})
	vetted = vet(p.windowed) && vetted
	if err := checkDarwin(); err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		vetted = false
	}
	sum := newSummary(os.Stdout)
	finished := true
	for _, r := range []run{p.raced, p.someRaced, p.plain, p.windowed} {
		if len(r.packages) == 0 {
			continue
		}
		args := slices.Concat([]string{"test", "-json", "-vet=off"}, r.flags, os.Args[1:], r.packages)
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

// vet vets the packages of a run and reports whether nothing was found.
func vet(r run) bool {
	return len(r.packages) == 0 || stream(os.Stdout, slices.Concat([]string{"vet"}, r.flags, r.packages)...) == nil
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

// wholeUnderRace are the packages whose tests all run under the race detector.
var wholeUnderRace = []string{"inglenook/app", "inglenook/cli", "inglenook/metalbackend"}

// run is one call of go test.
type run struct {
	flags, packages []string
}

// opensWindows is the package that imports Fyne's driver of windows, which takes three minutes of
// processor time to compile. No test opens a window. So the packages that import it are compiled with
// Fyne's build tag for tests, which has another driver. make build and make uitest compile the real one.
const opensWindows = "fyne.io/fyne/v2/app"

// shares divides the module's packages: all tests under the race detector, some tests under it, none,
// and none without the driver of windows. The packages of someRaced are in plain as well.
type shares struct{ raced, someRaced, plain, windowed run }

func plan() (s shares, err error) {
	// -e lists a package with a missing import all the same; go test then reports that it does not build.
	cmd := command("list", "-e", "-json=ImportPath,Dir,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Deps,TestImports", "./...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return s, fmt.Errorf("go list: %w", err)
	}
	var names []string
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir                              string
			GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
			Deps, TestImports                            []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return s, fmt.Errorf("go list: %w", err)
		}

		tests, all := concurrent(p.Dir, p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles)
		switch {
		case slices.Contains(p.Deps, opensWindows):
			s.windowed.packages = append(s.windowed.packages, p.ImportPath)
			continue
		case importsFyne(p.Deps) || importsFyne(p.TestImports) || p.ImportPath == "inglenook/engine/enginetest":
		case all || slices.Contains(wholeUnderRace, p.ImportPath):
			s.raced.packages = append(s.raced.packages, p.ImportPath)
			continue
		case len(tests) > 0:
			s.someRaced.packages = append(s.someRaced.packages, p.ImportPath)
			names = append(names, tests...)
		}
		s.plain.packages = append(s.plain.packages, p.ImportPath)
	}
	s.raced.flags = []string{"-race"}
	s.windowed.flags = []string{"-tags", "ci"}
	s.someRaced.flags = []string{"-race", "-run", "^(" + strings.Join(slices.Compact(slices.Sorted(slices.Values(names))), "|") + ")$"}
	return s, nil
}

func importsFyne(paths []string) bool {
	for _, path := range paths {
		if strings.HasPrefix(path, "fyne.io/") {
			return true
		}
	}
	return false
}
