package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// event is one line of go test -json; "go doc test2json" describes it.
type event struct {
	Action      string
	Package     string
	ImportPath  string // of build-output and build-fail, instead of Package
	Test        string
	Elapsed     float64 // seconds
	Output      string
	FailedBuild string
}

// test is the state of one test so far.
type test struct {
	output     strings.Builder
	hasSubtest bool
	subFailed  bool
}

// summary reads the events of go test as an io.Writer and prints failures and packages as they come.
type summary struct {
	out            io.Writer
	partial        []byte // the start of a line whose end has not come yet
	tests          map[[2]string]*test
	cached         map[string]bool
	failedIn       map[string]int      // failed tests of a package
	skips          map[string][]string // the reason, and the tests that were skipped for it
	passed, failed int
}

func newSummary(out io.Writer) *summary {
	return &summary{
		out:      out,
		tests:    map[[2]string]*test{},
		cached:   map[string]bool{},
		failedIn: map[string]int{},
		skips:    map[string][]string{},
	}
}

func (s *summary) Write(p []byte) (int, error) {
	s.partial = append(s.partial, p...)
	for {
		line, rest, found := bytes.Cut(s.partial, []byte("\n"))
		if !found {
			return len(p), nil
		}
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			fmt.Fprintf(s.out, "%s\n", line) // a message of go itself
		} else if e.Test == "" {
			s.packageEvent(e)
		} else {
			s.testEvent(e)
		}
		s.partial = rest
	}
}

func (s *summary) test(pkg, name string) *test {
	key := [2]string{pkg, name}
	if s.tests[key] == nil {
		s.tests[key] = &test{}
	}
	return s.tests[key]
}

func (s *summary) testEvent(e event) {
	t := s.test(e.Package, e.Test)
	parent := &test{}
	if i := strings.LastIndexByte(e.Test, '/'); i >= 0 {
		parent = s.test(e.Package, e.Test[:i])
	}
	switch e.Action {
	case "run":
		parent.hasSubtest = true
	case "output":
		t.output.WriteString(e.Output)
	case "pass":
		if !t.hasSubtest {
			s.passed++
		}
	case "fail":
		parent.subFailed = true
		if !t.subFailed {
			s.failed++
			s.failedIn[e.Package]++
		}
		fmt.Fprint(s.out, t.output.String())
	case "skip":
		why := reason(t.output.String())
		s.skips[why] = append(s.skips[why], e.Package+" "+e.Test)
	}
	switch e.Action {
	case "pass", "fail", "skip":
		delete(s.tests, [2]string{e.Package, e.Test})
	}
}

func (s *summary) packageEvent(e event) {
	t := s.test(e.Package, "")
	switch e.Action {
	case "build-output":
		fmt.Fprint(s.out, e.Output)
	case "output":
		t.output.WriteString(e.Output)
		if strings.HasSuffix(e.Output, "\t(cached)\n") {
			s.cached[e.Package] = true
		}
	case "pass":
		took := fmt.Sprintf("%.1fs", e.Elapsed)
		if s.cached[e.Package] {
			took = "(cached)"
		}
		fmt.Fprintf(s.out, "ok    %s %s\n", e.Package, took)
	case "fail":
		if s.failedIn[e.Package] == 0 { // it did not build, or a test ended the process
			s.failed++
			s.printUnfinished(e.Package)
		}
		if e.FailedBuild == "" {
			fmt.Fprint(s.out, t.output.String())
		}
		fmt.Fprintf(s.out, "FAIL  %s\n", e.Package)
	}
}

// printUnfinished prints the output of tests that were running when their process died.
func (s *summary) printUnfinished(pkg string) {
	for key, t := range s.tests {
		if key[0] == pkg && key[1] != "" {
			fmt.Fprint(s.out, t.output.String())
		}
	}
}

// print lists why tests were skipped, each reason once.
func (s *summary) print() {
	for _, why := range slices.Sorted(maps.Keys(s.skips)) {
		tests := s.skips[why]
		more := ""
		if len(tests) > 1 {
			more = fmt.Sprintf(" and %d more", len(tests)-1)
		}
		fmt.Fprintf(s.out, "skip  %s%s: %s\n", tests[0], more, why)
	}
}

// reason picks what t.Skip said out of a test's output: "    file_test.go:12: the reason".
func reason(output string) string {
	for _, line := range strings.Split(output, "\n") {
		if _, said, found := strings.Cut(line, "_test.go:"); found {
			if _, said, found = strings.Cut(said, ": "); found {
				return said
			}
		}
	}
	return "no reason given"
}
