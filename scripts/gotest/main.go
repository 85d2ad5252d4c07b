// Command gotest vets the module, checks its types for macOS where that needs no C compiler, runs its tests and
// prints a summary: the output of failures, a line for each package, why tests were skipped, and at the
// end "N passed, N failed". Extra arguments go to go test.
//
// Tests that use goroutines run under the race detector. It makes plain loops ten times slower,
// so the other tests run without it, each test once. All tests of a few packages run under it: those whose code starts
// goroutines wherever it works. Packages that import Fyne do not: their code runs on one goroutine by contract,
// and compiling Fyne a second time would take minutes. Nor do the tests of the reference backend, because
// engine's tests run it under the race detector.
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
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// patience is how long the tests of one package may take. Some take minutes on two cores, and a
// busy machine needs several times as long.
const patience = "30m"

func main() {
	beLazy()
	runs, err := plan()
	if err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		os.Exit(1)
	}

	vetted := stream(os.Stdout, "vet", "./...") == nil
	if err := checkDarwin(); err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		vetted = false
	}
	sum := newSummary(os.Stdout)
	finished := true
	for _, r := range runs {
		if len(r.packages) == 0 {
			continue
		}
		args := slices.Concat([]string{"test", "-json", "-vet=off", "-timeout=" + patience}, r.flags, os.Args[1:], r.packages)
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

// beLazy has the collector of Go's memory wait, in all programs that this one starts, until four times as much is
// used as is needed, within bounds that two programs at a time fit in: the compiler and the tests then
// take a good part less time. What a person set stays.
func beLazy() {
	for name, value := range map[string]string{"GOGC": "400", "GOMEMLIMIT": "3GiB"} {
		if os.Getenv(name) == "" {
			os.Setenv(name, value)
		}
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

// wholeUnderRace are the packages whose tests all run under the race detector, and only there.
var wholeUnderRace = []string{"inglenook/documents/index", "inglenook/engine", "inglenook/metalbackend", "inglenook/server"}

// oneByOne are the tests of those packages that run without the race detector all the same. They do very
// much, one thing after the other: parse all kernels for each file, send thousands of bodies.
var oneByOne = map[string][]string{
	"inglenook/metalbackend": {"TestFilesRefused", "TestParts", "TestRefusedSource"},
	"inglenook/server":       {"TestEveryFieldOfEveryType", "TestMutatedBodies"},
}

// alsoUnderRace are tests without goroutines of their own, of code that another package calls from several:
// collections whose model is elsewhere.
var alsoUnderRace = []string{"TestServerModelChanges", "TestServerRemoved"}

// underRace are the flags with which tests run under the race detector. SQLite is left as it is: it is C
// that was translated into Go, so large that it takes a minute to compile for the detector, and the
// memory that it works in is not Go's, which the detector does not watch.
var underRace = []string{"-race", "-gcflags=modernc.org/sqlite/lib=-race=false", "-gcflags=modernc.org/libc=-race=false"}

// run is one call of go test.
type run struct {
	flags, packages []string
}

// plan divides the module's packages: all tests under the race detector, where all use goroutines or the
// list above says so; some tests under it and the others of the same packages without it; and none. What is
// left out of one run is all that another runs.
func plan() ([]run, error) {
	// -e lists a package with a missing import all the same; go test then reports that it does not build.
	cmd := command("list", "-e", "-json=ImportPath,Dir,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Deps,TestImports", "./...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var raced, someRaced, others, plain run
	names := slices.Clone(alsoUnderRace)
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir                              string
			GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
			Deps, TestImports                            []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}

		tests, without := concurrent(p.Dir, p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles)
		switch {
		case importsFyne(p.Deps) || importsFyne(p.TestImports) || p.ImportPath == "inglenook/engine/enginetest":
		case slices.Contains(wholeUnderRace, p.ImportPath) || len(tests) > 0 && without == 0:
			raced.packages = append(raced.packages, p.ImportPath)
			continue
		case len(tests) > 0:
			someRaced.packages = append(someRaced.packages, p.ImportPath)
			names = append(names, tests...)
			continue
		}
		plain.packages = append(plain.packages, p.ImportPath)
	}
	var slow []string
	for _, tests := range oneByOne {
		slow = append(slow, tests...)
	}
	raced.flags = slices.Concat(underRace, []string{"-skip", anyOf(slow)})
	sweeps := run{[]string{"-run", anyOf(slow)}, slices.Sorted(maps.Keys(oneByOne))}
	concurrently := anyOf(names)
	someRaced.flags = slices.Concat(underRace, []string{"-run", concurrently})
	others.packages, others.flags = someRaced.packages, []string{"-skip", concurrently}
	return []run{raced, sweeps, someRaced, others, plain}, nil
}

// anyOf is the expression that go test's flags have for tests of these names.
func anyOf(names []string) string {
	return "^(" + strings.Join(slices.Compact(slices.Sorted(slices.Values(names))), "|") + ")$"
}

func importsFyne(paths []string) bool {
	for _, path := range paths {
		if strings.HasPrefix(path, "fyne.io/") {
			return true
		}
	}
	return false
}
