package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each package's tests run once: under the race detector, without it, or some so and the others otherwise.
func TestPlan(t *testing.T) {
	t.Chdir("../..")
	runs, err := plan()
	if err != nil || len(runs) != 5 {
		t.Fatal(len(runs), err)
	}
	raced, sweeps, some, others, plain := runs[0], runs[1], runs[2], runs[3], runs[4]
	if !slices.Contains(raced.flags, "-race") || !slices.Contains(some.flags, "-race") || slices.Contains(others.flags, "-race") || len(plain.flags) > 0 {
		t.Errorf("flags %q, %.30q, %.30q, %q", raced.flags, some.flags, others.flags, plain.flags)
	}
	some.flags, raced.flags = some.flags[len(underRace):], raced.flags[len(underRace):]
	if chosen, left := some.flags[1], others.flags[1]; some.flags[0] != "-run" || others.flags[0] != "-skip" || chosen != left {
		t.Errorf("what is left is not what the race detector does not see: %.60q and %.60q", chosen, left)
	}
	if raced.flags[0] != "-skip" || sweeps.flags[0] != "-run" || raced.flags[1] != sweeps.flags[1] || slices.Contains(sweeps.flags, "-race") {
		t.Errorf("flags %q and %q", raced.flags, sweeps.flags)
	}
	for name, tests := range oneByOne {
		if !slices.Contains(raced.packages, name) {
			t.Errorf("%s does not run under the race detector otherwise", name)
		}
		var source strings.Builder
		files, _ := filepath.Glob(strings.TrimPrefix(name, "inglenook/") + "/*_test.go")
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			source.Write(text)
		}
		for _, test := range tests {
			if !strings.Contains(source.String(), "\nfunc "+test+"(") {
				t.Errorf("%s has no %s", name, test)
			}
		}
	}
	if !slices.Equal(some.packages, others.packages) {
		t.Error("the same packages do not run with and without the race detector")
	}
	for name, in := range map[string]run{"inglenook/server": raced, "inglenook/hub": some, "inglenook/models": plain, "inglenook/ui/chat": plain} {
		if !slices.Contains(in.packages, name) {
			t.Errorf("%s runs elsewhere", name)
		}
	}
	seen := map[string]bool{}
	for _, path := range slices.Concat(raced.packages, some.packages, plain.packages) {
		if seen[path] {
			t.Errorf("%s runs twice", path)
		}
		seen[path] = true
	}
}

func TestBeLazy(t *testing.T) {
	t.Setenv("GOGC", "50")
	t.Setenv("GOMEMLIMIT", "")
	beLazy()
	if given, bound := os.Getenv("GOGC"), os.Getenv("GOMEMLIMIT"); given != "50" || bound != "3GiB" {
		t.Errorf("GOGC=%s GOMEMLIMIT=%s", given, bound)
	}
}
